// @ts-check
// A line of positions: what each cell of the board shows at each ply.
//
// The server sends the first position whole and of the others only the cells that change, so a position is made here by
// laying the changes on top of each other. Nothing here knows a game.

/**
 * @import { Ground, Now, Place, Ply } from "./protocol.d.ts"
 *
 * @typedef {Required<Ply>} FullPly
 *
 * @typedef {{ place: Place, ground: Ground, plies: Ply[], now: Now }} Shown
 */

// What the server leaves out of a ply where it is nothing else.
const USUAL = { move: "", mover: -1, told: "", steps: [], origins: [], targets: [], seconds: null };

/**
 * A ply with all of its fields.
 *
 * @param {Ply} ply
 * @returns {FullPly}
 */
export function full(ply) {
  return { ...USUAL, ...ply };
}

export class Line {
  /** @type {[markup: string, words: string][][]} */
  #looks = []; // for each ply, for each cell
  /** @type {FullPly[]} */
  plies = [];

  /**
   * A `RoomState` or a `LineShown` that begins with the first position.
   *
   * @param {Shown} state
   */
  constructor(state) {
    this.place = state.place;
    this.ground = state.ground;
    this.now = state.now;
    this.replace(0, state.plies, state.now);
  }

  /** The number of the last ply. */
  get last() {
    return this.plies.length - 1;
  }

  /**
   * Replace all plies from number `since` on; `now` is what can be done in the last of them.
   *
   * @param {number} since
   * @param {Ply[]} plies
   * @param {Now} now
   */
  replace(since, plies, now) {
    this.plies.splice(since, Infinity, ...plies.map(full));
    this.#looks.length = Math.min(this.#looks.length, since);
    for (let ply = since; ply < this.plies.length; ply++) this.#looks.push(this.#laid(ply));
    this.place = { ...this.place, moves: this.plies.slice(1).map((ply) => ply.move) };
    this.now = now;
  }

  /**
   * All cells at a ply, as [cell, markup, words]: what `Board.show` takes.
   *
   * @param {number} ply
   * @returns {Ply["contents"]}
   */
  contents(ply) {
    return this.#looks[ply].map(([markup, words], cell) => [cell, markup, words]);
  }

  /** @param {number} ply */
  #laid(ply) {
    /** @type {[markup: string, words: string][]} */
    const looks = ply ? [...this.#looks[ply - 1]] : this.ground.cells.map(() => ["", ""]);
    for (const [cell, markup, words] of this.plies[ply].contents) looks[cell] = [markup, words];
    return looks;
  }
}
