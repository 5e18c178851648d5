// @ts-check
// A game with variations: every position is a node. The game itself is one way through the tree, which other moves leave.

import { full, Line } from "./line.js";

/**
 * @import { FullPly, Shown } from "./line.js"
 * @import { Now, Place, Ply, ReviewedMove } from "./protocol.d.ts"
 */

/** A position of the tree, with the ply that shows it. */
export class Node {
  depth = 0; // moves since the first position
  /** @type {Node[]} */
  children = [];
  /** @type {Now | null} */
  now = null; // what can be done there, once it is known
  /** @type {ReviewedMove["mistake"]} */
  mistake = null;

  /**
   * @param {Node | null} parent
   * @param {FullPly} ply
   */
  constructor(parent, ply) {
    this.parent = parent;
    this.ply = ply;
    if (!parent) return;
    this.depth = parent.depth + 1;
    parent.children.push(this);
  }

  /**
   * The nodes from the first position to this one.
   *
   * @returns {Node[]}
   */
  get path() {
    return this.parent ? [...this.parent.path, this] : [this];
  }
}

export class Tree {
  /** @type {Node[]} */
  main = []; // the nodes of the game, by ply

  /**
   * From a `LineShown` or a `RoomState`. If it `grows`, moves tried at the end of the game become part of it.
   *
   * @param {Shown} shown
   */
  constructor(shown, { grows = false } = {}) {
    this.shown = shown;
    this.grows = grows;
    this.line = new Line(shown); // the game itself, for as long as the tree is there
    this.#follow(this.line.plies);
    if (grows) this.last.now = shown.now;
  }

  get root() {
    return this.main[0];
  }

  /** The last position of the game. */
  get last() {
    return this.main[this.main.length - 1];
  }

  /**
   * Whether the game itself came to a node.
   *
   * @param {Node} node
   */
  isMain(node) {
    return this.main[node.depth] === node;
  }

  /**
   * Whether a node is still there: what hangs on moves that were taken back is not.
   *
   * @param {Node} node
   * @returns {boolean}
   */
  has(node) {
    return node.parent ? node.parent.children.includes(node) && this.has(node.parent) : node === this.root;
  }

  /**
   * The end of the line that goes on from a node.
   *
   * @param {Node} node
   * @returns {Node}
   */
  leafOf(node) {
    if (this.isMain(node)) return this.last;
    return node.children.length ? this.leafOf(node.children[0]) : node;
  }

  /**
   * The moves that were tried in a node instead of the one that goes on from there.
   *
   * @param {Node} node
   */
  othersOf(node) {
    const next = this.isMain(node) ? this.main[node.depth + 1] : node.children[0];
    return node.children.filter((child) => child !== next);
  }

  /**
   * The line through a node, to the end of its branch.
   *
   * @param {Node} node
   */
  lineThrough(node) {
    const leaf = this.leafOf(node);
    if (this.isMain(leaf)) return this.line;
    return new Line({ ...this.shown, plies: leaf.path.map(({ ply }) => ply), now: /** @type {Now} */ (leaf.now) });
  }

  /**
   * The place of a node.
   *
   * @param {Node} node
   * @returns {Place}
   */
  placeOf(node) {
    return { ...this.shown.place, moves: node.path.slice(1).map(({ ply }) => ply.move) };
  }

  /**
   * The node after a move, or null if it has not been tried.
   *
   * @param {Node} node
   * @param {string} move
   */
  after(node, move) {
    return node.children.find(({ ply }) => ply.move === move) ?? null;
  }

  /**
   * A move that was tried: the last ply of a `LineShown`.
   *
   * @param {Node} node
   * @param {{ plies: Ply[], now: Now }} shown
   */
  add(node, { plies, now }) {
    const [ply] = plies.slice(-1);
    const isNext = this.grows && node === this.last;
    if (isNext) this.replace(this.main.length, [ply], now);
    return Object.assign(isNext ? this.last : new Node(node, full(ply)), { now });
  }

  /**
   * The game has gone on, or moves were taken back: its plies from number `since` on are these.
   *
   * @param {number} since
   * @param {Ply[]} plies
   * @param {Now} now
   */
  replace(since, plies, now) {
    this.line.replace(since, plies, now);
    const before = this.main.splice(since);
    this.#follow(this.line.plies.slice(since), before[0]?.parent ? null : before[0]);
    for (const node of before)
      if (node.parent && !this.isMain(node))
        node.parent.children = node.parent.children.filter((child) => child !== node);
  }

  /**
   * Let the game go on along plies, through nodes that are known or new.
   *
   * @param {FullPly[]} plies
   * @param {Node | null} root
   */
  #follow(plies, root = null) {
    for (const ply of plies) {
      const parent = this.last ?? null;
      const known = parent ? this.after(parent, ply.move) : root;
      this.main.push(known ? Object.assign(known, { ply }) : new Node(parent, ply));
    }
  }
}
