// @ts-check
// Any board: drawn by the server, clicked, dragged and typed here. Nothing in this file knows a game.
//
// Layers, from below: the ground, the looks of the cells, what flies, and the cells as buttons. The buttons are
// transparent; style.css lights those that can be clicked and rings the last move. One of them can be reached by the
// Tab key, and the arrow keys go to the nearest cell in their direction.
//
//   const board = new Board(app, host, { onMove: (move) => … });
//   board.showGround(ground);                  a Ground, once
//   board.show(line.contents(ply), ply);       what lies on the cells, and what to mark as moved
//   await board.animate(ply);                  the move that leads from what is shown to this ply
//   board.offer(now.paths, now.labels);        what may be entered; offer([], {}) for nothing

import { button, drawn, el, fill, refresh, svg } from "./dom.js";
import { Dragging } from "./drag.js";
import { arrow, cutToPlay, isStraightOn, nearest, nearTo, placeBeside } from "./geometry.js";
import { Motion } from "./motion.js";
import { Paths } from "./paths.js";
import { t } from "./words.js";

/**
 * @import { App } from "./app.js"
 * @import { Point } from "./geometry.js"
 * @import { FullPly } from "./line.js"
 * @import { Click } from "./paths.js"
 * @import { Cell, ClickPath, Ground, Now } from "./protocol.d.ts"
 *
 * @typedef {{ dragged?: boolean }} How a move was entered
 *
 * @typedef {{ origins?: number[], targets?: number[] }} Moved cells, of the move that led to what is shown
 */

const MANY = 20; // cells that can be clicked: where nearly all can, they are lit more softly
const narrow = matchMedia("(max-width: 40rem)");
const tall = matchMedia("(max-width: 40rem) and (orientation: portrait)"); // screens on which a long board stands upright
/** @type {Record<string, [right: number, down: number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Board {
  /** @type {Ground} */
  #ground;
  /** @type {SVGGElement[]} */
  #looks = []; // for each cell its group
  /** @type {SVGPathElement[]} */
  #buttons = []; // for each cell its button
  /** @type {string[]} */
  #markups = []; // what is drawn there
  /** @type {string[]} */
  #words = []; // and what that is in words
  /** @type {Now["labels"]} */
  #labels = {};
  /** @type {Motion | null} */
  #motion = null;
  #paths = new Paths();
  #isFlipped = false;
  #focus = 0; // the cell that the Tab key reaches

  /**
   * `host` becomes the home of the board and of the buttons for words; `onMove(move, { dragged })` is called with each.
   *
   * @param {App} app
   * @param {HTMLElement} host
   * @param {{ onMove?: (move: string, how: How) => unknown, onMiss?: (clicks: Click[]) => unknown, name?: string }} listeners
   */
  constructor(app, host, { onMove = () => {}, onMiss = () => {}, name = t("board.name") } = {}) {
    this.app = app;
    this.onMove = onMove;
    this.onMiss = onMiss; // gets the clicks of which the last one leads to no move
    const layers = ["ground", "looks", "flights", "buttons", "arrows"];
    this.layers = Object.fromEntries(layers.map((layer) => [layer, svg("g", { class: `layer-${layer}` })]));
    this.defs = svg("defs");
    this.svg = svg(
      "svg",
      { class: "board", role: "application", "aria-label": name },
      this.defs,
      ...Object.values(this.layers),
    );
    this.wordBar = el("div", { class: "word-bar", role: "group", "aria-label": t("board.words") });
    fill(host, this.svg, this.wordBar);
    this.svg.addEventListener("keydown", (event) => this.#onKey(event));
    this.svg.addEventListener("click", () => this.skip(), { capture: true });
    this.svg.addEventListener("click", (event) => this.#clickNear(event));
    const lay = () => this.#ground && this.#lay();
    for (const screen of [narrow, tall]) {
      screen.addEventListener("change", lay);
      app.leave(() => screen.removeEventListener("change", lay));
    }
    this.dragging = new Dragging(this);
  }

  /**
   * Draw what all positions of a game have in common.
   *
   * @param {Ground} ground
   */
  showGround(ground) {
    this.#ground = ground;
    drawn(this.defs, ground.defs);
    this.#looks = ground.cells.map((_, cell) => svg("g", { class: "look", "data-look": cell }));
    this.#buttons = ground.cells.map((cell, index) => this.#makeButton(cell, index));
    this.#words = ground.cells.map(() => "");
    this.#markups = [];
    this.#focus = 0;
    fill(this.layers.buttons, this.#buttons);
    this.flip(this.#isFlipped);
    this.offer([], {});
  }

  /**
   * Show what lies on cells, each as [cell, markup, words], and mark the move that led there. Stops what moves.
   *
   * @param {FullPly["contents"]} contents
   * @param {Moved} moved
   */
  show(contents, { origins = [], targets = [] } = {}) {
    this.#motion?.stop();
    this.#motion = null;
    for (const [cell, markup, words] of contents) {
      this.#setLook(cell, markup);
      this.#words[cell] = words;
      this.#buttons[cell].setAttribute("aria-label", this.cellName(cell));
    }
    this.#mark("origin", origins);
    this.#mark("target", targets);
  }

  /**
   * Let a ply's move be seen, and then show the ply; false if something else was shown meanwhile. A click skips.
   *
   * @param {FullPly} ply
   */
  async animate(ply, onStep = () => {}) {
    this.show([], { origins: ply.origins });
    this.offer([], {});
    const motion = new Motion(
      this.layers.flights,
      (cell) => this.whereIs(cell),
      (cell, markup) => this.#setLook(cell, markup),
    );
    this.#motion = motion;
    await motion.play(ply.steps, onStep);
    if (this.#motion !== motion) return false;
    this.show(ply.contents, ply);
    return true;
  }

  /** Jump to the end of what moves. */
  skip() {
    this.#motion?.skip();
  }

  /**
   * Offer moves to be entered; `labels` says what to write on the buttons of words.
   *
   * @param {ClickPath[]} paths
   * @param {Now["labels"]} labels
   */
  offer(paths, labels) {
    this.#paths = new Paths(paths);
    this.#labels = labels;
    this.#light();
  }

  /** Turn the board by half a turn, or back. */
  flip(isFlipped = !this.#isFlipped) {
    this.#isFlipped = isFlipped;
    this.#lay();
  }

  /** Lay everything where it belongs: the board may have been flipped, and stands upright on some screens. */
  #lay() {
    const { width, height, board } = this.#plan;
    const cut = narrow.matches && !this.#upright ? cutToPlay(this.#ground, (cell) => this.whereIs(cell)) : null;
    this.svg.setAttribute("viewBox", cut ?? `0 0 ${width} ${height}`);
    this.svg.classList.toggle("cut", cut !== null);
    this.svg.classList.toggle("flipped", this.#isFlipped);
    this.svg.classList.toggle("upright", this.#upright !== null);
    this.svg.style.setProperty("--cells-high", String(height / (2 * this.#smallestRadius)));
    drawn(this.layers.ground, board);
    this.layers.ground.setAttribute("transform", this.#isFlipped ? `rotate(180 ${width / 2} ${height / 2})` : "");
    const places = this.#places;
    for (const [cell, { x, y }] of places.entries())
      for (const group of [this.#looks[cell], this.#buttons[cell]])
        group.setAttribute("transform", `translate(${x} ${y})`);
    const fromBehind = [...places.keys()].sort((one, other) => places[one].y - places[other].y);
    fill(
      this.layers.looks,
      fromBehind.map((cell) => this.#looks[cell]),
    ); // What is nearer hides what is behind.
    for (const [cell, markup] of this.#markups.entries()) this.#setLook(cell, markup);
    this.arrows([]);
  }

  /** What the board is drawn by now. */
  get #plan() {
    return this.#upright ?? this.#ground;
  }

  get #upright() {
    return tall.matches ? this.#ground.upright : null;
  }

  get #smallestRadius() {
    return Math.min(...this.#ground.cells.filter((cell) => !cell.is_store).map((cell) => cell.radius));
  }

  get isFlipped() {
    return this.#isFlipped;
  }

  /** Whether a move is being shown. */
  get isMoving() {
    return this.#motion !== null;
  }

  /** Whether a move has been begun. */
  get isChoosing() {
    return this.#paths.clicks.length > 0;
  }

  /** Whether the names of cells can be read on the board. */
  get showsCoordinates() {
    return [...this.layers.ground.querySelectorAll("text")].some((text) => getComputedStyle(text).display !== "none");
  }

  /**
   * Show a move by its cells: an arrow, and a mark where it begins and where it ends.
   *
   * @param {number[]} cells
   */
  hint(cells) {
    this.arrows([cells]);
    this.#mark("hinted", [cells[0], cells[cells.length - 1]]);
  }

  /**
   * Arrows along the cells of moves, the best first.
   *
   * @param {number[][]} moves
   */
  arrows(moves) {
    this.#mark("hinted", []);
    const placed = moves.filter((cells) => cells.length);
    fill(
      this.layers.arrows,
      placed.map((cells, rank) =>
        arrow(
          cells.map((cell) => this.whereIs(cell)),
          this.#ground.cells[cells[0]].radius,
          rank,
        ),
      ),
    );
  }

  /**
   * Where a cell is drawn.
   *
   * @param {number} cell
   * @returns {Point}
   */
  whereIs(cell) {
    const { width, height } = this.#plan;
    const { x, y } = this.#ground.cells[cell];
    const [right, down] = this.#upright?.places[cell] ?? [x, y];
    return this.#isFlipped ? { x: width - right, y: height - down } : { x: right, y: down };
  }

  /** Where all cells are drawn. */
  get #places() {
    return [...this.#ground.cells.keys()].map((cell) => this.whereIs(cell));
  }

  /**
   * A cell and what lies there, in words.
   *
   * @param {number} cell
   */
  cellName(cell) {
    const { label } = this.#ground.cells[cell];
    return this.#words[cell] ? t("board.cell", { cell: label, words: this.#words[cell] }) : label;
  }

  /**
   * Enter a click on a cell or a word.
   *
   * @param {Click} click
   */
  click(click) {
    this.skip();
    const { clicks } = this.#paths;
    const isMissed = this.#paths.misses(click);
    this.#settle(this.#paths.click(click));
    if (isMissed) this.onMiss([...clicks, click]);
  }

  /**
   * Enter a move by dragging.
   *
   * @param {number} origin
   * @param {number} target
   */
  drag(origin, target) {
    const places = this.#places;
    /** @type {(click: Click) => boolean} */
    const isBeyond = (click) =>
      typeof click === "number" && isStraightOn(places[origin], places[target], places[click]);
    const move = this.#paths.drag(origin, target, isBeyond);
    const isMissed = move === null && !this.#paths.isNarrowed && this.#paths.clicks.length === 1;
    this.#settle(move, { dragged: true });
    if (isMissed) this.onMiss([origin, target]);
  }

  /** Take back the last click of a path; false if there was none. */
  takeBack() {
    const wasOpen = this.#paths.back();
    this.#light();
    return wasOpen;
  }

  /**
   * The cells on which something dragged from this cell may be dropped.
   *
   * @param {Click} cell
   */
  drops(cell) {
    return this.#paths.drops(cell);
  }

  /**
   * Show where something that is being dragged may be dropped; null when it has been.
   *
   * @param {Set<number> | null} cells
   */
  showDrops(cells) {
    for (const [cell, made] of this.#buttons.entries()) made.classList.toggle("drop", cells?.has(cell) ?? false);
  }

  /**
   * The group in which a cell's look is drawn.
   *
   * @param {number} cell
   */
  lookOf(cell) {
    return this.#looks[cell];
  }

  /**
   * A tap beside the cells: it is meant for one that is near.
   *
   * @param {MouseEvent} event
   */
  #clickNear({ target, clientX, clientY }) {
    if (/** @type {Element} */ (target).closest(".cell")) return;
    const lit = [...this.#paths.next].filter((click) => typeof click === "number");
    const meant = nearTo(
      lit.map((cell) => this.#buttons[cell]),
      clientX,
      clientY,
    );
    if (meant >= 0) this.click(lit[meant]);
  }

  /**
   * @param {string | null} move
   * @param {How} how
   */
  #settle(move, how = {}) {
    if (move === null) return this.#light();
    this.offer([], {});
    this.onMove(move, how);
  }

  /**
   * @param {number} cell
   * @param {string} markup
   */
  #setLook(cell, markup) {
    this.#markups[cell] = markup;
    drawn(this.#looks[cell], markup);
    placeBeside(this.#looks[cell], this.#ground.cells[cell].radius, this.#isFlipped, this.#upright !== null);
  }

  /**
   * @param {string} name
   * @param {number[]} cells
   */
  #mark(name, cells) {
    for (const [cell, made] of this.#buttons.entries()) made.classList.toggle(name, cells.includes(cell));
  }

  /**
   * @param {Cell} cell
   * @param {number} index
   */
  #makeButton(cell, index) {
    const made = svg("path", {
      class: "cell",
      d: cell.outline,
      role: "button",
      tabindex: -1,
      "data-cell": cell.name,
      "aria-label": cell.label,
    });
    made.addEventListener("click", () => this.click(index));
    made.addEventListener("mousedown", (event) => event.preventDefault()); // The arrow keys keep stepping.
    made.addEventListener("focus", () => this.#reach(index));
    return made;
  }

  /** Light up what can be clicked, and show the words as buttons. */
  #light() {
    const next = this.#paths.next;
    this.svg.classList.toggle("choosing", this.isChoosing);
    this.svg.classList.toggle(
      "draggable",
      [...next].some((cell) => this.drops(cell).size > 0),
    );
    this.svg.classList.toggle("many", next.size > MANY);
    for (const [cell, made] of this.#buttons.entries()) {
      const isChosen = this.#paths.clicks.includes(cell);
      made.classList.toggle("lit", next.has(cell));
      made.classList.toggle("chosen", isChosen);
      made.setAttribute("aria-disabled", String(!next.has(cell) && !isChosen));
      made.setAttribute("aria-pressed", String(isChosen));
    }
    if (!this.#buttons[this.#focus]?.matches(".lit, .chosen, :focus"))
      this.#reach([...next].find((click) => typeof click === "number") ?? this.#focus);
    this.#showWords([...next].filter((click) => typeof click === "string"));
  }

  /** @param {string[]} words */
  #showWords(words) {
    const labels = words.map((word) => this.#labels[word] ?? word);
    refresh(this.wordBar, [words, labels, this.isChoosing], () => [
      words.map((word, at) => button(labels[at], () => this.click(word), { class: "word", "data-word": word })),
      this.isChoosing &&
        button(t("board.take_back"), () => this.takeBack(), { class: "quiet", "data-id": "take-back" }),
    ]);
  }

  /** @param {number} cell */
  #reach(cell) {
    this.#buttons[this.#focus]?.setAttribute("tabindex", "-1");
    this.#focus = cell;
    this.#buttons[cell]?.setAttribute("tabindex", "0");
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    const cell = this.#buttons.indexOf(/** @type {SVGPathElement} */ (document.activeElement));
    if (cell < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" || event.key === " ") this.click(cell);
    else if (event.key in ARROWS) this.#buttons[nearest(this.#places, cell, ARROWS[event.key])].focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
