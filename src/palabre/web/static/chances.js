// Winning chances as pictures: a bar with one part for each player, and a graph along the game.

import { el, fill, svg } from "./dom.js";
import { percent, t } from "./words.js";

const WIDTH = 400;
const HEIGHT = 110;
const NARROW = 0.12; // A part of the bar that is narrower has no room for its number.

/** A bar of the shares of all players, which keeps its place while nothing is known. */
export class ChanceBar {
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

  /** Show the shares of the players, the one at the bottom of the board first; null if nothing is known. */
  show(shares) {
    const known = shares ?? this.parts.map(() => 1 / this.parts.length);
    this.element.classList.toggle("unknown", !shares);
    for (const [player, part] of this.parts.entries()) {
      part.style.flexGrow = Math.max(known[player], 0.001);
      part.textContent = shares && known[player] >= NARROW ? percent(known[player]) : "";
    }
    const told = shares
      ? this.names.map((player, seat) => t("analyse.bar_of", { player, chance: percent(known[seat]) })).join(", ")
      : "–";
    this.element.setAttribute("aria-label", `${t("analyse.bar")}: ${told}`);
  }
}

/** A graph of the winning chances at each ply, with the mistakes marked; a click jumps. */
export class ChanceGraph {
  #cursor = svg("line", { class: "cursor", y1: 0, y2: HEIGHT });
  #last = 1;

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

  /** Draw `chances`, those of each player at each ply, and dots at the mistakes: { ply: kind }. */
  show(chances, mistakes) {
    this.#last = Math.max(1, chances.length - 1);
    const players = chances[0]?.length === 2 ? [0] : [...(chances[0] ?? []).keys()];
    const lines = players.map((player) => this.#curve(chances, player, players.length === 1));
    const dots = [...mistakes].map(([ply, { kind, player }]) => {
      const shown = players.length === 1 ? 0 : player;
      const [x, y] = [this.#x(ply), (1 - chances[ply][shown]) * HEIGHT];
      // A line without length has round ends, which stay round however wide the graph is.
      return svg("line", { class: `dot ${kind}`, x1: x, x2: x, y1: y, y2: y }, svg("title", {}, t(`review.${kind}`)));
    });
    fill(
      this.element,
      svg("line", { class: "middle", x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 }),
      lines,
      this.#cursor,
      dots,
    );
  }

  /** Mark the ply on the board. */
  mark(ply) {
    for (const end of ["x1", "x2"]) this.#cursor.setAttribute(end, this.#x(ply));
  }

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

  #x(ply) {
    return (ply / this.#last) * WIDTH;
  }
}
