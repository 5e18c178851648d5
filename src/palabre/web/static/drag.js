// @ts-check
// Dragging pieces with a mouse, a pen or a finger: a copy of the look follows the pointer, and is dropped on a cell.

import { svg } from "./dom.js";

/**
 * @import { Board } from "./board.js"
 * @import { Point } from "./geometry.js"
 */

const SLACK_PX = 6; // A press that moves less is a click.

export class Dragging {
  /** @type {number | null} */
  #origin = null; // the cell that was pressed
  /** @type {Point} */
  #start = { x: 0, y: 0 }; // where on the screen
  /** @type {SVGGElement | null} */
  #ghost = null; // what follows the pointer
  /** @type {number | null} */
  #over = null; // the cell below it
  /** @type {AbortController | null} */
  #listening = null; // to where the pointer goes, on the board or off it
  justDragged = false;

  /** @param {Board} board */
  constructor(board) {
    this.board = board;
    board.layers.buttons.addEventListener("pointerdown", (event) => this.#press(event));
    board.svg.addEventListener("click", (event) => this.#swallow(event), { capture: true });
  }

  /** @param {PointerEvent} event */
  #press(event) {
    const cell = cellAt(/** @type {Element} */ (event.target));
    if (!event.isPrimary || event.button !== 0 || cell === null || this.board.drops(cell).size === 0) return;
    this.#end(); // A press whose end was not reported.
    this.#origin = cell;
    this.#start = { x: event.clientX, y: event.clientY };
    this.#listening = new AbortController();
    const { signal } = this.#listening;
    addEventListener("pointermove", (moved) => this.#move(moved, cell), { signal });
    addEventListener("pointerup", () => this.#release(), { signal });
    addEventListener("pointercancel", () => this.#end(), { signal });
  }

  /**
   * @param {PointerEvent} event
   * @param {number} origin
   */
  #move(event, origin) {
    if (!event.isPrimary) return;
    if (!this.#ghost && Math.hypot(event.clientX - this.#start.x, event.clientY - this.#start.y) < SLACK_PX) return;
    this.#ghost ??= this.#lift(origin);
    const { x, y } = this.#onBoard(event);
    this.#ghost.setAttribute("transform", `translate(${x} ${y})`);
    this.#hover(cellAt(document.elementFromPoint(event.clientX, event.clientY)), this.board.drops(origin));
  }

  /** @param {number} origin */
  #lift(origin) {
    const look = this.board.lookOf(origin);
    const ghost = svg(
      "g",
      { class: "ghost" },
      [...look.childNodes].map((node) => node.cloneNode(true)),
    );
    this.board.layers.arrows.append(ghost);
    look.classList.add("lifted");
    this.board.showDrops(this.board.drops(origin));
    return ghost;
  }

  /**
   * @param {number | null} cell
   * @param {Set<number>} [drops]
   */
  #hover(cell, drops) {
    if (cell === this.#over) return;
    for (const button of this.board.layers.buttons.children) button.classList.remove("over");
    this.#over = cell;
    if (cell !== null && drops?.has(cell)) this.board.layers.buttons.children[cell].classList.add("over");
  }

  #release() {
    const [origin, target, wasDrag] = [this.#origin, this.#over, this.#ghost !== null];
    this.#end();
    this.justDragged = wasDrag;
    setTimeout(() => (this.justDragged = false), 0);
    if (wasDrag && origin !== null && target !== null && target !== origin) this.board.drag(origin, target);
  }

  #end() {
    this.#listening?.abort();
    if (this.#origin !== null) this.board.lookOf(this.#origin).classList.remove("lifted");
    this.#ghost?.remove();
    this.board.showDrops(null);
    this.#hover(null);
    this.#origin = this.#ghost = this.#over = null;
  }

  /**
   * The browser reports the end of a drag as a click, which is none.
   *
   * @param {MouseEvent} event
   */
  #swallow(event) {
    if (this.justDragged) event.stopPropagation();
  }

  /** @param {PointerEvent} event */
  #onBoard(event) {
    return new DOMPoint(event.clientX, event.clientY).matrixTransform(this.board.svg.getScreenCTM()?.inverse());
  }
}

/**
 * The number of the cell that an element belongs to, or null.
 *
 * @param {Element | null} element
 */
function cellAt(element) {
  const button = element?.closest(".cell");
  return button ? [...(button.parentElement?.children ?? [])].indexOf(button) : null;
}
