// @ts-check
// The review of a game: what each move cost, and a chance to find the better one before it is shown.

import { button, el, fill, setText } from "./dom.js";
import { MARKS } from "./movelist.js";
import { percent, t } from "./words.js";

/**
 * @import { App } from "./app.js"
 * @import { Place, ReviewedMove, ReviewGrew } from "./protocol.d.ts"
 */

const KINDS = { inaccuracy: "inaccuracies", mistake: "mistakes", blunder: "blunders" }; // with the texts that count them

export class Review {
  /** @type {number | null} */
  #asked = null;
  #isWanted = false;
  /** @type {ReviewedMove[]} */
  #moves = []; // by ply - 1
  /** @type {ReviewedMove | null} */
  #puzzle = null; // the move for which a better one is being looked for

  /**
   * `place()` is the game to review; `reader` is the seat of the reader, or null; `onDone(moves)` gets the
   * reviewed moves; `onPuzzle(ply)` that the position before a move is to be shown; `onAnswer(ply, line)` that the
   * better line is to be shown.
   *
   * @param {App} app
   * @param {string[]} names
   * @param {object} given
   * @param {() => Place} given.place
   * @param {number | null} given.reader
   * @param {(moves: ReviewedMove[]) => unknown} given.onDone
   * @param {(ply: number) => unknown} given.onPuzzle
   * @param {(ply: number, line: string[]) => unknown} given.onAnswer
   */
  constructor(app, names, given) {
    this.app = app;
    this.names = names;
    this.given = given;
    this.parts = {
      state: el("p", { role: "status" }),
      counts: el("ul", { class: "counts" }),
      puzzle: el("div", { class: "puzzle" }),
    };
    this.toggle = button(t("review.begin"), () => (this.#asked === null ? this.begin() : this.#stop()), {
      "data-id": "review",
    });
    this.element = el(
      "section",
      { class: "review" },
      el("div", { class: "row" }, this.toggle),
      this.parts.state,
      this.parts.counts,
    );
    app.on("ReviewGrew", (grown) => grown.ask === this.#asked && this.#grow(grown));
    app.on("Refusal", ({ ask, text }) => ask === this.#asked && this.#fail(text));
    app.leave(() => this.#stop());
  }

  /** Whether a review has been made, or is on its way. */
  get isWanted() {
    return this.#isWanted;
  }

  /** Ask for the review. */
  async begin() {
    this.#isWanted = true;
    setText(this.toggle, t("review.stop"));
    try {
      await this.app.ask({ kind: "Review", place: this.given.place() }, (asked) => (this.#asked = asked));
    } catch (error) {
      this.#fail(error.message);
    }
  }

  /**
   * What is to be said of the move that led to a ply.
   *
   * @param {number} ply
   */
  comment(ply) {
    const found = this.#moves[ply - 1];
    if (!found) return "";
    if (found.lost === 0) return t("review.best", { move: found.move });
    const cost = t("review.lost", { move: found.move, lost: percent(found.lost) });
    return found.mistake ? `${t(`review.${found.mistake}`)}. ${cost}` : cost;
  }

  /**
   * Show what is to be said of a ply; of a mistake, also a way to look for the better move.
   *
   * @param {number} ply
   */
  showPly(ply) {
    if (this.#puzzle) return;
    const isMistake = Boolean(this.#moves[ply - 1]?.mistake);
    const find = isMistake && button(t("review.find"), () => this.puzzle(ply), { "data-id": "find-better" });
    fill(this.parts.puzzle, el("p", {}, this.comment(ply)), find);
  }

  /** Give up looking for a better move: something else is looked at. */
  leavePuzzle() {
    this.#puzzle = null;
  }

  /**
   * Whether a better move is being looked for in this position; the engine must not give it away then.
   *
   * @param {number} ply
   */
  isPuzzle(ply) {
    return this.#puzzle !== null && this.#puzzle.ply - 1 === ply;
  }

  /**
   * Try a move as the better one: says whether it is.
   *
   * @param {string} move
   */
  attempt(move) {
    const isRight = move === this.#puzzle?.best;
    const text = t(isRight ? "review.better_yes" : "review.better_no", { move });
    this.#showPuzzle(text, isRight);
    this.app.say(text);
    if (isRight) this.#answer();
  }

  /**
   * Look for a better move than the one that led to a ply.
   *
   * @param {number} ply
   */
  puzzle(ply) {
    this.#puzzle = this.#moves[ply - 1];
    this.given.onPuzzle(ply - 1);
    this.#showPuzzle(`${this.comment(ply)} ${t("review.find_better")}`, false);
    this.app.say(t("review.find_better"));
  }

  /** @param {ReviewGrew} grown */
  #grow({ done, total, moves, preparing }) {
    const progress = preparing === null ? t("review.progress", { done, total }) : t("plate.preparing");
    if (!moves) return setText(this.parts.state, progress);
    this.#asked = null;
    this.#moves = moves;
    setText(this.toggle, t("review.begin"));
    setText(this.parts.state, moves.some(({ mistake }) => mistake) ? "" : t("review.none"));
    this.#showCounts();
    this.given.onDone(moves);
  }

  /** Count the mistakes of each player, those of the reader or else of the player who stands worst at the end first. */
  #showCounts() {
    const last = this.#moves.at(-1)?.chances_after ?? [];
    const first = this.given.reader ?? last.indexOf(Math.min(...last));
    const seats = [...this.names.keys()].toSorted((a, b) => Number(b === first) - Number(a === first));
    fill(
      this.parts.counts,
      seats.map((seat) => this.#countsOf(seat)),
    );
  }

  /**
   * What a player did wrong, with the signs that stand for it in the list of moves, and a way to the worst of it.
   *
   * @param {number} seat
   */
  #countsOf(seat) {
    const player = this.names[seat];
    const wrong = this.#moves.filter(({ mover, mistake }) => mover === seat && mistake);
    const counted = Object.entries(KINDS).map(([kind, id]) => {
      const count = wrong.filter(({ mistake }) => mistake === kind).length;
      return `${t(`review.${id}`, { count })} (${MARKS[/** @type {keyof typeof MARKS} */ (kind)]})`;
    });
    const [worst] = wrong.toSorted((a, b) => b.lost - a.lost);
    const find = () =>
      button(t("review.worst"), () => this.puzzle(worst.ply), {
        "data-id": `worst-${seat}`,
        "aria-label": t("review.worst_of", { player }),
      });
    return el("li", {}, t("review.counts", { player, counts: counted.join(", ") }), " ", worst && find());
  }

  /**
   * @param {string} text
   * @param {boolean} isSolved
   */
  #showPuzzle(text, isSolved) {
    fill(
      this.parts.puzzle,
      el("p", {}, text),
      !isSolved && button(t("review.show_answer"), () => this.#answer(), { "data-id": "answer" }),
    );
  }

  #answer() {
    if (!this.#puzzle) return;
    const { ply, best, line } = this.#puzzle;
    this.#puzzle = null;
    this.given.onAnswer(ply - 1, line.length ? line : [best]);
    this.app.say(t("review.answer", { move: best }));
    fill(this.parts.puzzle, el("p", {}, t("review.answer", { move: best })));
  }

  /** @param {string} text */
  #fail(text) {
    this.#isWanted = false;
    this.#asked = null;
    setText(this.toggle, t("review.begin"));
    setText(this.parts.state, text);
  }

  #stop() {
    this.#isWanted = this.#moves.length > 0;
    this.app.stop(this.#asked);
    this.#asked = null;
    setText(this.toggle, t("review.begin"));
    setText(this.parts.state, "");
  }
}
