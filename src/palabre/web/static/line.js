// A line of positions: what each cell of the board shows at each ply.
//
// The server sends the first position whole and of the others only the cells that change, so a position is made here by
// laying the changes on top of each other. Nothing here knows a game.

export class Line {
  #looks = []; // for each ply, for each cell: [markup, words]

  /** A `RoomState` or a `LineShown` that begins with the first position. */
  constructor(state) {
    this.place = state.place;
    this.ground = state.ground;
    this.plies = [];
    this.now = state.now;
    this.replace(0, state.plies, state.now);
  }

  /** The number of the last ply. */
  get last() {
    return this.plies.length - 1;
  }

  /** Replace all plies from number `since` on; `now` is what can be done in the last of them. */
  replace(since, plies, now) {
    this.plies.splice(since, Infinity, ...plies);
    this.#looks.length = Math.min(this.#looks.length, since);
    for (let ply = since; ply < this.plies.length; ply++) this.#looks.push(this.#laid(ply));
    this.place = { ...this.place, moves: this.plies.slice(1).map((ply) => ply.move) };
    this.now = now;
  }

  /** All cells at a ply, as [cell, markup, words]: what `Board.show` takes. */
  contents(ply) {
    return this.#looks[ply].map(([markup, words], cell) => [cell, markup, words]);
  }

  /** The place after so many moves. */
  placeAt(ply) {
    return { ...this.place, moves: this.place.moves.slice(0, ply) };
  }

  #laid(ply) {
    const looks = ply ? [...this.#looks[ply - 1]] : this.ground.cells.map(() => ["", ""]);
    for (const [cell, markup, words] of this.plies[ply].contents) looks[cell] = [markup, words];
    return looks;
  }
}
