// @ts-check
// Where things of a board are beside each other: the next cell for an arrow key, arrows along moves, and what stands
// beside a cell on a board that has been turned.

import { svg } from "./dom.js";

/**
 * @import { Cell } from "./protocol.d.ts"
 *
 * @typedef {{ x: number, y: number }} Point
 */

const HEAD = 20; // pixels: the length of an arrow's head
const HALF_ANGLE = 0.45; // radians
const STEEPEST = 1.2; // how far aside an arrow key goes for each step ahead: the next row of a hexagon, never a diagonal
const WIDE = 2; // times its height: boards that are cut on narrow screens
const [CUT_ASIDE, CUT_ABOVE] = [1.3, 1.7]; // times the radius of the outermost cells stays in the frame
const [THUMB_PX, SLIP_PX] = [24, 8]; // A tap so near to the middle or to the edge of a cell is meant for it.
const [ASIDE, LINE, LARGER] = [26, 21, 1.45]; // of numbers on upright boards: how far from the cell, line height, size

/**
 * The nearest of some places in a direction from one of them, not too far aside; that one itself if there is none.
 *
 * Ahead and aside count alike: on a hexagon the row after next has a cell straight ahead, and the next row has none.
 *
 * @param {Point[]} places
 * @param {number} from
 * @param {readonly [right: number, down: number]} direction
 */
export function nearest(places, from, [right, down]) {
  let best = from;
  let least = Infinity;
  for (const [place, { x, y }] of places.entries()) {
    const [across, along] = [x - places[from].x, y - places[from].y];
    const ahead = across * right + along * down;
    const aside = Math.abs(across * down) + Math.abs(along * right);
    const distance = ahead + aside;
    if (ahead > 1 && aside <= STEEPEST * ahead && distance < least) [best, least] = [place, distance];
  }
  return best;
}

/**
 * Whether a place lies on the straight line from a first through a second one, beyond the second.
 *
 * @param {Point} first
 * @param {Point} second
 * @param {Point} place
 */
export function isStraightOn(first, second, place) {
  const [right, down] = [second.x - first.x, second.y - first.y];
  const [further, below] = [place.x - second.x, place.y - second.y];
  const isAhead = right * further + down * below > 0;
  return (
    isAhead && Math.abs(right * below - down * further) < 0.05 * Math.hypot(right, down) * Math.hypot(further, below)
  );
}

/**
 * Which of some elements a tap is meant for that has missed them all; -1 if none is near.
 *
 * @param {Pick<Element, "getBoundingClientRect">[]} elements
 * @param {number} clientX
 * @param {number} clientY
 */
export function nearTo(elements, clientX, clientY) {
  const misses = elements.map((element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    const distance = Math.hypot(clientX - x - width / 2, clientY - y - height / 2);
    return distance <= Math.max(THUMB_PX, width / 2 + SLIP_PX) ? distance : Infinity;
  });
  const least = Math.min(...misses);
  return least === Infinity ? -1 : misses.indexOf(least);
}

/**
 * The view box of what is played on, of a wide board with stores: the scores are beside the board, too; null of others.
 *
 * @param {{ width: number, height: number, cells: Pick<Cell, "radius" | "is_store">[] }} ground
 * @param {(cell: number) => Point} whereIs
 */
export function cutToPlay({ width, height, cells }, whereIs) {
  const played = [...cells.keys()].filter((cell) => !cells[cell].is_store);
  if (width < WIDE * height || played.length === cells.length) return null;
  const [left, right] = reach(played.map((cell) => [whereIs(cell).x, CUT_ASIDE * cells[cell].radius]));
  const [top, bottom] = reach(played.map((cell) => [whereIs(cell).y, CUT_ABOVE * cells[cell].radius]));
  return `${left} ${top} ${right - left} ${bottom - top}`;
}

/**
 * From where to where things reach, each given as its middle and how far it goes on both sides.
 *
 * @param {number[][]} things
 */
function reach(things) {
  return [
    Math.min(...things.map(([middle, far]) => middle - far)),
    Math.max(...things.map(([middle, far]) => middle + far)),
  ];
}

/**
 * An arrow along some points; of a single one, a ring in a cell of this radius.
 *
 * @param {Point[]} points
 * @param {number} radius
 * @param {number} rank
 */
export function arrow(points, radius, rank) {
  const name = `arrow rank-${rank}`;
  const [tip, tail] = points.toReversed();
  if (!tail) return svg("circle", { class: name, cx: tip.x, cy: tip.y, r: radius - 5 });
  const angle = Math.atan2(tip.y - tail.y, tip.x - tail.x);
  /** @param {number} turn */
  const corner = (turn) => `${tip.x - HEAD * Math.cos(angle + turn)},${tip.y - HEAD * Math.sin(angle + turn)}`;
  return svg(
    "g",
    { class: name },
    svg("polyline", { points: points.map(({ x, y }) => `${x},${y}`).join(" ") }),
    svg("polygon", { points: `${tip.x},${tip.y} ${corner(HALF_ANGLE)} ${corner(-HALF_ANGLE)}` }),
  );
}

/**
 * Find what stands above or below a cell of this radius, such as numbers, its place on a board that has been turned: on
 * the other side of the cell, or, where the board stands upright, to its left or right, one below the other and larger.
 *
 * @param {SVGElement} look
 * @param {number} radius
 * @param {boolean} isFlipped
 * @param {boolean} isUpright
 */
export function placeBeside(look, radius, isFlipped, isUpright) {
  if (!isFlipped && !isUpright) return;
  /** @type {NodeListOf<SVGGraphicsElement>} */
  const parts = look.querySelectorAll(":scope > .beside");
  for (const [number, part] of parts.entries()) {
    const { e: x, f: y } = /** @type {SVGTransform} */ (part.transform.baseVal.consolidate()).matrix;
    const right = (y < 0 === isFlipped ? -1 : 1) * (radius + ASIDE);
    const down = (number - (parts.length - 1) / 2) * LINE;
    if (isUpright && Math.abs(y) > radius)
      part.setAttribute("transform", `translate(${right} ${down}) scale(${LARGER})`);
    else if (isFlipped) part.setAttribute("transform", `translate(${x} ${-y})`);
  }
}
