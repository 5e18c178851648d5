// Positions and games for the tests of the page's modules, as the server would tell them.

/** What stands in for the browser where modules look at it; what they see may be changed. */
export function pretendBrowser() {
  const browser = { media: { matches: false }, document: { hidden: false, documentElement: { dataset: {} } } };
  globalThis.document = browser.document;
  globalThis.matchMedia = () => browser.media;
  return browser;
}

/** A ply with a move by one of two players in turn; what it changes is [cell, markup, words]. */
export function ply(move, mover, contents = []) {
  return { contents, scores: [0, 0], counted: ["0", "0"], to_move: 1 - mover, status: `after ${move}`, move, mover };
}

/** What is told of a game of three cells in which these moves have been played in turn. */
export function game(...moves) {
  const first = ply(
    "",
    -1,
    [0, 1, 2].map((cell) => [cell, `<g>${cell}</g>`, `cell ${cell}`]),
  );
  return {
    place: { game: "sample", start: null, moves },
    ground: { cells: [{}, {}, {}] },
    plies: [first, ...moves.map((move, at) => ply(move, at % 2))],
    now: { paths: [], labels: {}, is_over: false, shares: null, why: "" },
  };
}
