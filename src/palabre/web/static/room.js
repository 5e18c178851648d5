// A room: the board with its players, what one may do, and the moves so far. The server decides; this shows and asks.

import { Actions } from "./actions.js";
import { Board } from "./board.js";
import { el, fill, refresh, setText } from "./dom.js";
import { endPanel, headline } from "./ending.js";
import { MoveEntry } from "./entry.js";
import { Line } from "./line.js";
import { MoveList } from "./movelist.js";
import { queryOf } from "./place.js";
import { Plates } from "./plates.js";
import { invitation, sharePanel } from "./share.js";
import { end as endSound, tick, turn as turnSound } from "./sound.js";
import { Stepper } from "./stepper.js";

export async function roomView(app, root, { room }) {
  const state = await app.ask({ kind: "Enter", room });
  const view = new RoomView(app, root, state);
  app.on("RoomChanged", (change) => change.room === room && view.change(change));
  app.on("Reconnected", () => view.enterAgain());
  app.leave(() => app.ask({ kind: "Leave", room }).catch(() => {}));
}

class RoomView {
  constructor(app, root, state) {
    this.app = app;
    this.room = state.room;
    this.state = state;
    this.line = new Line(state);
    this.#build(root);
    this.stepper = new Stepper(this.board, this.line, {
      onShow: (ply) => this.#onShow(ply),
      onRest: () => this.#offer(),
      onFlip: () => this.#placePlates(),
    });
    this.board.showGround(state.ground);
    const own = ownSeats(state.standing);
    this.board.flip(own.length === 1 && own[0] !== state.ground.bottom && state.player_names.length === 2);
    this.#placePlates();
    this.parts.steps.replaceWith(this.stepper.controls());
    this.moves.show(this.line, this.names);
    this.#showStanding(state.standing);
    this.stepper.show(this.line.last);
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
    const [wasAtEnd, wasOver] = [this.stepper.isAtEnd, this.line.now.is_over];
    const { since } = change;
    this.state = { ...this.state, version: change.version, standing: change.standing };
    if (change.now) this.line.now = change.now;
    if (since !== null && since !== undefined) this.line.replace(since, change.plies, this.line.now);
    const hasEnded = !wasOver && this.line.now.is_over;
    this.#showStanding(change.standing);
    if (hasEnded && !change.plies?.length) this.#tellNews();
    if (since === null || since === undefined) return this.#restate();
    this.moves.show(this.line, this.names);
    if (change.plies.length) this.#tellNews();
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
    this.line.replace(0, state.plies, state.now);
    this.moves.show(this.line, this.names);
    this.#showStanding(state.standing);
    this.stepper.show(this.line.last);
  }

  #build(root) {
    const { app, state } = this;
    const names = ["above", "board-home", "below", "status", "told", "steps", "offer", "ending", "invitation"];
    this.parts = Object.fromEntries(names.map((name) => [name, el("div", { class: name, "data-id": name })]));
    const { parts } = this;
    this.board = new Board(app, parts["board-home"], { onMove: (move, how) => this.#play(move, how) });
    this.plates = new Plates(app, state);
    this.plates.onInvite = (seat) => this.#invite(seat);
    this.moves = new MoveList((ply) => this.stepper.show(ply));
    this.entry = new MoveEntry(app, (move) => this.#play(move));
    this.actions = new Actions(app, this.room, {
      ply: () => this.line.last,
      onHint: (thought) => this.#showHint(thought),
      onAnalyse: () => app.go(`/analyse${queryOf(this.line.place)}#${this.stepper.shown}`),
    });
    const place = () => this.line.placeAt(this.stepper.shown);
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
          el("div", { class: "words" }, parts.status, parts.told, this.board.wordBar),
        ),
        el(
          "div",
          { class: "side" },
          parts.ending,
          parts.offer,
          parts.steps,
          this.moves.element,
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

  #onShow(ply) {
    const { status, told } = this.line.plies[ply];
    const isEnd = ply === this.line.last && this.line.now.is_over;
    this.moves.mark(ply);
    this.plates.showPly(this.line.plies[ply], isEnd);
    setText(this.parts.status, this.#statusOf(ply, isEnd, status));
    setText(this.parts.told, told ?? "");
    this.board.arrows([]);
  }

  /** Show anew what depends on the standing, on a board that has not changed. */
  #restate() {
    if (this.board.isMoving) return;
    const isEnd = this.stepper.isLast && this.line.now.is_over;
    const ply = this.line.plies[this.stepper.shown];
    this.plates.showPly(ply, isEnd);
    setText(this.parts.status, this.#statusOf(this.stepper.shown, isEnd, ply.status));
    if (!this.board.isChoosing || isEnd) this.#offer();
  }

  #statusOf(ply, isEnd, status) {
    const { app } = this;
    if (isEnd) return [this.#headline(), this.line.now.why].filter(Boolean).join(" · ");
    if (ply < this.line.last) return app.t("room.past", { ply, last: this.line.last });
    return this.can.includes("move") ? app.t("room.your_turn", { status }) : status;
  }

  /** Offer what may be played, if the last position is shown and it is one's turn. */
  #offer() {
    const may = this.stepper.isLast && this.can.includes("move") && this.asked !== this.line.last;
    const { paths, labels } = may ? this.line.now : { paths: [], labels: {} };
    this.board.offer(paths, labels);
    this.entry.offer(paths);
    this.parts["board-home"].classList.toggle("your-turn", may);
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
    const end = isOver && `${this.#headline()}. ${why}`;
    this.app.say([ply.told, end || ply.status].filter(Boolean).join(" "));
    if (isOver) endSound();
    else if (this.can.includes("move")) turnSound();
  }

  /** Play a move. Until it is on the board or refused, no other is offered, whatever is told meanwhile. */
  async #play(move, { dragged = false } = {}) {
    const ply = this.line.last;
    this.wasDragged = dragged;
    this.asked = ply;
    const done = await this.actions.ask("PlayMove", { ply, move });
    this.asked = null;
    if (!done) this.#offer();
  }

  /** Show a good move. */
  #showHint({ move, clicks }) {
    const text = this.app.t("room.hinted", { move });
    this.stepper.show(this.line.last);
    this.board.arrows([clicks]);
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
