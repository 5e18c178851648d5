// Dragging pieces with a mouse, a pen or a finger: a copy of the look follows the pointer, and is dropped on a cell.

import { svg } from "./dom.js";

const SLACK_PX = 6; // A press that moves less is a click.

export class Dragging {
  #origin = null; // the cell that was pressed
  #start = null; // where on the screen
  #ghost = null; // what follows the pointer
  #over = null; // the cell below it
  #listening = null; // to where the pointer goes, on the board or off it

  constructor(board) {
    this.board = board;
    board.layers.buttons.addEventListener("pointerdown", (event) => this.#press(event));
    board.svg.addEventListener("click", (event) => this.#swallow(event), { capture: true });
  }

  #press(event) {
    const cell = cellAt(event.target);
    if (!event.isPrimary || event.button !== 0 || cell === null || this.board.drops(cell).size === 0) return;
    this.#end(); // A press whose end nobody has heard of.
    this.#origin = cell;
    this.#start = { x: event.clientX, y: event.clientY };
    this.#listening = new AbortController();
    const { signal } = this.#listening;
    addEventListener("pointermove", (moved) => this.#move(moved), { signal });
    addEventListener("pointerup", () => this.#release(), { signal });
    addEventListener("pointercancel", () => this.#end(), { signal });
  }

  #move(event) {
    if (!event.isPrimary) return;
    if (!this.#ghost && Math.hypot(event.clientX - this.#start.x, event.clientY - this.#start.y) < SLACK_PX) return;
    if (!this.#ghost) this.#lift();
    const { x, y } = this.#onBoard(event);
    this.#ghost.setAttribute("transform", `translate(${x} ${y})`);
    this.#hover(cellAt(document.elementFromPoint(event.clientX, event.clientY)));
  }

  #lift() {
    this.#ghost = svg("g", { class: "ghost" });
    this.#ghost.append(...[...this.board.lookOf(this.#origin).childNodes].map((node) => node.cloneNode(true)));
    this.board.layers.arrows.append(this.#ghost);
    this.board.lookOf(this.#origin).classList.add("lifted");
    this.board.showDrops(this.board.drops(this.#origin));
  }

  #hover(cell) {
    if (cell === this.#over) return;
    for (const button of this.board.layers.buttons.children) button.classList.remove("over");
    this.#over = cell;
    if (cell !== null && this.board.drops(this.#origin).has(cell))
      this.board.layers.buttons.children[cell].classList.add("over");
  }

  #release() {
    const [origin, target, wasDrag] = [this.#origin, this.#over, this.#ghost !== null];
    this.#end();
    this.justDragged = wasDrag;
    setTimeout(() => (this.justDragged = false), 0);
    if (wasDrag && target !== null && target !== origin) this.board.drag(origin, target);
  }

  #end() {
    this.#listening?.abort();
    if (this.#origin !== null) this.board.lookOf(this.#origin).classList.remove("lifted");
    this.#ghost?.remove();
    this.board.showDrops(null);
    this.#hover(null);
    this.#origin = this.#ghost = this.#over = null;
  }

  /** The browser reports the end of a drag as a click, which nobody has made. */
  #swallow(event) {
    if (this.justDragged) event.stopPropagation();
  }

  #onBoard(event) {
    return new DOMPoint(event.clientX, event.clientY).matrixTransform(this.board.svg.getScreenCTM().inverse());
  }
}

/** The number of the cell that an element belongs to, or null. */
function cellAt(element) {
  const button = element?.closest?.(".cell");
  return button ? [...button.parentNode.children].indexOf(button) : null;
}
