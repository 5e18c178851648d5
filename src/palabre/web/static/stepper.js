// @ts-check
// Walks a board along a line: one step with its motion, or a jump. Play, analysis and replays all stand on it.

import { button, el, icon } from "./dom.js";
import { sound } from "./settings.js";
import { t } from "./words.js";

/**
 * @import { Board } from "./board.js"
 * @import { Keys } from "./keys.js"
 * @import { Line } from "./line.js"
 */

const MOST_BEHIND = 3; // Further behind than this, moves are shown without their motion.

export class Stepper {
  #isFollowing = false;
  shown = 0;

  /**
   * `onShow(ply)` is called when a ply begins to be shown, `onRest(ply)` when it lies still, `onFlip()` of a turn. The
   * line may become another one of the same game; `show` is the caller's next word then.
   *
   * @param {Board} board
   * @param {Line} line
   * @param {{ onShow?: (ply: number) => unknown, onRest?: (ply: number) => unknown, onFlip?: () => unknown }} listeners
   */
  constructor(board, line, { onShow = () => {}, onRest = () => {}, onFlip = () => {} } = {}) {
    this.board = board;
    this.line = line;
    this.onShow = onShow;
    this.onRest = onRest;
    this.onFlip = onFlip;
  }

  get isLast() {
    return this.shown >= this.line.last;
  }

  /** Whether the last ply is shown, or walked to: the reader wants to see what comes next. */
  get isAtEnd() {
    return this.isLast || this.#isFollowing;
  }

  /**
   * Show a ply at once.
   *
   * @param {number} ply
   */
  show(ply) {
    this.shown = Math.max(0, Math.min(ply, this.line.last));
    this.onShow(this.shown);
    this.board.show(this.line.contents(this.shown), this.line.plies[this.shown]);
    this.onRest(this.shown);
  }

  /** The next ply, with its motion; false if something else was shown meanwhile. */
  async forward() {
    if (this.isLast) return true;
    const ply = ++this.shown;
    this.board.show(this.line.contents(ply - 1));
    this.onShow(ply);
    if (!(await this.board.animate(this.line.plies[ply], () => sound("tick")))) return false;
    this.onRest(ply);
    return true;
  }

  /** Walk to the end of the line, with the motion of the last moves. */
  async follow() {
    if (this.#isFollowing) return;
    this.#isFollowing = true;
    while (!this.isLast) {
      if (this.line.last - this.shown > MOST_BEHIND) this.show(this.line.last - 1);
      if (!(await this.forward())) break;
    }
    this.#isFollowing = false;
  }

  back() {
    this.show(this.shown - 1);
  }

  flip() {
    this.board.flip();
    this.onFlip();
  }

  /**
   * The keys for stepping, for `app.keys`.
   *
   * @returns {Keys}
   */
  keys() {
    return {
      ArrowLeft: ["keys.back", () => this.back()],
      ArrowRight: ["keys.next", () => this.forward()],
      Home: ["keys.first", () => this.show(0)],
      End: ["keys.last", () => this.show(this.line.last)],
      f: ["keys.flip", () => this.flip()],
    };
  }
}

/**
 * The buttons for stepping, with the stepper that `stepper()` gives by then.
 *
 * @param {() => Stepper} stepper
 */
export function controls(stepper) {
  /** @type {(name: "first" | "back" | "next" | "last" | "flip", run: () => unknown) => HTMLElement} */
  const make = (name, run) =>
    button(icon(name), run, { "aria-label": t(`keys.${name}`), title: t(`keys.${name}`), "data-id": name });
  return el(
    "div",
    { class: "steps", role: "group", "aria-label": t("steps.label") },
    make("first", () => stepper().show(0)),
    make("back", () => stepper().back()),
    make("next", () => stepper().forward()),
    make("last", () => stepper().show(stepper().line.last)),
    make("flip", () => stepper().flip()),
  );
}
