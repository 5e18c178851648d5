// @ts-check
// Winning chances as pictures: a bar with one part for each player, and a graph along the game.

import { el, fill, svg } from "./dom.js";
import { percent, t } from "./words.js";

/** @import { Ground, ReviewedMove } from "./protocol.d.ts" */

const WIDTH = 400;
const HEIGHT = 110;
const NARROW = 0.12; // A part of the bar that is narrower has no room for its number.

/** A bar of the shares of all players, which keeps its place while nothing is known. */
export class ChanceBar {
  /**
   * @param {Ground} ground
   * @param {string[]} names
   */
  constructor(ground, names) {
    this.names = names;
    this.parts = ground.colours.map((colour) => {
      const part = el("span", { class: "part" });
      part.style.background = `var(--p-${colour})`;
      part.style.color = `var(--p-${colour}-ink)`;
      return part;
    });
    this.element = el("div", { class: "chance-bar", role: "img" }, this.parts);
    this.show(null);
  }

  /**
   * Show the shares of the players, the one at the bottom of the board first; null if nothing is known.
   *
   * @param {number[] | null} shares
   */
  show(shares) {
    const known = shares ?? this.parts.map(() => 1 / this.parts.length);
    this.element.classList.toggle("unknown", !shares);
    for (const [player, part] of this.parts.entries()) {
      part.style.flexGrow = String(Math.max(known[player], 0.001));
      part.textContent = shares && known[player] >= NARROW ? percent(known[player]) : "";
    }
    const text = shares
      ? this.names.map((player, seat) => t("analyse.bar_of", { player, chance: percent(known[seat]) })).join(", ")
      : "–";
    this.element.setAttribute("aria-label", `${t("analyse.bar")}: ${text}`);
  }
}

/** A graph of the winning chances at each ply, with the mistakes marked; a click jumps. */
export class ChanceGraph {
  #cursor = svg("line", { class: "cursor", y1: 0, y2: HEIGHT });
  #last = 1;

  /**
   * @param {Ground} ground
   * @param {(ply: number) => unknown} onJump
   */
  constructor(ground, onJump) {
    this.ground = ground;
    this.element = svg("svg", {
      class: "graph",
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      preserveAspectRatio: "none",
      role: "img",
      "aria-label": t("analyse.graph"),
    });
    this.element.addEventListener("click", (event) => {
      const box = this.element.getBoundingClientRect();
      onJump(Math.round(((event.clientX - box.left) / box.width) * this.#last));
    });
  }

  /**
   * Draw `chances`, those of each player at each ply, and dots at the mistakes among the moves.
   *
   * @param {number[][]} chances
   * @param {ReviewedMove[]} moves
   */
  show(chances, moves) {
    this.#last = Math.max(1, chances.length - 1);
    const players = chances[0]?.length === 2 ? [0] : [...(chances[0] ?? []).keys()];
    const lines = players.map((player) => this.#curve(chances, player, players.length === 1));
    const mistakes = moves.filter(({ mistake }) => mistake);
    const dots = mistakes.map(({ ply, mistake, mover }) => {
      const shown = players.length === 1 ? 0 : mover;
      const [x, y] = [this.#x(ply), (1 - chances[ply][shown]) * HEIGHT];
      const title = svg("title", {}, t(`review.${mistake}`));
      // A line without length has round ends, which stay round however wide the graph is.
      return svg("line", { class: `dot ${mistake}`, x1: x, x2: x, y1: y, y2: y }, title);
    });
    fill(
      this.element,
      svg("line", { class: "middle", x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 }),
      lines,
      this.#cursor,
      dots,
    );
  }

  /**
   * Mark the ply on the board.
   *
   * @param {number} ply
   */
  mark(ply) {
    for (const end of ["x1", "x2"]) this.#cursor.setAttribute(end, String(this.#x(ply)));
  }

  /**
   * @param {number[][]} chances
   * @param {number} player
   * @param {boolean} isFilled
   */
  #curve(chances, player, isFilled) {
    const points = chances.map((shares, ply) => `${this.#x(ply)},${(1 - shares[player]) * HEIGHT}`);
    const colour = `var(--p-${this.ground.colours[player]})`;
    const line = svg("polyline", { points: points.join(" "), class: "curve" });
    if (!isFilled) line.style.stroke = colour;
    const area =
      isFilled && svg("polygon", { points: `0,${HEIGHT} ${points.join(" ")} ${WIDTH},${HEIGHT}`, class: "area" });
    if (area) area.style.fill = colour;
    return [area, line];
  }

  /** @param {number} ply */
  #x(ply) {
    return (ply / this.#last) * WIDTH;
  }
}
