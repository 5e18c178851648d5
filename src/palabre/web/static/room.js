// @ts-check
// A room: the board with its players, what one may do, and the moves so far. The server decides; this shows and asks.
//
// Whoever may analyse the game may also try moves out, in any position but the last one of a game that goes on. They are
// listed below the moves of the game, and no one else sees them.

import { Actions } from "./actions.js";
import { Board } from "./board.js";
import { button, detailsLater, el, fill, heading, homes, refresh, setText } from "./dom.js";
import { endPanel, headline } from "./ending.js";
import { Explorer } from "./explorer.js";
import { MoveEntry } from "./movelist.js";
import { queryOfNode, tableOf } from "./place.js";
import { Plates, sitsAbove } from "./plates.js";
import { sound } from "./settings.js";
import { rulesLink } from "./sheet.js";
import { controls } from "./stepper.js";
import { Tree } from "./tree.js";
import { sentence, t } from "./words.js";

/**
 * @import { App, Params } from "./app.js"
 * @import { How } from "./board.js"
 * @import { Click } from "./paths.js"
 * @import { Now, RoomChanged, RoomState, Standing, ThoughtFacts } from "./protocol.d.ts"
 * @import { Node } from "./tree.js"
 *
 * @typedef {RoomChanged & { received: number }} Change with the time when it came
 */

const sharing = () => import("./share.js"); // once it is wanted
const INVITING = "invite"; // the hash of a new room with seats for others

/**
 * @param {App} app
 * @param {HTMLElement} root
 * @param {Params} params
 */
export async function roomView(app, root, { room, hash }) {
  const state = await app.ask({ kind: "Enter", room });
  const view = new RoomView(app, root, state);
  if (hash === INVITING) {
    history.replaceState(null, "", location.pathname); // A reload would make new links, and the others void.
    view.inviteAll();
  }
  app.on("RoomChanged", (change) => change.room === room && view.change(change));
  app.on("Offline", () => view.offerNothing());
  app.on("Reconnected", () => view.enterAgain());
  app.leave(() => app.ask({ kind: "Leave", room }).catch(() => {}));
}

const REST_MS = 500; // from the landing of one's own move to the answer, also where nothing is seen to move

class RoomView {
  /** @type {Change[]} */
  #waiting = []; // changes that have not been taken in yet
  /** @type {Map<number, HTMLElement>} */
  #invitations = new Map(); // seat: what shows its link
  /** @type {Promise<void> | null} */
  #landed = null; // kept when one has seen one's own last move
  wasDragged = false;
  /** @type {number | null} */
  asked = null; // the ply of the move that is on its way to the server
  /** @type {string | null | undefined} */
  nextRoom;

  /**
   * @param {App} app
   * @param {HTMLElement} root
   * @param {RoomState} state
   */
  constructor(app, root, state) {
    this.app = app;
    this.room = state.room;
    this.state = state;
    this.tree = new Tree(state);
    this.line = this.tree.line;
    const names = ["above", "board-home", "below", "status", "told", "tried", "offer", "ending", "invitation"];
    this.parts = homes(names, (name) => ({ class: name, "data-id": name }));
    this.board = new Board(app, this.parts["board-home"], {
      onMove: (move, how) => this.#onMove(move, how),
      onMiss: (clicks) => this.#onMiss(clicks),
    });
    this.back = button(t("room.back"), () => this.#showNow(), { class: "small", "data-id": "back-to-game" });
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
    this.#build(root);
    this.board.showGround(state.ground);
    this.board.flip(sitsAbove(state.ground, state.player_names, ownSeats(state.standing)));
    this.#placePlates();
    this.#showStanding(state.standing);
    this.explorer.showMoves();
    this.#showNow();
    app.keys({
      ...this.stepper.keys(),
      ...this.actions.keys(),
      Escape: ["keys.escape", () => this.board.takeBack() || this.board.arrows([])],
    });
  }

  get names() {
    return this.state.player_names.map((_, seat) => this.plates.nameOf(seat));
  }

  get can() {
    return this.state.standing.can;
  }

  /**
   * Take in what has changed. An answer to one's own move is not shown before one has seen that move land.
   *
   * @param {RoomChanged} change
   */
  async change(change) {
    this.#waiting.push({ ...change, received: performance.now() });
    if (this.#waiting.length > 1) return;
    while (this.#waiting.length) {
      const [next] = this.#waiting;
      if (next.plies.some(({ mover = -1 }) => !this.own.includes(mover))) await this.#landed;
      if (!this.app.isHere) return;
      if (next.version > this.state.version) await this.#take(next);
      this.#waiting.shift();
    }
  }

  /**
   * Take in a change; if something before it was missed, enter again.
   *
   * @param {Change} change
   */
  #take(change) {
    if (change.version !== this.state.version + 1) return this.enterAgain();
    const [wasAtEnd, wasOver] = [this.explorer.isMain && this.stepper.isAtEnd, this.line.now.is_over];
    const { since } = change;
    this.state = { ...this.state, version: change.version, standing: change.standing };
    if (change.now) this.line.now = change.now;
    if (since !== null) this.tree.replace(since, change.plies, this.line.now);
    const hasEnded = !wasOver && this.line.now.is_over;
    this.#showStanding(change.standing, change.received);
    if (hasEnded && !change.plies.length) this.#tellNews();
    if (since === null) return this.#restate();
    this.explorer.showMoves();
    if (change.plies.length) this.#tellNews();
    const { node } = this.explorer;
    if (!this.tree.has(node)) return this.#showNow(); // It hung on moves that were taken back.
    if (!this.explorer.isMain) return this.tree.isMain(node) ? this.explorer.jump(node) : this.#restate();
    const { shown } = this.stepper;
    if (!wasAtEnd && shown <= this.line.last) return this.stepper.show(shown);
    if (this.wasDragged) sound("tick"); // What was dragged lies there already.
    const isShown = shown >= since || shown >= this.line.last || this.wasDragged;
    const landed = isShown ? this.stepper.show(this.line.last) : this.stepper.follow();
    if (this.own.includes(change.plies.at(-1)?.mover ?? -1)) this.#landed = this.#rest(landed);
    this.wasDragged = false;
  }

  /**
   * Kept some time after one's own move has landed.
   *
   * @param {Promise<void> | void} landed
   */
  async #rest(landed) {
    await landed;
    await new Promise((done) => setTimeout(done, REST_MS));
  }

  /** The seats of the reader. */
  get own() {
    return ownSeats(this.state.standing);
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
    this.explorer.jump(this.tree.last);
  }

  /** @param {HTMLElement} root */
  #build(root) {
    const { app, state, parts } = this;
    const place = () => this.tree.placeOf(this.explorer.node);
    fill(
      root,
      el(
        "div",
        { class: "play room" },
        heading(state.title, [state.rules, " · ", rulesLink(app, state.place.game)], "quiet"),
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
          parts.invitation,
          controls(() => this.stepper),
          this.explorer.list.element,
          this.entry.element,
          this.actions.element,
          detailsLater("share", t("share.title"), async () => (await sharing()).sharePanel(app, place, this.room)),
        ),
      ),
    );
  }

  #placePlates() {
    this.plates.place(this.parts.above, this.parts.below, this.board.isFlipped, this.own[0]);
  }

  /** @param {Node} node */
  #onShow(node) {
    this.#showNode(node);
    setText(this.parts.told, node.ply.told);
    fill(this.parts.tried, !this.tree.isMain(node) && this.back);
    this.board.arrows([]);
  }

  /**
   * Show whose turn it is in a position, and whether it is one of the game.
   *
   * @param {Node} node
   */
  #showNode(node) {
    const isEnd = node === this.tree.last && this.line.now.is_over;
    this.plates.showPly(node.ply, isEnd || (node.now?.is_over ?? false));
    setText(this.parts.status, this.#statusOf(node, isEnd));
  }

  /** Show anew what depends on the standing, on a board that has not changed. */
  #restate() {
    if (this.board.isMoving) return;
    this.#showNode(this.explorer.node);
    if (!this.board.isChoosing || this.line.now.is_over) this.#offer();
  }

  /**
   * @param {Node} node
   * @param {boolean} isEnd
   */
  #statusOf(node, isEnd) {
    const { status } = node.ply;
    if (isEnd) return [this.#headline(), sentence(this.line.now.why, this.names)].filter(Boolean).join(" · ");
    if (!this.tree.isMain(node)) return t("room.tried", { status });
    if (node.depth < this.line.last) return t("room.past", { ply: node.depth, last: this.line.last });
    if (!this.can.includes("move")) return status;
    const isAlone = this.own.length === 1;
    return isAlone ? t("room.your_turn") : t("room.your_turn_as", { player: this.names[node.ply.to_move] });
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

  /** @param {Pick<Now, "paths" | "labels">} now */
  #offerMoves({ paths, labels }) {
    this.board.offer(paths, labels);
    this.entry.offer(paths);
  }

  /** Let nothing be played: it is not one's turn, or it would reach no server. */
  offerNothing() {
    this.#offerMoves({ paths: [], labels: {} });
  }

  /** @param {Standing} standing */
  #showStanding(standing, received = performance.now()) {
    const { app, parts } = this;
    this.plates.showStanding(standing, received);
    this.#dropInvitations();
    this.actions.show(standing);
    const { names, can } = this;
    refresh(parts.offer, [standing.offer, can.includes("claim"), can.includes("answer"), names], () =>
      this.actions.questions(standing, (seat) => names[seat]),
    );
    const { is_over: isOver } = this.line.now;
    const end = isOver && [this.line.now, this.line.last, names, standing.next_room, can.includes("rematch")];
    refresh(parts.ending, end, () => isOver && endPanel(app, this.state, this.line, names));
    app.title(standing.can.includes("move") ? t("room.title_turn", { game: this.state.title }) : this.state.title);
    const isNewRoom = this.nextRoom === null && standing.next_room !== null;
    this.nextRoom = standing.next_room;
    if (isNewRoom && ownSeats(standing).length) app.go(`/play/${standing.next_room}`);
  }

  #headline() {
    return headline(this.line.now.shares, this.names, this.state.standing);
  }

  /** Say what happened and whose turn it is, once. */
  #tellNews() {
    const ply = this.line.plies[this.line.last];
    const { is_over: isOver, why } = this.line.now;
    const end = isOver && `${sentence(this.#headline(), this.names)} ${sentence(why, this.names)}`;
    this.app.say([ply.told, end || ply.status].filter(Boolean).join(" "));
    if (isOver) sound("end");
    else if (this.can.includes("move")) sound("turn");
  }

  /**
   * Play a move, or try it out. Until it is on the board or refused, no other is offered, whatever news come meanwhile.
   *
   * @param {string} move
   * @param {How} how
   */
  async #onMove(move, { dragged = false } = {}) {
    const ply = this.line.last;
    const isPlayed = this.#isTurn;
    if (isPlayed) Object.assign(this, { wasDragged: dragged, asked: ply });
    const play = () => this.actions.ask({ kind: "PlayMove", room: this.room, ply, move });
    const done = await (isPlayed ? play() : this.explorer.try([move]));
    this.asked = null;
    if (!done) this.#offer();
  }

  /** Analyse the line on the board. */
  #analyse() {
    const { node } = this.explorer;
    const table = tableOf(this.names, this.own);
    this.app.go(`/analyse${queryOfNode(this.tree, node, table)}#${node.depth}`);
  }

  /**
   * Show a good move on the board. It is named where one reads the names of cells, and to those who listen.
   *
   * @param {ThoughtFacts} thought
   */
  #showHint({ move, clicks }) {
    const { app, board } = this;
    this.#showNow();
    board.hint(clicks);
    this.parts["board-home"].scrollIntoView({ block: "nearest" }); // The button may be far below a board on a phone.
    const named = t("room.hinted", { move });
    setText(this.parts.told, board.showsCoordinates ? named : this.#hintInSight(move));
    app.say(named);
  }

  /**
   * What to say of a good move that is marked on the board: the buttons of its clicks, if it has any.
   *
   * @param {string} move
   */
  #hintInSight(move) {
    const { paths, labels } = this.line.now;
    const clicks = paths.find((path) => path.move === move)?.clicks ?? [];
    const words = clicks.filter((click) => typeof click === "string").map((word) => labels[word] ?? word);
    return words.length ? t("room.hinted_here_by", { words: words.join(", ") }) : t("room.hinted_here");
  }

  /**
   * Say why clicks begin no move, also to those who listen.
   *
   * @param {Click[]} clicks
   */
  async #onMiss(clicks) {
    const reason = await this.explorer.whyNot(clicks);
    setText(this.parts.told, reason);
    this.app.say(reason);
  }

  /** Show a link for each seat that is kept for a guest. */
  inviteAll() {
    const { seats, can } = this.state.standing;
    for (const [seat, { is_taken: isTaken }] of seats.entries())
      if (!isTaken && can.includes("invite")) this.#invite(seat);
  }

  /**
   * Show the link to a seat. Another one would make it void, so it is asked for once.
   *
   * @param {number} seat
   */
  async #invite(seat) {
    const shown = this.#invitations.get(seat);
    if (shown) return shown.querySelector("input")?.focus();
    const home = el("div");
    this.#invitations.set(seat, home);
    const invited = await this.app.attempt({ kind: "Invite", room: this.room, seat });
    if (!invited) return void this.#invitations.delete(seat);
    fill(home, (await sharing()).invitation(this.app, invited, this.plates.nameOf(seat)));
    this.parts.invitation.append(home);
    this.#dropInvitations();
  }

  /** Whoever was invited has come: their link is of no use any more. */
  #dropInvitations() {
    const { seats } = this.state.standing;
    for (const [seat, home] of this.#invitations) if (seats[seat].is_taken) home.remove();
  }
}

/** @param {Standing} standing */
function ownSeats(standing) {
  return [...standing.seats.keys()].filter((seat) => standing.seats[seat].is_you);
}
