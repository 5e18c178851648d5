// A game with variations: every position is a node, the moves of the game are the first children.

import { button, el, fill, keepInSight } from "./dom.js";
import { Line } from "./line.js";
import { t } from "./words.js";

const MARKS = { inaccuracy: "?!", mistake: "?", blunder: "??" };

/** A position of the tree, with the ply that shows it. `now` is what can be done there, once it is known. */
class Node {
  constructor(parent, ply) {
    this.parent = parent;
    this.ply = ply;
    this.depth = parent ? parent.depth + 1 : 0;
    this.children = [];
    this.now = null;
    this.mistake = null;
    parent?.children.push(this);
  }

  /** The nodes from the first position to this one. */
  get path() {
    return this.parent ? [...this.parent.path, this] : [this];
  }

  /** The end of the line that goes on from here. */
  get leaf() {
    return this.children.length ? this.children[0].leaf : this;
  }

  /** Whether the game itself came here. */
  get isMain() {
    return !this.parent || (this.parent.isMain && this.parent.children[0] === this);
  }
}

export class Tree {
  /** From a `LineShown`. */
  constructor(shown) {
    this.shown = shown;
    this.root = shown.plies.reduce((parent, ply) => new Node(parent, ply), null).path[0];
    this.root.leaf.now = shown.now;
  }

  /** The line through a node, to the end of its branch. */
  lineThrough(node) {
    const nodes = node.leaf.path;
    return new Line({ ...this.shown, plies: nodes.map(({ ply }) => ply), now: node.leaf.now });
  }

  /** The place of a node. */
  placeOf(node) {
    return { ...this.shown.place, moves: node.path.slice(1).map(({ ply }) => ply.move) };
  }

  /** The node after a move, or null if it has not been tried. */
  after(node, move) {
    return node.children.find(({ ply }) => ply.move === move) ?? null;
  }

  /** A new variation: the last ply of a `LineShown`. */
  add(node, shown) {
    const made = new Node(node, shown.plies.at(-1));
    made.now = shown.now;
    return made;
  }
}

/** The tree as a list of moves: the game, and after a move its alternatives, set in. */
export class TreeList {
  #buttons = new Map(); // node: button

  /** `onJump(node)` is told what was clicked. */
  constructor(onJump) {
    this.onJump = onJump;
    this.element = el("div", { class: "moves tree", role: "group", "aria-label": t("moves.label"), tabindex: 0 });
  }

  show(tree) {
    this.#buttons.clear();
    const moves = this.#line(tree.root);
    fill(this.element, moves.length ? moves : el("span", { class: "none" }, t("moves.none")));
  }

  /** Mark the node on the board, and bring it into sight without moving the page. */
  mark(node) {
    for (const [known, item] of this.#buttons) item.toggleAttribute("aria-current", known === node);
    keepInSight(this.element, this.#buttons.get(node));
  }

  /** The moves after a node: the first child goes on, the others are set in behind it. */
  #line(node) {
    const parts = [];
    for (let at = node; at.children.length; at = at.children[0]) {
      const [main, ...others] = at.children;
      parts.push(this.#button(main));
      for (const other of others) parts.push(el("div", { class: "variation" }, this.#button(other), this.#line(other)));
    }
    return parts;
  }

  #button(node) {
    const { mistake, ply, depth } = node;
    const mark = mistake && el("span", { class: "mistake", title: t(`review.${mistake}`) }, MARKS[mistake]);
    const made = button("", () => this.onJump(node), { class: "move", "data-ply": depth, "data-mistake": mistake });
    fill(made, el("span", { class: "number" }, depth), ply.move, mark);
    this.#buttons.set(node, made);
    return made;
  }
}
