// @ts-check
// A board that plays games again, one after another, at a chosen speed; or follows one that is being played.

import { Board } from "./board.js";
import { button, el, fill, homes, select, setText, swatch } from "./dom.js";
import { MoveList } from "./movelist.js";
import { queryOf } from "./place.js";
import { keep, stored } from "./settings.js";
import { controls, Stepper } from "./stepper.js";
import { Tree } from "./tree.js";
import { number, t } from "./words.js";

/**
 * @import { App } from "./app.js"
 * @import { Place } from "./protocol.d.ts"
 *
 * A game with what its players are called and the names of the bots.
 *
 * @typedef {{ place: Place, players: string[], bots: string[] }} Game
 */

const KEY = "palabre.replay";
const SPEEDS = [0.5, 1, 2, 5, 20]; // moves a second
const MOST_WITH_MOTION = 2; // moves a second; faster ones are shown without their motion
const REST_MS = 1500; // at the end of a game, before the next one

export class Replay {
  #timer = 0;
  #turn = 0; // which game is wanted; an answer for another one comes too late
  #isPlaying = true;
  #isLive = false;
  /** @type {Stepper | null} */
  stepper = null; // of the game that is shown
  /** @type {Tree} */
  tree;
  end = ""; // what to say of its end

  /**
   * `onEnd()` is called for the next game when one has been shown to its end, `onRest(ply)` when a reader stops at a
   * ply.
   *
   * @param {App} app
   * @param {{ onEnd?: () => unknown, onRest?: (ply: number) => unknown }} listeners
   */
  constructor(app, { onEnd = () => {}, onRest = () => {} } = {}) {
    this.app = app;
    this.onEnd = onEnd;
    this.onRest = onRest;
    this.speed = stored(KEY, {}).speed ?? 1;
    this.parts = homes(["plates", "board", "status", "told"]);
    this.moves = new MoveList((node) => this.#byHand((stepper) => stepper.show(node.depth)));
    this.playButton = button("", () => this.#toggle(), { "data-id": "run", class: "primary" });
    this.board = new Board(app, this.parts.board);
    this.empty = el("p", { class: "empty" }, t("arena.no_game_yet"));
    this.shown = el(
      "div",
      { class: "table", hidden: true },
      this.parts.plates,
      this.parts.board,
      el("div", { class: "words" }, this.parts.status, this.parts.told),
    );
    this.element = el("div", { class: "replay" }, this.empty, this.shown);
    this.link = el("a", { class: "button", "data-id": "analyse", hidden: app.isReport }, t("arena.analyse"));
    this.side = el(
      "div",
      { class: "replay-side", hidden: true },
      el("div", { class: "row" }, this.playButton, this.#speedField()),
      el(
        "div",
        { class: "steps", onclick: () => this.pause() },
        controls(() => /** @type {Stepper} */ (this.stepper)),
      ),
      this.moves.element,
      el("div", { class: "links" }, this.link),
    );
    app.leave(() => this.#stopTimer());
    this.#keys();
    this.#label();
  }

  /**
   * Show a game from its first move and play it, or stop at a ply if one is given; `title` says which one it is.
   *
   * @param {Game & { result: string, ending: string, seconds: (number | null)[] }} game
   * @param {string} title
   * @param {number} [stop]
   */
  async show({ place, players, bots, result, ending, seconds }, title, stop) {
    const mine = ++this.#turn;
    const shown = await this.app.ask({ kind: "ShowLine", place, names: players });
    if (mine !== this.#turn || !this.app.isHere) return;
    for (const [at, took] of seconds.entries()) shown.plies[at + 1].seconds = took;
    this.#stopTimer();
    this.#isLive = false;
    this.#isPlaying = stop === undefined;
    this.end = [result, ending].filter(Boolean).join(", ");
    this.#setGame(new Tree(shown), players, bots, title).show(stop || 0);
    this.#label();
    this.#wait();
  }

  /**
   * Show a game that is being played, as far as it has come: only what is new of it moves.
   *
   * @param {Game} game
   * @param {string} title
   */
  async follow({ place, players, bots }, title) {
    const isSame = this.#isLive && this.stepper && sameGame(this.line.place, place);
    if (isSame && this.line.last >= place.moves.length) return;
    const mine = ++this.#turn;
    const since = isSame ? this.line.last + 1 : 0;
    const shown = await this.app.ask({ kind: "ShowLine", place, since, names: players });
    if (mine !== this.#turn || !this.app.isHere) return;
    this.#stopTimer();
    if (isSame) {
      this.tree.replace(since, shown.plies, shown.now);
      this.moves.show(this.tree, players);
    } else {
      this.#isLive = true;
      this.end = "";
      this.#setGame(new Tree(shown), players, bots, title).show(this.line.last - 1);
    }
    if (this.#isPlaying) this.stepper?.follow();
  }

  get line() {
    return this.tree.line;
  }

  pause() {
    this.#isPlaying = false;
    this.#stopTimer();
    this.#label();
    if (this.stepper && !this.#isLive) this.onRest(this.stepper.shown);
  }

  /**
   * Step through what is shown, if anything is, and no longer go on by itself.
   *
   * @param {(stepper: Stepper) => unknown} step
   */
  #byHand(step) {
    this.pause();
    if (this.stepper) step(this.stepper);
  }

  /** The keys for stepping, on whatever game is shown. */
  #keys() {
    /** @type {(key: string) => () => unknown} */
    const step = (key) => () => this.#byHand((stepper) => stepper.keys()[key][1]());
    const known = { ArrowLeft: "keys.back", ArrowRight: "keys.next", Home: "keys.first", End: "keys.last" };
    for (const [key, id] of Object.entries(known)) this.app.keys({ [key]: [id, step(key)] });
    this.app.keys({
      f: ["keys.flip", () => this.stepper && this.board.flip()],
      p: ["arena.key_run", () => this.#toggle()],
    });
  }

  #toggle() {
    if (this.#isPlaying) return this.pause();
    this.#isPlaying = true;
    this.#label();
    if (this.#isLive) return this.stepper?.follow();
    if (this.stepper?.isLast) this.stepper.show(0);
    this.#wait();
  }

  /**
   * @param {Tree} tree
   * @param {string[]} players
   * @param {string[]} bots
   * @param {string} title
   */
  #setGame(tree, players, bots, title) {
    const { line } = tree;
    this.tree = tree;
    this.board.showGround(line.ground);
    this.stepper = new Stepper(this.board, line, { onShow: (ply) => this.#onShow(ply) });
    this.moves.show(tree, players);
    fill(
      this.parts.plates,
      title && el("h2", {}, title),
      el(
        "div",
        { class: "row" },
        players.map((name, seat) =>
          el(
            "span",
            { class: "plate", "data-seat": seat },
            swatch(line.ground.swatches[seat]),
            el("strong", { class: "name", title: bots[seat] }, name),
            el("span", { class: "score" }),
          ),
        ),
      ),
    );
    this.link.href = `/analyse${queryOf(line.place)}`;
    this.shown.hidden = this.side.hidden = false;
    this.empty.hidden = true;
    return this.stepper;
  }

  /** @param {number} ply */
  #onShow(ply) {
    const { status, told, scores, to_move: mover } = this.line.plies[ply];
    const isEnd = ply === this.line.last && !this.#isLive;
    for (const [seat, plate] of [...this.parts.plates.querySelectorAll(".plate")].entries()) {
      setText(/** @type {Element} */ (plate.querySelector(".score")), number(scores[seat]));
      plate.classList.toggle("turn", !isEnd && seat === mover);
    }
    setText(this.parts.status, isEnd ? [status, this.end].filter(Boolean).join(" · ") : status);
    setText(this.parts.told, told);
    this.moves.mark(this.tree.main[ply]);
    if (!this.#isPlaying && !this.#isLive) this.onRest(ply);
  }

  /** Play the next move when its time has come, and ask for the next game after the last one. */
  #wait() {
    this.#stopTimer();
    const { stepper } = this;
    if (!this.#isPlaying || this.#isLive || !stepper) return;
    this.#timer = stepper.isLast
      ? setTimeout(() => this.onEnd(), REST_MS)
      : setTimeout(() => this.#step(stepper), 1000 / this.speed);
  }

  /** @param {Stepper} stepper */
  async #step(stepper) {
    const mine = this.#turn;
    if (this.speed <= MOST_WITH_MOTION) await stepper.forward();
    else stepper.show(stepper.shown + 1);
    if (mine === this.#turn && this.app.isHere) this.#wait();
  }

  #stopTimer() {
    clearTimeout(this.#timer);
  }

  #label() {
    this.playButton.textContent = t(this.#isPlaying ? "arena.pause" : "arena.run");
  }

  #speedField() {
    const options = SPEEDS.map((speed) => /** @type {const} */ ([speed, t("arena.speed", { count: speed })]));
    /** @param {string} value */
    const choose = (value) => {
      this.speed = Number(value);
      keep(KEY, { speed: this.speed });
    };
    return select(options, this.speed, choose, { "data-id": "speed", "aria-label": t("arena.speed_label") });
  }
}

/**
 * Whether a place is the same game, played on.
 *
 * @param {Place} before
 * @param {Place} after
 */
function sameGame(before, after) {
  return (
    before.game === after.game &&
    before.start === after.start &&
    before.moves.every((move, at) => move === after.moves[at])
  );
}
