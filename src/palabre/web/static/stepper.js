// Walks a board along a line: one step with its motion, or a jump. Play, analysis and replays all stand on it.

import { button, el, icon } from "./dom.js";
import { tick } from "./sound.js";
import { t } from "./words.js";

const MOST_BEHIND = 3; // Further behind than this, moves are shown without their motion.

export class Stepper {
  #isFollowing = false;
  shown = 0;

  /** `onShow(ply)` is told when a ply begins to be shown, `onRest(ply)` when it lies still, `onFlip()` of a turn. */
  constructor(board, line, { onShow = () => {}, onRest = () => {}, onFlip = () => {} } = {}) {
    Object.assign(this, { board, onShow, onRest, onFlip });
    this.setLine(line);
  }

  /** Walk along another line of the same game from now on; `show` is the caller's next word. */
  setLine(line) {
    this.line = line;
  }

  get isLast() {
    return this.shown >= this.line.last;
  }

  /** Whether the last ply is shown, or walked to: whoever is here wants to see what comes next. */
  get isAtEnd() {
    return this.isLast || this.#isFollowing;
  }

  /** Show a ply at once. */
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
    if (!(await this.board.animate(this.line.plies[ply], tick))) return false;
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

  /** The keys for stepping, for `app.keys`. */
  keys() {
    return {
      ArrowLeft: ["keys.back", () => this.back()],
      ArrowRight: ["keys.next", () => this.forward()],
      Home: ["keys.first", () => this.show(0)],
      End: ["keys.last", () => this.show(this.line.last)],
      f: ["keys.flip", () => this.flip()],
    };
  }

  /** The buttons for stepping. */
  controls() {
    const make = (name, run) =>
      button(icon(name), run, { "aria-label": t(`keys.${name}`), title: t(`keys.${name}`), "data-id": name });
    return el(
      "div",
      { class: "steps", role: "group", "aria-label": t("steps.label") },
      make("first", () => this.show(0)),
      make("back", () => this.back()),
      make("next", () => this.forward()),
      make("last", () => this.show(this.line.last)),
      make("flip", () => this.flip()),
    );
  }
}
