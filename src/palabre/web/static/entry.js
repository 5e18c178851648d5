// @ts-check
// The field in which a move is typed. Letters that begin a move go there from anywhere on the page.

import { el, icon } from "./dom.js";
import { t } from "./words.js";

/**
 * @import { App } from "./app.js"
 * @import { ClickPath } from "./protocol.d.ts"
 */

export class MoveEntry {
  /** @type {string[]} */
  #moves = []; // the texts of the moves that may be played

  /**
   * `onMove(move)` is told what was typed, also if it is no legal move: the server says why it is not.
   *
   * @param {App} app
   * @param {(move: string) => unknown} onMove
   */
  constructor(app, onMove) {
    this.onMove = onMove;
    this.input = el("input", {
      type: "text",
      maxlength: 100,
      autocomplete: "off",
      autocapitalize: "off",
      spellcheck: "false",
      "data-id": "move-field",
      placeholder: t("entry.example"),
    });
    const send = el("button", { type: "submit", "aria-label": t("entry.play") }, icon("enter"));
    this.element = el(
      "form",
      { class: "entry", onsubmit: (/** @type {Event} */ event) => this.#enter(event) },
      el("label", {}, el("span", {}, t("entry.label")), this.input),
      send,
    );
    app.letters((letter) => this.#begin(letter));
    app.keys({ "/": ["keys.entry", () => this.input.focus()], m: ["keys.entry", () => this.input.focus()] });
  }

  /**
   * Offer the moves that may be played now.
   *
   * @param {ClickPath[]} paths
   */
  offer(paths) {
    this.#moves = [...new Set(paths.map((path) => path.move))];
    this.input.disabled = this.#moves.length === 0;
  }

  /**
   * Take a letter if it begins a move.
   *
   * @param {string} letter
   */
  #begin(letter) {
    if (!this.#moves.some((move) => move.toLowerCase().startsWith(letter.toLowerCase()))) return false;
    this.input.focus();
    this.input.value = letter;
    return true;
  }

  /** @param {Event} event */
  #enter(event) {
    event.preventDefault();
    const typed = this.input.value.trim();
    if (!typed) return;
    this.input.value = "";
    this.input.blur();
    const alike = this.#moves.filter((move) => move.toLowerCase() === typed.toLowerCase());
    this.onMove(this.#moves.includes(typed) || alike.length !== 1 ? typed : alike[0]);
  }
}
