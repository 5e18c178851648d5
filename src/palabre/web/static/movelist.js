// The moves of a game as a list, a round a line; a click jumps to the position after the move.

import { button, el, fill, keepInSight } from "./dom.js";
import { t } from "./words.js";

export class MoveList {
  #items = []; // for each ply but the first its button, and the ply

  /** `onJump(ply)` is told what was clicked. */
  constructor(onJump) {
    this.onJump = onJump;
    this.element = el("ol", { class: "moves", "aria-label": t("moves.label"), tabindex: 0 });
  }

  /** List the moves of a line; `names` are those of the players. Moves that are already listed stay as they are. */
  show({ plies }, names) {
    const moves = plies.slice(1);
    const changed = moves.findIndex((ply, at) => !isSame(ply, this.#items[at]?.ply));
    this.#shorten(changed < 0 ? moves.length : changed);
    for (const [at, { item }] of this.#items.entries()) item.title = titleOf(moves[at], names);
    for (const ply of moves.slice(this.#items.length)) this.#append(ply, names);
    if (moves.length === 0) fill(this.element, el("li", { class: "none" }, t("moves.none")));
  }

  /** Mark the ply that is on the board, and bring it into sight without moving the page. */
  mark(ply) {
    for (const [at, { item }] of this.#items.entries()) item.toggleAttribute("aria-current", at + 1 === ply);
    keepInSight(this.element, this.#items[ply - 1]?.item);
  }

  /** Take moves off the end of the list. */
  #shorten(length) {
    for (const { item } of this.#items.splice(length).toReversed()) {
      const round = item.parentNode;
      item.remove();
      if (!round.querySelector(".move")) round.remove();
    }
  }

  #append(ply, names) {
    const before = this.#items.at(-1)?.ply;
    const number = this.#items.length + 1;
    if (!before) fill(this.element);
    if (!before || ply.mover <= before.mover) this.element.append(this.#round(this.element.children.length + 1));
    const item = button(ply.move, () => this.onJump(number), {
      "data-ply": number,
      title: titleOf(ply, names),
      class: "move",
    });
    this.element.lastChild.append(item);
    this.#items.push({ item, ply });
  }

  #round(number) {
    return el("li", {}, el("span", { class: "round", "aria-hidden": "true" }, number));
  }
}

function isSame(ply, other) {
  return ply.move === other?.move && ply.mover === other.mover;
}

/** Who moved, and how long they thought. */
function titleOf({ mover, seconds }, names) {
  const isTimed = seconds !== null && seconds !== undefined;
  return `${names[mover] ?? ""}${isTimed ? `, ${t("moves.seconds", { seconds: Math.round(seconds * 10) / 10 })}` : ""}`;
}
