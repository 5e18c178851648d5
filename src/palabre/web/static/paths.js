// @ts-check
// Moves entered click by click: the paths of a position as a tree, and how far the player has come in it.
//
// A click is the number of a cell or a word, which is shown as a button. No path is the beginning of another, so a path
// that has been clicked to its end is a move.

/**
 * @import { ClickPath } from "./protocol.d.ts"
 *
 * @typedef {number | string} Click
 */

export class Paths {
  #all;
  #open; // the paths that begin with the clicks so far; narrower after an ambiguous drop
  /** @type {Click[]} */
  clicks = [];

  /** @param {ClickPath[]} paths */
  constructor(paths = []) {
    this.#all = paths;
    this.#open = paths;
  }

  /** Whether there is anything to click at all. */
  get isEmpty() {
    return this.#all.length === 0;
  }

  /** What may be clicked next: cells and words. */
  get next() {
    return new Set(this.#open.map((path) => path.clicks[this.clicks.length]));
  }

  /**
   * Whether a path begins with this click.
   *
   * @param {Click} click
   */
  isFirst(click) {
    return this.#all.some((path) => path.clicks[0] === click);
  }

  /** Whether the next click decides between the moves of an ambiguous drop. */
  get isNarrowed() {
    return this.clicks.length > 0 && this.#open.length < this.#from(this.clicks[0]).length;
  }

  /**
   * Whether a click would enter nothing: it does not go on, takes nothing back, and no path begins with it.
   *
   * @param {Click} click
   */
  misses(click) {
    return !this.isEmpty && !this.next.has(click) && this.clicks.at(-1) !== click && !this.isFirst(click);
  }

  /**
   * Click a cell or a word: returns the move that is now complete, or null.
   *
   * The last click again takes it back. A click that does not go on begins anew if a path begins with it, and gives up
   * the path otherwise.
   *
   * @param {Click} click
   */
  click(click) {
    if (this.next.has(click)) return this.#advance(click);
    const isBack = this.clicks.at(-1) === click;
    if (isBack) this.back();
    else this.reset();
    return !isBack && this.isFirst(click) ? this.#advance(click) : null;
  }

  /** Take back the last click; false if there is none. */
  back() {
    if (this.clicks.length === 0) return false;
    this.#goTo(this.clicks.slice(0, -1));
    return true;
  }

  /** Take back all clicks. */
  reset() {
    this.#goTo([]);
  }

  /**
   * Where something dragged from a cell may be dropped.
   *
   * @param {Click} origin
   * @returns {Set<number>}
   */
  drops(origin) {
    const cells = new Set();
    for (const path of this.#from(origin))
      for (const click of path.clicks.slice(1)) if (typeof click === "number") cells.add(click);
    return cells;
  }

  /**
   * Drag from one cell to another: returns the move that this is, or null.
   *
   * It is the path of two clicks if there is one; otherwise the only path from here that ends there (a line of marbles
   * pushed by its end). If several do, only these stay open and the next click decides between them. Short of an end,
   * the drag goes on in its direction: it is the only move from here to a cell straight on, as `isBeyond(cell)` says
   * (a marble dragged onto the next one of its line). If there is none, or several, the drop is a click.
   *
   * @param {number} origin
   * @param {number} target
   * @param {(click: Click) => boolean} isBeyond
   */
  drag(origin, target, isBeyond = () => false) {
    this.reset();
    const paths = this.#from(origin);
    const exact = paths.find((path) => path.clicks.length === 2 && path.clicks[1] === target);
    if (exact) return exact.move;
    this.#advance(origin);
    const isClick = this.next.has(target);
    const ending = isClick ? [] : paths.filter((path) => path.clicks.at(-1) === target);
    const straight = new Set(paths.filter(({ clicks }) => isBeyond(clicks[clicks.length - 1])).map(({ move }) => move));
    if (ending.length === 0 && straight.size === 1) return [...straight][0];
    if (isClick) return this.#advance(target);
    if (ending.length === 1) return ending[0].move;
    if (ending.length > 1) this.#open = ending;
    return null;
  }

  /** @param {Click} origin */
  #from(origin) {
    return this.#all.filter((path) => path.clicks[0] === origin);
  }

  /** @param {Click} click */
  #advance(click) {
    this.#open = this.#open.filter((path) => path.clicks[this.clicks.length] === click);
    this.clicks = [...this.clicks, click];
    const done = this.#open.find((path) => path.clicks.length === this.clicks.length);
    return done ? done.move : null;
  }

  /** @param {Click[]} clicks */
  #goTo(clicks) {
    this.clicks = clicks;
    this.#open = this.#all.filter((path) => clicks.every((click, at) => path.clicks[at] === click));
  }
}
