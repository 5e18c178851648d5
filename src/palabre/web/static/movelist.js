// The moves of a game as a list, a round a line, with what was tried out set in below; a click jumps to a position.

import { button, el, fill, keepInSight } from "./dom.js";
import { number, t } from "./words.js";

/** The signs of mistakes, as chess books print them. */
export const MARKS = { inaccuracy: "?!", mistake: "?", blunder: "??" };

export class MoveList {
  #buttons = new Map(); // node: button
  #names = [];

  /** `onJump(node)` is told what was clicked. */
  constructor(onJump) {
    this.onJump = onJump;
    this.element = el("ol", { class: "moves", "aria-label": t("moves.label"), tabindex: 0 });
  }

  /** List the moves of a tree; `names` are those of the players. */
  show(tree, names) {
    this.#names = names;
    this.#buttons.clear();
    const rounds = [];
    for (const node of tree.main.slice(1)) {
      if (rounds.length === 0 || node.ply.mover <= node.parent.ply.mover) rounds.push({ moves: [], variations: [] });
      rounds.at(-1).moves.push(this.#button(node));
      rounds.at(-1).variations.push(this.#variations(tree, node.parent));
    }
    const last = rounds.at(-1)?.variations ?? [];
    last.push(this.#variations(tree, tree.main.at(-1))); // What was tried after the end.
    fill(this.element, rounds.length ? rounds.map(roundItem) : el("li", { class: "none" }, [last, t("moves.none")]));
  }

  /** Mark the node that is on the board, and bring it into sight without moving the page. */
  mark(node) {
    for (const [known, item] of this.#buttons) item.toggleAttribute("aria-current", known === node);
    keepInSight(this.element, this.#buttons.get(node));
  }

  /** What was tried in a node instead of the move that goes on, each with all that follows. */
  #variations(tree, node) {
    return tree.othersOf(node).map((other) => el("div", { class: "variation" }, this.#branch(tree, other)));
  }

  /** A move that was tried, what followed it, and what was tried there instead. */
  #branch(tree, first) {
    const parts = [];
    for (let node = first; node; node = node.children[0])
      parts.push(
        el("span", { class: "number" }, node.depth),
        this.#button(node),
        node === first ? null : this.#variations(tree, node.parent),
      );
    return parts;
  }

  #button(node) {
    const { mistake, ply, depth } = node;
    const took =
      ply.seconds === null || ply.seconds === undefined
        ? ""
        : `, ${t("moves.seconds", { seconds: number(ply.seconds, 1) })}`;
    const made = button("", () => this.onJump(node), {
      "data-ply": depth,
      "data-mistake": mistake ?? "",
      title: `${this.#names[ply.mover] ?? ""}${took}`,
      class: "move",
    });
    fill(made, ply.move, mistake && el("span", { class: "mistake", title: t(`review.${mistake}`) }, MARKS[mistake]));
    this.#buttons.set(node, made);
    return made;
  }
}

function roundItem({ moves, variations }, at) {
  return el("li", {}, el("span", { class: "round", "aria-hidden": "true" }, at + 1), moves, variations);
}
