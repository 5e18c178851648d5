// A room: the board with its players, what one may do, and the moves so far. The server decides; this shows and asks.
//
// Whoever may analyse the game may also try moves out, in any position but the last one of a game that goes on. They are
// listed below the moves of the game, and nobody else sees them.

import { Actions } from "./actions.js";
import { Board } from "./board.js";
import { button, el, fill, refresh, setText } from "./dom.js";
import { endPanel, headline } from "./ending.js";
import { MoveEntry } from "./entry.js";
import { Explorer } from "./explorer.js";
import { queryOfNode, tableOf } from "./place.js";
import { Plates } from "./plates.js";
import { invitation, sharePanel } from "./share.js";
import { end as endSound, tick, turn as turnSound } from "./sound.js";
import { Tree } from "./tree.js";
import { sentence } from "./words.js";

export async function roomView(app, root, { room }) {
  const state = await app.ask({ kind: "Enter", room });
  const view = new RoomView(app, root, state);
  app.on("RoomChanged", (change) => change.room === room && view.change(change));
  app.on("Offline", () => view.offerNothing());
  app.on("Reconnected", () => view.enterAgain());
  app.leave(() => app.ask({ kind: "Leave", room }).catch(() => {}));
}

class RoomView {
  constructor(app, root, state) {
    this.app = app;
    this.room = state.room;
    this.state = state;
    this.tree = new Tree(state);
    this.line = this.tree.line;
    this.#build(root);
    this.board.showGround(state.ground);
    const own = ownSeats(state.standing);
    this.board.flip(own.length === 1 && own[0] !== state.ground.bottom && state.player_names.length === 2);
    this.#placePlates();
    this.#showStanding(state.standing);
    this.explorer.showMoves();
    this.#showNow();
    const escape = ["keys.escape", () => this.board.takeBack() || this.board.arrows([])];
    app.keys({ ...this.stepper.keys(), ...this.actions.keys(), Escape: escape });
  }

  get names() {
    return this.state.player_names.map((_, seat) => this.plates.nameOf(seat));
  }

  get can() {
    return this.state.standing.can;
  }

  /** Take in what has changed; if something was missed, enter again. */
  change(change) {
    if (change.version !== this.state.version + 1) return this.enterAgain();
    const [wasAtEnd, wasOver] = [this.explorer.isMain && this.stepper.isAtEnd, this.line.now.is_over];
    const { since } = change;
    this.state = { ...this.state, version: change.version, standing: change.standing };
    if (change.now) this.line.now = change.now;
    if (since !== null && since !== undefined) this.tree.replace(since, change.plies, this.line.now);
    const hasEnded = !wasOver && this.line.now.is_over;
    this.#showStanding(change.standing);
    if (hasEnded && !change.plies?.length) this.#tellNews();
    if (since === null || since === undefined) return this.#restate();
    this.explorer.showMoves();
    if (change.plies.length) this.#tellNews();
    const { node } = this.explorer;
    if (!this.tree.has(node)) return this.#showNow(); // It hung on moves that were taken back.
    if (!this.explorer.isMain) return this.tree.isMain(node) ? this.explorer.jump(node) : this.#restate();
    const { shown } = this.stepper;
    if (!wasAtEnd && shown <= this.line.last) return this.stepper.show(shown);
    if (this.wasDragged) tick(); // What was dragged lies there already.
    if (shown >= since || shown >= this.line.last || this.wasDragged) this.stepper.show(this.line.last);
    else this.stepper.follow();
    this.wasDragged = false;
  }

  /** Be shown the whole room again: after a lost connection, or a message that was missed. */
  async enterAgain() {
    const state = await this.app.attempt({ kind: "Enter", room: this.room });
    if (!state || !this.app.isHere) return;
    this.state = state;
    this.tree.replace(0, state.plies, state.now);
    this.#showStanding(state.standing);
    this.explorer.showMoves();
    this.#showNow();
  }

  /** Show the last position of the game. */
  #showNow() {
    this.explorer.jump(this.tree.main.at(-1));
  }

  #build(root) {
    const { app, state } = this;
    const names = ["above", "board-home", "below", "status", "told", "tried", "offer", "ending", "invitation"];
    this.parts = Object.fromEntries(names.map((name) => [name, el("div", { class: name, "data-id": name })]));
    const { parts } = this;
    this.board = new Board(app, parts["board-home"], { onMove: (move, how) => this.#onMove(move, how), onMiss: (text) => this.#tell(text) });
    this.plates = new Plates(app, state);
    this.plates.onInvite = (seat) => this.#invite(seat);
    this.explorer = new Explorer(app, this.board, this.tree, () => this.names, {
      onShow: (node) => this.#onShow(node),
      onRest: () => this.#offer(),
      onFlip: () => this.#placePlates(),
    });
    this.stepper = this.explorer.stepper;
    this.entry = new MoveEntry(app, (move) => this.#onMove(move));
    this.actions = new Actions(app, this.room, {
      ply: () => this.line.last,
      onHint: (thought) => this.#showHint(thought),
      onAnalyse: () => this.#analyse(),
    });
    const place = () => this.tree.placeOf(this.explorer.node);
    fill(
      root,
      el(
        "div",
        { class: "play room" },
        el(
          "div",
          { class: "heading" },
          el("h1", {}, state.title),
          el(
            "p",
            { class: "quiet" },
            state.rules,
            " · ",
            el("a", { href: `/rules/${encodeURIComponent(state.place.game)}` }, app.t("room.rules")),
          ),
        ),
        el(
          "div",
          { class: "table" },
          parts.above,
          parts["board-home"],
          parts.below,
          el("div", { class: "words" }, parts.status, parts.told, parts.tried, this.board.wordBar),
        ),
        el(
          "div",
          { class: "side" },
          parts.ending,
          parts.offer,
          this.stepper.controls(),
          this.explorer.list.element,
          this.entry.element,
          this.actions.element,
          parts.invitation,
          sharePanel(app, place, this.room),
        ),
      ),
    );
  }

  #placePlates() {
    this.plates.place(this.parts.above, this.parts.below, this.board.isFlipped, ownSeats(this.state.standing)[0]);
  }

  #onShow(node) {
    const back = () => button(this.app.t("room.back"), () => this.#showNow(), { class: "small", "data-id": "back-to-game" });
    this.#showNode(node);
    setText(this.parts.told, node.ply.told ?? "");
    fill(this.parts.tried, !this.tree.isMain(node) && back());
    this.board.arrows([]);
  }

  /** Show whose turn it is in a position, and whether it is one of the game. */
  #showNode(node) {
    const isEnd = node === this.tree.main.at(-1) && this.line.now.is_over;
    this.plates.showPly(node.ply, isEnd || (node.now?.is_over ?? false));
    setText(this.parts.status, this.#statusOf(node, isEnd));
  }

  /** Show anew what depends on the standing, on a board that has not changed. */
  #restate() {
    if (this.board.isMoving) return;
    this.#showNode(this.explorer.node);
    if (!this.board.isChoosing || this.line.now.is_over) this.#offer();
  }

  #statusOf(node, isEnd) {
    const { app } = this;
    const { status } = node.ply;
    if (isEnd) return [this.#headline(), sentence(this.line.now.why)].filter(Boolean).join(" · ");
    if (!this.tree.isMain(node)) return app.t("room.tried", { status });
    if (node.depth < this.line.last) return app.t("room.past", { ply: node.depth, last: this.line.last });
    if (!this.can.includes("move")) return status;
    const isAlone = ownSeats(this.state.standing).length === 1;
    return isAlone ? app.t("room.your_turn") : app.t("room.your_turn_as", { player: this.names[node.ply.to_move] });
  }

  /** Whether the last position of the game is shown. */
  get #isNow() {
    return this.explorer.isMain && this.stepper.isLast;
  }

  /** Whether one may move; not while a move is on its way to the server. */
  get #isTurn() {
    return this.#isNow && this.can.includes("move") && this.asked !== this.line.last;
  }

  get #mayTry() {
    return this.can.includes("analyse") && (!this.#isNow || this.line.now.is_over);
  }

  /** Offer what may be played, if it is one's turn, or tried out. */
  async #offer() {
    const home = this.parts["board-home"];
    home.classList.toggle("your-turn", this.#isTurn);
    home.classList.toggle("trying", this.#mayTry);
    if (this.#isTurn) return this.#offerMoves(this.line.now);
    this.offerNothing();
    const tried = this.#mayTry && (await this.explorer.moves());
    if (tried && this.#mayTry) this.#offerMoves(tried);
  }

  #offerMoves({ paths, labels }) {
    this.board.offer(paths, labels);
    this.entry.offer(paths);
  }

  /** Let nothing be played: it is not one's turn, or nobody would hear of it. */
  offerNothing() {
    this.#offerMoves({ paths: [], labels: {} });
  }

  #showStanding(standing) {
    const { app, parts } = this;
    this.plates.showStanding(standing);
    this.actions.show(standing);
    const { names, can } = this;
    const mayClaimOrAnswer = ["claim", "answer"].map((what) => can.includes(what));
    refresh(parts.offer, [standing.offer, mayClaimOrAnswer, names], () =>
      this.actions.questions(standing, (seat) => names[seat]),
    );
    const { is_over: isOver } = this.line.now;
    const end = isOver && [this.line.now, this.line.last, names, standing.next_room, can.includes("rematch")];
    refresh(parts.ending, end, () => isOver && endPanel(app, this.state, this.line, names));
    app.title(standing.can.includes("move") ? app.t("room.title_turn", { game: this.state.title }) : this.state.title);
    const isNewRoom = this.nextRoom === null && standing.next_room !== null;
    this.nextRoom = standing.next_room;
    if (isNewRoom && ownSeats(standing).length) app.go(`/play/${standing.next_room}`);
  }

  #headline() {
    return headline(this.app, this.line.now.shares, this.names, this.state.standing);
  }

  /** Say what happened and whose turn it is, once. */
  #tellNews() {
    const ply = this.line.plies.at(-1);
    const { is_over: isOver, why } = this.line.now;
    const end = isOver && `${sentence(this.#headline())} ${sentence(why)}`;
    this.app.say([ply.told, end || ply.status].filter(Boolean).join(" "));
    if (isOver) endSound();
    else if (this.can.includes("move")) turnSound();
  }

  /** Play a move, or try it out. Until it is on the board or refused, no other is offered, whatever is told meanwhile. */
  async #onMove(move, { dragged = false } = {}) {
    const ply = this.line.last;
    const isPlayed = this.#isTurn;
    if (isPlayed) Object.assign(this, { wasDragged: dragged, asked: ply });
    const done = await (isPlayed ? this.actions.ask("PlayMove", { ply, move }) : this.explorer.try([move]));
    this.asked = null;
    if (!done) this.#offer();
  }

  /** Analyse the line on the board. */
  #analyse() {
    const { node } = this.explorer;
    const table = tableOf(this.names, ownSeats(this.state.standing));
    this.app.go(`/analyse${queryOfNode(this.tree, node, table)}#${node.depth}`);
  }

  /** Show a good move. */
  #showHint({ move, clicks }) {
    this.#showNow();
    this.board.arrows([clicks]);
    this.parts["board-home"].scrollIntoView({ block: "nearest" }); // The button may be far below a board on a phone.
    this.#tell(this.app.t("room.hinted", { move }));
  }

  /** Say something below the board, also to those who listen. */
  #tell(text) {
    setText(this.parts.told, text);
    this.app.say(text);
  }

  async #invite(seat) {
    const invited = await this.app.attempt({ kind: "Invite", room: this.room, seat });
    if (invited) invitation(this.app, this.parts.invitation, invited.path);
  }
}

function ownSeats(standing) {
  return [...standing.seats.keys()].filter((seat) => standing.seats[seat].is_you);
}
