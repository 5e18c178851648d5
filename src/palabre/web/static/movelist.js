// @ts-check
// The moves of a game as a list, a round a line, with what was tried out set in below; a click jumps to a position. And
// the field in which a move is typed: letters that begin one go there from anywhere on the page.

import { button, el, fill, fillByKey, icon, keepInSight, refresh } from "./dom.js";
import { number, t } from "./words.js";

/**
 * @import { App } from "./app.js"
 * @import { Child } from "./dom.js"
 * @import { ClickPath } from "./protocol.d.ts"
 * @import { Node, Tree } from "./tree.js"
 */

/** The signs of mistakes, as chess books print them. */
export const MARKS = { inaccuracy: "?!", mistake: "?", blunder: "??" };

export class MoveList {
  /** @type {WeakMap<Node, HTMLButtonElement>} */
  #buttons = new WeakMap();
  /** @type {WeakMap<Node, HTMLElement>} */
  #variationsOf = new WeakMap(); // by their first nodes
  /** @type {HTMLElement | undefined} */
  #marked;
  /** @type {string[]} */
  #names = [];

  /**
   * `onJump(node)` gets what was clicked.
   *
   * @param {(node: Node) => unknown} onJump
   */
  constructor(onJump) {
    this.onJump = onJump;
    this.element = el("ol", { class: "moves", "aria-label": t("moves.label"), tabindex: 0 });
  }

  /**
   * List the moves of a tree; `names` are those of the players. Moves that are listed already keep their buttons.
   *
   * @param {Tree} tree
   * @param {string[]} names
   */
  show(tree, names) {
    this.#names = names;
    /** @type {{ first: Node, moves: Child[], variations: Child[] }[]} */
    const rounds = [];
    for (const [at, node] of tree.main.slice(1).entries()) {
      const before = tree.main[at];
      if (at === 0 || node.ply.mover <= before.ply.mover) rounds.push({ first: node, moves: [], variations: [] });
      rounds[rounds.length - 1].moves.push(this.#button(node));
      rounds[rounds.length - 1].variations.push(this.#variations(tree, before));
    }
    const afterEnd = this.#variations(tree, tree.last);
    if (rounds.length === 0) return fill(this.element, el("li", { class: "none" }, afterEnd, t("moves.none")));
    rounds[rounds.length - 1].variations.push(afterEnd);
    const items = fillByKey(
      this.element,
      rounds.map(({ first }, at) => [first, () => roundItem(at + 1)]),
    );
    for (const [at, item] of items.entries()) fill(item, item.firstChild, rounds[at].moves, rounds[at].variations);
  }

  /**
   * Mark the node that is on the board, and bring it into sight without moving the page.
   *
   * @param {Node} node
   */
  mark(node) {
    this.#marked?.removeAttribute("aria-current");
    this.#marked = this.#buttons.get(node);
    this.#marked?.setAttribute("aria-current", "true");
    keepInSight(this.element, this.#marked);
  }

  /**
   * What was tried in a node instead of the move that goes on, each with all that follows.
   *
   * @param {Tree} tree
   * @param {Node} node
   * @returns {HTMLElement[]}
   */
  #variations(tree, node) {
    return tree.othersOf(node).map((other) => {
      const home = this.#variationsOf.get(other) ?? el("div", { class: "variation" });
      this.#variationsOf.set(other, home);
      return fill(home, this.#branch(tree, other));
    });
  }

  /**
   * A move that was tried, what followed it, and what was tried there instead.
   *
   * @param {Tree} tree
   * @param {Node} first
   */
  #branch(tree, first) {
    const parts = [el("span", { class: "number" }, first.depth), this.#button(first)];
    for (let node = first; node.children.length; [node] = node.children) {
      const [next] = node.children;
      parts.push(el("span", { class: "number" }, next.depth), this.#button(next), ...this.#variations(tree, node));
    }
    return parts;
  }

  /** @param {Node} node */
  #button(node) {
    const { mistake, ply, depth } = node;
    const took = ply.seconds === null ? "" : `, ${t("moves.seconds", { seconds: number(ply.seconds, 1) })}`;
    const made = this.#buttons.get(node) ?? button("", () => this.onJump(node), { "data-ply": depth, class: "move" });
    this.#buttons.set(node, made);
    made.dataset.mistake = mistake ?? "";
    made.title = `${this.#names[ply.mover] ?? ""}${took}`;
    refresh(made, [ply.move, mistake], () => [
      ply.move,
      mistake && el("span", { class: "mistake", title: t(`review.${mistake}`) }, MARKS[mistake]),
    ]);
    return made;
  }
}

/** @param {number} round */
function roundItem(round) {
  return el("li", {}, el("span", { class: "round", "aria-hidden": "true" }, round));
}

export class MoveEntry {
  /** @type {string[]} */
  #moves = []; // the texts of the moves that may be played

  /**
   * `onMove(move)` gets what was typed, also if it is no legal move: the server says why it is not.
   *
   * @param {App} app
   * @param {(move: string) => unknown} onMove
   */
  constructor(app, onMove) {
    this.onMove = onMove;
    this.input = el("input", {
      type: "text",
      maxlength: 100,
      autocomplete: "off",
      autocapitalize: "off",
      spellcheck: "false",
      "data-id": "move-field",
      placeholder: t("entry.example"),
    });
    const send = el("button", { type: "submit", "aria-label": t("entry.play") }, icon("enter"));
    this.element = el(
      "form",
      { class: "entry", onsubmit: (/** @type {Event} */ event) => this.#enter(event) },
      el("label", {}, el("span", {}, t("entry.label")), this.input),
      send,
    );
    app.letters((letter) => this.#begin(letter));
    app.keys({ "/": ["keys.entry", () => this.input.focus()], m: ["keys.entry", () => this.input.focus()] });
  }

  /**
   * Offer the moves that may be played now.
   *
   * @param {ClickPath[]} paths
   */
  offer(paths) {
    this.#moves = [...new Set(paths.map((path) => path.move))];
    this.input.disabled = this.#moves.length === 0;
  }

  /**
   * Take a letter if it begins a move.
   *
   * @param {string} letter
   */
  #begin(letter) {
    if (!this.#moves.some((move) => move.toLowerCase().startsWith(letter.toLowerCase()))) return false;
    this.input.focus();
    this.input.value = letter;
    return true;
  }

  /** @param {Event} event */
  #enter(event) {
    event.preventDefault();
    const typed = this.input.value.trim();
    if (!typed) return;
    this.input.value = "";
    this.input.blur();
    const alike = this.#moves.filter((move) => move.toLowerCase() === typed.toLowerCase());
    this.onMove(this.#moves.includes(typed) || alike.length !== 1 ? typed : alike[0]);
  }
}
