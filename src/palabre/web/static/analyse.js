// @ts-check
// Analysis of any position or game: step through it, try variations, let engines think, review it, play on from here.

import { Board } from "./board.js";
import { ChanceBar, ChanceGraph } from "./chances.js";
import { button, cards, el, fill, heading, homes, select, setText } from "./dom.js";
import { Engine } from "./engine.js";
import { Explorer } from "./explorer.js";
import { MoveEntry } from "./movelist.js";
import { placeIn, queryOf, queryOfNode, tableOf, triedIn } from "./place.js";
import { Plates, sitsAbove } from "./plates.js";
import { Review } from "./review.js";
import { pasteForm, sharePanel } from "./share.js";
import { controls } from "./stepper.js";
import { Tree } from "./tree.js";
import { t } from "./words.js";

/**
 * @import { App, Params } from "./app.js"
 * @import { BotChoice, GameChoices, GameEntry, LineShown, ReviewedMove, ThoughtFacts } from "./protocol.d.ts"
 * @import { Node } from "./tree.js"
 *
 * @typedef {{ names: string[], reader: number | null }} Table with the seat of the reader, if they have one
 */

/**
 * @param {App} app
 * @param {HTMLElement} root
 * @param {Params} params
 */
export async function analyseView(app, root, { query, hash }) {
  const place = placeIn(query);
  app.title(t("analyse.title"));
  if (!place) return chooseGame(app, root, await app.games());
  const shown = await app.ask({ kind: "ShowLine", place, names: query.getAll("name") });
  const choices = await app.ask({ kind: "Choices", game: shown.place.game });
  choices.bots = choices.bots.filter((bot) => bot.can_analyse);
  const view = new AnalyseView(app, root, shown, choices, tableIn(query, shown.player_names));
  await view.begin(query, hash);
}

/**
 * The names and the seat of the reader that an address keeps of a table; `otherwise` are names for want of others.
 *
 * @param {URLSearchParams} query
 * @param {string[]} otherwise
 * @returns {Table}
 */
function tableIn(query, otherwise) {
  const names = query.getAll("name");
  const seat = Number(query.get("seat") ?? NaN);
  return { names: names.length === otherwise.length ? names : otherwise, reader: seat in otherwise ? seat : null };
}

/**
 * @param {App} app
 * @param {HTMLElement} root
 * @param {GameEntry[]} games
 */
function chooseGame(app, root, games) {
  let spec = games[0]?.spec;
  fill(
    root,
    heading(t("analyse.title"), t("analyse.lead")),
    cards(t("new.games"), games, (game) => `/analyse?game=${encodeURIComponent(game.spec)}`, true),
    el(
      "div",
      { class: "box paste-box" },
      select(
        games.map((game) => [game.spec, game.title]),
        spec,
        (value) => (spec = value),
        { "aria-label": t("new.games") },
      ),
      pasteForm(app, () => spec),
    ),
  );
}

class AnalyseView {
  /** @type {ThoughtFacts[]} */
  lines = []; // what the first engine thinks
  /** @type {number[][] | null} */
  chances = null; // of each player at each ply, once the game is reviewed

  /**
   * @param {App} app
   * @param {HTMLElement} root
   * @param {LineShown} shown
   * @param {GameChoices} choices
   * @param {Table} table
   */
  constructor(app, root, shown, choices, { names, reader }) {
    this.app = app;
    this.names = names;
    this.reader = reader;
    // Names that the game itself gives are in the reader's language and not to be kept.
    this.table = names === shown.player_names ? {} : tableOf(names, reader === null ? [] : [reader]);
    this.tree = new Tree(shown, { grows: true });
    const parts = ["above", "board-home", "below", "status", "told", "graph-home"];
    this.parts = homes(parts, (name) => ({ class: name, "data-id": name }));
    this.board = new Board(app, this.parts["board-home"], {
      onMove: (move) => this.#try([move]),
      onMiss: async (clicks) => {
        const text = await this.explorer.whyNot(clicks);
        setText(this.parts.told, text);
        app.say(text);
      },
    });
    this.plates = new Plates(app, { ...shown, player_names: names });
    this.bar = new ChanceBar(shown.ground, this.names);
    this.graph = new ChanceGraph(shown.ground, (ply) => this.explorer.jump(this.tree.main[ply]));
    this.entry = new MoveEntry(app, (move) => this.#try([move]));
    this.arrowSwitch = button(t("analyse.arrows"), () => this.#toggleArrows(), {
      "aria-pressed": "false",
      "data-id": "arrows",
    });
    this.second = button(t("analyse.second"), () => this.#addEngine(choices.bots), { "data-id": "second" });
    this.engines = [this.#makeEngine(choices.bots, true)];
    this.engineBox = el("div", { class: "engines" }, this.engines[0].element);
    this.review = new Review(app, this.names, {
      place: () => this.tree.placeOf(this.tree.last),
      reader,
      onDone: (moves) => this.#showReview(moves),
      onPuzzle: (ply) => this.#showPuzzle(this.tree.main[ply]),
      onAnswer: (ply, line) => this.#showAnswer(this.tree.main[ply], line),
    });
    this.explorer = new Explorer(app, this.board, this.tree, () => this.names, {
      onShow: () => this.#onShow(),
      onRest: () => this.#onRest(),
      onFlip: () => this.#placePlates(),
    });
    this.stepper = this.explorer.stepper;
    this.#build(root, shown);
    this.board.showGround(shown.ground);
    this.board.flip(sitsAbove(shown.ground, names, reader === null ? [] : [reader]));
    this.#placePlates();
    app.keys({
      ...this.stepper.keys(),
      " ": ["keys.pause", () => this.engines[0].switch()],
      a: ["keys.arrows", () => this.#toggleArrows()],
      Escape: ["keys.escape", () => this.board.takeBack()],
    });
  }

  /**
   * Show what the address names: a ply or else the last one, also of a variation; `review` begins a review.
   *
   * @param {URLSearchParams} query
   * @param {string} hash
   */
  async begin(query, hash) {
    const isNew = hash === "review";
    const ply = /^\d+$/.test(hash) ? Number(hash) : this.stepper.line.last;
    const tried = triedIn(query);
    if (isNew || query.has("review")) this.review.begin();
    this.stepper.show(isNew ? 0 : tried.moves.length ? tried.ply : ply);
    if (tried.moves.length && (await this.explorer.try(tried.moves)))
      this.explorer.jump(this.node.path[ply] ?? this.node);
  }

  /**
   * @param {HTMLElement} root
   * @param {LineShown} shown
   */
  #build(root, shown) {
    const { app, parts } = this;
    const place = () => this.tree.placeOf(this.node);
    const playOn = button(t("analyse.play_on"), () => app.go(`/${queryOf(place())}`), { "data-id": "play-on" });
    fill(
      root,
      el(
        "div",
        { class: "play analysis" },
        heading(t("analyse.title"), `${shown.title} · ${shown.rules}`, "quiet"),
        el(
          "div",
          { class: "table" },
          parts.above,
          this.bar.element,
          parts["board-home"],
          parts.below,
          el("div", { class: "words" }, parts.status, parts.told, this.board.wordBar),
        ),
        el(
          "div",
          { class: "side" },
          this.review.parts.puzzle,
          this.engineBox,
          el("div", { class: "row" }, this.arrowSwitch, this.second, playOn),
          controls(() => this.stepper),
          this.explorer.list.element,
          this.entry.element,
          parts["graph-home"],
          this.review.element,
          el("details", { class: "share" }, el("summary", {}, t("share.title")), sharePanel(app, place)),
        ),
      ),
    );
  }

  /** @param {BotChoice[]} bots */
  #makeEngine(bots, isFirst = false) {
    return new Engine(this.app, bots, {
      onThoughts: (lines) => isFirst && this.#onThoughts(lines),
      onTry: (moves) => this.#try(moves),
    });
  }

  /** @param {BotChoice[]} bots */
  #addEngine(bots) {
    const engine = this.#makeEngine(bots);
    this.engines.push(engine);
    this.second.remove();
    this.engineBox.append(engine.element);
    this.engineBox.classList.add("two");
    this.#point(engine);
  }

  /**
   * Go along moves from here, through variations that are known or new.
   *
   * @param {string[]} moves
   */
  async #try(moves) {
    if (this.#isPuzzle()) return this.review.attempt(moves[0]);
    if (!(await this.explorer.try(moves))) this.#onRest();
  }

  /**
   * Show a position in which a better move is looked for, with the whole board in sight.
   *
   * @param {Node} node
   */
  #showPuzzle(node) {
    this.explorer.jump(node);
    this.parts.above.parentElement?.scrollIntoView({ block: "nearest" });
  }

  /**
   * Show the better move, with the rest of its line to step through.
   *
   * @param {Node} node
   * @param {string[]} line
   */
  async #showAnswer(node, line) {
    this.explorer.jump(node);
    await this.#try(line);
    this.explorer.jump(this.tree.after(node, line[0]) ?? node);
  }

  get node() {
    return this.explorer.node;
  }

  get isMain() {
    return this.tree.isMain(this.node);
  }

  #onShow() {
    const { depth, ply, now } = this.node;
    this.plates.showPly(ply, now?.is_over ?? false);
    if (this.isMain) this.graph.mark(depth);
    setText(this.parts.status, ply.status);
    setText(this.parts.told, ply.told);
    if (!this.#isPuzzle()) this.review.leavePuzzle();
    if (this.isMain) this.review.showPly(depth);
    if (this.#isPuzzle()) this.explorer.list.mark(this.tree.main[depth + 1]); // The text is about this move.
    this.board.arrows([]);
  }

  /** When a position lies still: learn what can be played there, and think about it. */
  async #onRest() {
    const { node } = this;
    const more = { ...this.table, review: this.review.isWanted ? "1" : [] };
    history.replaceState(null, "", `/analyse${queryOfNode(this.tree, node, more)}#${node.depth}`);
    const now = await this.explorer.moves();
    if (!now) return;
    this.board.offer(now.paths, now.labels);
    this.entry.offer(now.paths);
    for (const engine of this.engines) this.#point(engine);
  }

  /**
   * Let an engine think about the position, unless the game is over or a better move is being looked for.
   *
   * @param {Engine} engine
   */
  #point(engine) {
    if (this.node.now?.is_over) return engine.setPlace(null, t("analyse.ended"));
    if (this.#isPuzzle()) return engine.setPlace(null, t("review.find_better"));
    return engine.setPlace(this.tree.placeOf(this.node));
  }

  #isPuzzle() {
    return this.isMain && this.review.isPuzzle(this.node.depth);
  }

  /** @param {ThoughtFacts[]} lines */
  #onThoughts(lines) {
    this.lines = lines;
    if (lines[0]?.shares) this.bar.show(lines[0].shares);
    else if (lines.length === 0) this.bar.show(this.chances?.[this.isMain ? this.node.depth : -1] ?? null);
    if (this.arrowSwitch.getAttribute("aria-pressed") === "true") this.board.arrows(lines.map(({ clicks }) => clicks));
  }

  #toggleArrows() {
    const isOn = this.arrowSwitch.getAttribute("aria-pressed") !== "true";
    this.arrowSwitch.setAttribute("aria-pressed", String(isOn));
    this.board.arrows(isOn ? this.lines.map(({ clicks }) => clicks) : []);
  }

  /**
   * Mark the mistakes in the list and the graph.
   *
   * @param {ReviewedMove[]} moves
   */
  #showReview(moves) {
    const nodes = this.tree.main;
    this.chances = [...moves.map(({ chances }) => chances), moves[moves.length - 1].chances_after];
    for (const { ply, mistake } of moves) if (nodes[ply]) nodes[ply].mistake = mistake;
    fill(this.parts["graph-home"], this.graph.element);
    this.graph.show(this.chances, moves);
    this.explorer.showMoves();
    this.stepper.show(this.stepper.shown);
  }

  #placePlates() {
    this.plates.place(this.parts.above, this.parts.below, this.board.isFlipped, this.reader ?? 0);
  }
}
