// A game with variations: every position is a node. The game itself is one way through the tree, which other moves leave.

import { Line } from "./line.js";

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
}

export class Tree {
  /** From a `LineShown` or a `RoomState`. If it `grows`, moves tried at the end of the game become part of it. */
  constructor(shown, { grows = false } = {}) {
    this.shown = shown;
    this.grows = grows;
    this.line = new Line(shown); // the game itself, for as long as the tree is there
    this.main = []; // the nodes of the game, by ply
    this.#follow(shown.plies);
    if (grows) this.main.at(-1).now = shown.now;
  }

  get root() {
    return this.main[0];
  }

  /** Whether the game itself came to a node. */
  isMain(node) {
    return this.main[node.depth] === node;
  }

  /** Whether a node is still there: what hangs on moves that were taken back is not. */
  has(node) {
    return node.parent ? node.parent.children.includes(node) && this.has(node.parent) : node === this.root;
  }

  /** The end of the line that goes on from a node. */
  leafOf(node) {
    if (this.isMain(node)) return this.main.at(-1);
    return node.children.length ? this.leafOf(node.children[0]) : node;
  }

  /** The moves that were tried in a node instead of the one that goes on from there. */
  othersOf(node) {
    const next = this.isMain(node) ? this.main[node.depth + 1] : node.children[0];
    return node.children.filter((child) => child !== next);
  }

  /** The line through a node, to the end of its branch. */
  lineThrough(node) {
    const leaf = this.leafOf(node);
    if (this.isMain(leaf)) return this.line;
    return new Line({ ...this.shown, plies: leaf.path.map(({ ply }) => ply), now: leaf.now });
  }

  /** The place of a node. */
  placeOf(node) {
    return { ...this.shown.place, moves: node.path.slice(1).map(({ ply }) => ply.move) };
  }

  /** The node after a move, or null if it has not been tried. */
  after(node, move) {
    return node.children.find(({ ply }) => ply.move === move) ?? null;
  }

  /** A move that was tried: the last ply of a `LineShown`. */
  add(node, shown) {
    if (this.grows && node === this.main.at(-1)) {
      this.replace(this.main.length, shown.plies.slice(-1), shown.now);
      return Object.assign(this.main.at(-1), { now: shown.now });
    }
    return Object.assign(new Node(node, shown.plies.at(-1)), { now: shown.now });
  }

  /** The game has gone on, or moves were taken back: its plies from number `since` on are these. */
  replace(since, plies, now) {
    this.line.replace(since, plies, now);
    const before = this.main.splice(since);
    this.#follow(plies, before[0]?.parent ? null : before[0]);
    for (const node of before)
      if (!this.isMain(node)) node.parent.children = node.parent.children.filter((child) => child !== node);
  }

  /** Let the game go on along plies, through nodes that are known or new. */
  #follow(plies, root = null) {
    for (const ply of plies) {
      const parent = this.main.at(-1) ?? null;
      const known = parent ? this.after(parent, ply.move) : root;
      this.main.push(known ? Object.assign(known, { ply }) : new Node(parent, ply));
    }
  }
}
