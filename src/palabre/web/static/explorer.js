// @ts-check
// Walks a board through a game and its variations: steps, jumps, and moves that are tried out. Rooms and analysis stand
// on it. Nothing that is tried out here changes a game.

import { MoveList } from "./movelist.js";
import { Stepper } from "./stepper.js";

/**
 * @import { App } from "./app.js"
 * @import { Board } from "./board.js"
 * @import { Click } from "./paths.js"
 * @import { Node, Tree } from "./tree.js"
 */

const CALM_MS = 150; // Somebody who steps through a game fast does not ask what can be played in every position.

export class Explorer {
  #asked = 0; // when it was last asked what can be played

  /**
   * `names()` are those of the players; `onShow(node)` is called when a position begins to be shown, `onRest()` when it
   * lies still.
   *
   * @param {App} app
   * @param {Board} board
   * @param {Tree} tree
   * @param {() => string[]} names
   * @param {{ onShow: (node: Node) => unknown, onRest: () => unknown, onFlip: () => unknown }} listeners
   */
  constructor(app, board, tree, names, { onShow, onRest, onFlip }) {
    this.app = app;
    this.tree = tree;
    this.names = names;
    this.node = tree.root;
    this.path = tree.main;
    this.list = new MoveList((node) => this.jump(node));
    this.stepper = new Stepper(board, tree.line, {
      onShow: (ply) => {
        this.node = this.path[ply];
        this.list.mark(this.node);
        onShow(this.node);
      },
      onRest,
      onFlip,
    });
    this.showMoves();
  }

  /** Whether the game itself is shown, and no variation. */
  get isMain() {
    return this.path === this.tree.main;
  }

  /** List the moves anew. */
  showMoves() {
    this.list.show(this.tree, this.names());
    this.list.mark(this.node);
  }

  /**
   * Show a node at once, on the line that goes on from it.
   *
   * @param {Node} node
   */
  jump(node) {
    this.#take(node);
    this.stepper.show(node.depth);
  }

  /**
   * Go along moves from here, through variations that are known or new; false if one of them is refused.
   *
   * @param {string[]} moves
   */
  async try(moves) {
    let node = this.node;
    for (const move of moves) {
      const next = this.tree.after(node, move) ?? (await this.#grow(node, move));
      if (!next) return false;
      node = next;
    }
    const isStep = moves.length === 1 && node.parent === this.node;
    this.#take(node);
    this.showMoves();
    if (!isStep) this.stepper.show(node.depth);
    else {
      this.stepper.shown = node.depth - 1;
      this.stepper.forward();
    }
    return true;
  }

  /** What can be played in the node on the board; null if that cannot be known, or another one is shown by then. */
  async moves() {
    const { node } = this;
    if (!node.now) {
      const wait = this.#asked + CALM_MS - performance.now();
      this.#asked = Math.max(this.#asked, performance.now());
      if (wait > 0) await new Promise((done) => setTimeout(done, wait));
      if (this.node !== node || !this.app.isHere) return null;
      const shown = await this.app.attempt({
        kind: "ShowLine",
        place: this.tree.placeOf(node),
        since: node.depth,
        names: this.names(),
      });
      node.now ??= shown?.now ?? null;
    }
    return this.node === node && this.app.isHere ? node.now : null;
  }

  /**
   * Why no move begins with these clicks on the board; nothing if another position is shown by then.
   *
   * @param {Click[]} clicks
   */
  async whyNot(clicks) {
    const { node } = this;
    const reason = await this.app.attempt({
      kind: "WhyNot",
      place: this.tree.placeOf(node),
      clicks,
      names: this.names(),
    });
    return reason && this.node === node ? reason.text : "";
  }

  /** @param {Node} node */
  #take(node) {
    this.path = this.tree.isMain(node) ? this.tree.main : this.tree.leafOf(node).path;
    this.stepper.line = this.tree.lineThrough(node);
  }

  /**
   * @param {Node} node
   * @param {string} move
   */
  async #grow(node, move) {
    const place = this.tree.placeOf(node);
    const shown = await this.app.attempt({
      kind: "ShowLine",
      place: { ...place, moves: [...place.moves, move] },
      since: node.depth + 1,
      names: this.names(),
    });
    return shown && this.tree.add(node, shown);
  }
}
