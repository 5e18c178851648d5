// @ts-check
// What one may do in a room beside moving: take back, be helped, offer, give up, answer. The server says what is
// allowed.

import { button, el, setText } from "./dom.js";
import { t } from "./words.js";

/**
 * @import { App } from "./app.js"
 * @import { Child } from "./dom.js"
 * @import { Keys } from "./keys.js"
 * @import { AnyRequest, Standing, ThoughtFacts } from "./protocol.d.ts"
 */

const SURE_MS = 4000; // how long "really resign?" waits for the second click

export class Actions {
  /** @type {string[]} */
  #can = [];

  /**
   * `ply()` is the last ply; `onHint(thought)` shows a good move, `onAnalyse()` goes to the analysis.
   *
   * @param {App} app
   * @param {string} room
   * @param {{ ply: () => number, onHint: (thought: ThoughtFacts) => unknown, onAnalyse: () => unknown }} listeners
   */
  constructor(app, room, { ply, onHint, onAnalyse }) {
    this.app = app;
    this.room = room;
    this.ply = ply;
    this.onHint = onHint;
    /** @type {(id: string, run: () => unknown) => HTMLButtonElement} */
    const make = (id, run) => button(t(`room.${id}`), run, { "data-id": id });
    this.buttons = {
      undo: make("undo", () => this.ask({ kind: "Undo", room })),
      hint: make("hint", () => this.#hint()),
      stop: make("stop", () => this.ask({ kind: "StopThinking", room })),
      draw: make("draw", () => this.ask({ kind: "OfferDraw", room })),
      resign: make("resign", () => this.#resign()),
      analyse: make("analyse", onAnalyse),
    };
    this.element = el("div", { class: "actions", "data-id": "actions" }, Object.values(this.buttons));
  }

  /**
   * Enable what may be done.
   *
   * @param {Standing} standing
   */
  show({ can }) {
    this.#can = can;
    for (const [what, made] of Object.entries(this.buttons)) made.disabled = !can.includes(what);
    if (!can.includes("resign")) this.#calm();
  }

  /**
   * What opponents ask, and whether the game can be claimed because they are gone, to be answered.
   *
   * @param {Standing} standing
   * @param {(seat: number) => string} nameOf
   */
  questions({ offer, can }, nameOf) {
    const { room } = this;
    /** @type {(text: string, ...answers: Child[]) => HTMLElement} */
    const box = (text, ...answers) =>
      el("div", { class: "box", role: "status" }, el("p", {}, text), el("div", { class: "row" }, answers));
    /** @type {(id: string, accept: boolean) => HTMLElement} */
    const answer = (id, accept) =>
      button(t(`room.${id}`), () => this.ask({ kind: "AnswerOffer", room, accept }), { "data-id": id });
    const answers = can.includes("answer") ? [answer("accept", true), answer("decline", false)] : [];
    const claim = () => button(t("room.claim"), () => this.ask({ kind: "Claim", room }), { "data-id": "claim" });
    return [
      offer && box(t(`room.offers_${offer.what}`, { player: nameOf(offer.seat) }), answers),
      can.includes("claim") && box(t("room.gone"), claim()),
    ];
  }

  /**
   * The keys for what one may do, for `app.keys`.
   *
   * @returns {Keys}
   */
  keys() {
    /** @type {(what: keyof typeof this.buttons) => () => unknown} */
    const press = (what) => () => this.#can.includes(what) && this.buttons[what].click();
    return {
      u: ["keys.undo", press("undo")],
      h: ["keys.hint", press("hint")],
      a: ["keys.analyse", press("analyse")],
    };
  }

  /**
   * Ask something of this room; false if it was refused, with a message.
   *
   * @param {AnyRequest} request
   */
  async ask(request) {
    try {
      await this.app.ask(request);
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
    if (resign.classList.contains("sure")) return void this.ask({ kind: "Resign", room: this.room });
    resign.classList.add("sure");
    setText(resign, t("room.really"));
    setTimeout(() => this.#calm(), SURE_MS);
  }

  #calm() {
    const { resign } = this.buttons;
    resign.classList.remove("sure");
    setText(resign, t("room.resign"));
  }
}
