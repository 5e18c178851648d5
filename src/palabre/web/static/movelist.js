// The moves of a game as a list, a round a line; a click jumps to the position after the move.

import { button, el, fill, keepInSight } from "./dom.js";
import { t } from "./words.js";

const MARKS = { inaccuracy: "?!", mistake: "?", blunder: "??" };

export class MoveList {
  #buttons = new Map(); // ply: button
  #line = null;
  #marks = new Map(); // ply: kind of mistake

  /** `onJump(ply)` is told what was clicked. */
  constructor(onJump) {
    this.onJump = onJump;
    this.element = el("ol", { class: "moves", "aria-label": t("moves.label"), tabindex: 0 });
  }

  /** List the moves of a line; `names` are those of the players. */
  show(line, names) {
    this.#line = line;
    this.#buttons.clear();
    const rounds = [];
    for (let ply = 1; ply <= line.last; ply++) {
      if (rounds.length === 0 || line.plies[ply].mover <= line.plies[ply - 1].mover) rounds.push([]);
      rounds.at(-1).push(this.#button(ply, names));
    }
    const empty = el("li", { class: "none" }, t("moves.none"));
    fill(
      this.element,
      rounds.length
        ? rounds.map((buttons, number) =>
            el("li", {}, el("span", { class: "round", "aria-hidden": "true" }, number + 1), buttons),
          )
        : empty,
    );
  }

  /** Mark the ply that is on the board, and bring it into sight without moving the page. */
  mark(ply) {
    for (const [number, item] of this.#buttons) item.toggleAttribute("aria-current", number === ply);
    keepInSight(this.element, this.#buttons.get(ply));
  }

  /** Mark mistakes: a map of ply to inaccuracy, mistake or blunder. */
  annotate(mistakes) {
    this.#marks = mistakes;
    for (const [ply, item] of this.#buttons) this.#label(item, ply);
  }

  #button(ply, names) {
    const { mover, seconds } = this.#line.plies[ply];
    const took =
      seconds === null || seconds === undefined
        ? ""
        : `, ${t("moves.seconds", { seconds: Math.round(seconds * 10) / 10 })}`;
    const made = button("", () => this.onJump(ply), {
      "data-ply": ply,
      title: `${names[mover] ?? ""}${took}`,
      class: "move",
    });
    this.#buttons.set(ply, made);
    this.#label(made, ply);
    return made;
  }

  #label(item, ply) {
    const mistake = this.#marks.get(ply);
    item.dataset.mistake = mistake ?? "";
    fill(
      item,
      this.#line.plies[ply].move,
      mistake && el("span", { class: "mistake", title: t(`review.${mistake}`) }, MARKS[mistake]),
    );
  }
}
