// What one may do in a room beside moving: take back, be helped, offer, give up, answer. The server says what is
// allowed.

import { button, el, setText } from "./dom.js";

const SURE_MS = 4000; // how long "really resign?" waits for the second click

export class Actions {
  #can = [];

  /** `ply()` is the last ply; `onHint(thought)` shows a good move, `onAnalyse()` goes to the analysis. */
  constructor(app, room, { ply, onHint, onAnalyse }) {
    Object.assign(this, { app, room, ply, onHint });
    const make = (id, run) => button(app.t(`room.${id}`), run, { "data-id": id });
    this.buttons = {
      undo: make("undo", () => this.ask("Undo")),
      hint: make("hint", () => this.#hint()),
      stop: make("stop", () => this.ask("StopThinking")),
      draw: make("draw", () => this.ask("OfferDraw")),
      resign: make("resign", () => this.#resign()),
      analyse: make("analyse", onAnalyse),
    };
    this.element = el("div", { class: "actions", "data-id": "actions" }, Object.values(this.buttons));
  }

  /** Enable what may be done. */
  show({ can }) {
    this.#can = can;
    for (const [what, made] of Object.entries(this.buttons)) made.disabled = !can.includes(what);
    if (!can.includes("resign")) this.#calm();
  }

  /** What opponents ask, and whether the game can be claimed because they are gone, to be answered. */
  questions({ offer, can }, nameOf) {
    const { app } = this;
    const box = (text, ...answers) =>
      el("div", { class: "box", role: "status" }, el("p", {}, text), el("div", { class: "row" }, answers));
    const answer = (id, accept) =>
      button(app.t(`room.${id}`), () => this.ask("AnswerOffer", { accept }), { "data-id": id });
    const answers = can.includes("answer") ? [answer("accept", true), answer("decline", false)] : [];
    const claim = () => button(app.t("room.claim"), () => this.ask("Claim"), { "data-id": "claim" });
    return [
      offer && box(app.t(`room.offers_${offer.what}`, { player: nameOf(offer.seat) }), answers),
      can.includes("claim") && box(app.t("room.gone"), claim()),
    ];
  }

  /** The keys for what one may do, for `app.keys`. */
  keys() {
    const press = (what) => () => this.#can.includes(what) && this.buttons[what].click();
    return {
      u: ["keys.undo", press("undo")],
      h: ["keys.hint", press("hint")],
      a: ["keys.analyse", press("analyse")],
    };
  }

  /** Ask something of this room; false if it was refused, which is told. */
  async ask(kind, fields = {}) {
    try {
      await this.app.ask({ kind, room: this.room, ...fields });
      return true;
    } catch (error) {
      this.app.warn(error);
      return false;
    }
  }

  async #hint() {
    const { hint } = this.buttons;
    const asked = this.ply();
    hint.classList.add("busy");
    const hinted = await this.app.attempt({ kind: "Hint", room: this.room });
    hint.classList.remove("busy");
    if (hinted && this.ply() === asked) this.onHint(hinted.thought);
  }

  /** Giving up takes two clicks. */
  #resign() {
    const { resign } = this.buttons;
    if (resign.classList.contains("sure")) return void this.ask("Resign");
    resign.classList.add("sure");
    setText(resign, this.app.t("room.really"));
    setTimeout(() => this.#calm(), SURE_MS);
  }

  #calm() {
    const { resign } = this.buttons;
    resign.classList.remove("sure");
    setText(resign, this.app.t("room.resign"));
  }
}
