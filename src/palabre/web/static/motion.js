// @ts-check
// Moves in motion: plays the steps of a ply on a board. All that moves was drawn by the server.
//
// A move takes 150 to 400 ms and a long sowing at most 1.5 s at normal speed; the weights of the steps share that time.
// Reduced motion, or speed off, shows the end at once, and `skip` jumps to it.

import { drawn, svg } from "./dom.js";
import { setting } from "./settings.js";

/** @import { Flight, Step } from "./protocol.d.ts" */

const SLOWNESS = { slow: 2, normal: 1, fast: 0.5, off: 0 };
const WEIGHT_MS = 130; // a move has weight 2, a seed that is sown 1
const SHORTEST_MS = 220;
const LONGEST_MS = 1500;

const reduced = matchMedia("(prefers-reduced-motion: reduce)");

/**
 * How long a ply's motion takes in all, in milliseconds.
 *
 * @param {Step[]} steps
 */
export function duration(steps) {
  if (steps.length === 0 || reduced.matches || document.hidden) return 0;
  return (
    Math.min(LONGEST_MS, Math.max(SHORTEST_MS, WEIGHT_MS * weightOf(steps))) *
    SLOWNESS[/** @type {keyof typeof SLOWNESS} */ (setting("speed"))]
  );
}

/** @param {Step[]} steps */
function weightOf(steps) {
  return steps.reduce((sum, step) => sum + step.weight, 0);
}

/** A run of steps on a layer of the board; `setLook(cell, markup)` changes what lies on a cell. */
export class Motion {
  #isSkipped = false;
  #isStopped = false;
  /** @type {Animation[]} */
  #running = [];
  /** @type {SVGElement[]} */
  #flying = []; // what is moved by them

  /**
   * @param {SVGElement} layer
   * @param {(cell: number) => { x: number, y: number }} whereIs
   * @param {(cell: number, markup: string) => void} setLook
   */
  constructor(layer, whereIs, setLook) {
    this.layer = layer;
    this.whereIs = whereIs;
    this.setLook = setLook;
  }

  /**
   * Play the steps; the promise is kept when the last has arrived, or all were skipped or stopped. `onStep()` is called
   * when something lands: once, if nothing is seen to move.
   *
   * @param {Step[]} steps
   */
  async play(steps, onStep = () => {}) {
    const total = duration(steps);
    if (!total) onStep();
    for (const step of steps) {
      this.#put(step.lift);
      if (total && !this.#isSkipped) {
        await this.#fly(step.flights, (total * step.weight) / weightOf(steps));
        if (!this.#isStopped) onStep();
      }
      if (this.#isStopped) return;
      this.#put(step.then);
    }
  }

  /** Jump to the end. */
  skip() {
    this.#isSkipped = true;
    for (const animation of this.#running) animation.finish();
  }

  /** Leave everything as it is: something else will be shown. */
  stop() {
    this.#isStopped = true;
    this.skip();
    this.#land();
  }

  /** @param {Step["lift"]} looks */
  #put(looks) {
    for (const [cell, markup] of looks) this.setLook(cell, markup);
  }

  /**
   * @param {Flight[]} flights
   * @param {number} milliseconds
   */
  async #fly(flights, milliseconds) {
    this.#running = flights.map((flight) => this.#start(flight, milliseconds));
    await Promise.allSettled(this.#running.map((animation) => animation.finished));
    this.#land();
  }

  #land() {
    for (const group of this.#flying.splice(0)) group.remove();
    this.#running = [];
  }

  /**
   * @param {Flight} flight
   * @param {number} milliseconds
   */
  #start({ look, origin, target }, milliseconds) {
    const group = drawn(svg("g", { class: "flight" }), look);
    this.layer.append(group);
    this.#flying.push(group);
    const frames = [
      { transform: this.#shift(origin ?? target), opacity: origin === null ? 0 : 1 },
      { transform: this.#shift(target ?? origin), opacity: target === null ? 0 : 1 },
    ];
    return group.animate(frames, { duration: milliseconds, easing: "ease-in-out", fill: "forwards" });
  }

  /** @param {number | null} cell */
  #shift(cell) {
    const { x, y } = this.whereIs(/** @type {number} */ (cell)); // Nothing comes from nowhere and goes there.
    return `translate(${x}px, ${y}px)`;
  }
}
