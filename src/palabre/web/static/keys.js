// @ts-check
// The keyboard: every view says which keys it knows, and `?` shows them all.
//
// Letters begin moves as well. A letter that begins a move that may be played now goes to the move field; with Shift it
// is always a shortcut.

import { byId, el, fill } from "./dom.js";
import { t } from "./words.js";

/**
 * What keys do, by their names, each with the id of a text about it.
 *
 * @typedef {{ [key: string]: [about: string, run: () => unknown] }} Keys
 *
 * @typedef {(letter: string) => boolean} Typist
 */

/** @type {Keys[]} */
const scopes = []; // the innermost last
/** @type {Typist[]} */
const typists = []; // who takes letters that begin a move, and says whether one was taken
/** @type {HTMLElement | null} */
let cameFrom = null; // where the focus was before the list of keys was shown

/**
 * Know keys until the returned function is called.
 *
 * @param {Keys} keys
 */
export function know(keys) {
  scopes.push(keys);
  return () => scopes.splice(scopes.indexOf(keys), 1);
}

/**
 * Take letters that begin a move, until the returned function is called.
 *
 * @param {Typist} typist
 */
export function takeLetters(typist) {
  typists.push(typist);
  return () => typists.splice(typists.indexOf(typist), 1);
}

/** Begin to listen. */
export function listen() {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || isTyping(event)) return;
    const isLetter = /^[\p{L}\p{N}]$/u.test(event.key);
    if (isLetter && !event.shiftKey && typists.at(-1)?.(event.key)) return event.preventDefault();
    const found = binding(isLetter ? event.key.toLowerCase() : event.key);
    if (!found || (elementOf(event).matches("button, a, summary") && event.key === " ")) return;
    event.preventDefault();
    found[1]();
  });
}

/** Show or hide the list of keys beside the page; nothing is covered that one plays with. The focus goes back after it. */
export function toggleHelp() {
  const help = byId("help");
  help.hidden = !help.hidden;
  if (help.hidden) return (cameFrom?.isConnected ? cameFrom : byId("main")).focus();
  const { activeElement: focused } = document;
  cameFrom = focused === document.body ? null : /** @type {HTMLElement | null} */ (focused);
  const known = Object.entries(Object.assign({}, ...scopes));
  const byMeaning = Map.groupBy(known, ([, [about]]) => about);
  fill(
    help,
    el("p", {}, el("a", { href: "/rules" }, t("keys.guide"))),
    el("h2", {}, t("keys.title")),
    el(
      "dl",
      {},
      [...byMeaning].map(([about, keys]) => [
        el(
          "dt",
          {},
          keys.map(([key]) => el("kbd", {}, keyName(key))),
        ),
        el("dd", {}, t(about)),
      ]),
    ),
    el("p", { class: "quiet" }, t("keys.letters")),
    el("button", { type: "button", onclick: toggleHelp, onkeydown: closeOnEscape }, t("keys.close")),
  );
  help.querySelector("button")?.focus();
}

/** @param {KeyboardEvent} event */
function closeOnEscape(event) {
  if (event.key !== "Escape") return;
  event.stopPropagation();
  toggleHelp();
}

/**
 * Whether a key press belongs to a field. Escape always leaves it.
 *
 * @param {KeyboardEvent} event
 */
function isTyping(event) {
  /** @type {HTMLInputElement | null} */
  const field = elementOf(event).closest("input, textarea, select");
  if (!field || ["radio", "checkbox"].includes(field.type)) return false;
  if (event.key === "Escape") field.blur();
  return true;
}

/** @param {Event} event */
function elementOf(event) {
  return /** @type {Element} */ (event.target);
}

/** @param {string} key */
function binding(key) {
  for (const scope of scopes.toReversed()) if (key in scope) return scope[key];
  return null;
}

/** @param {string} key */
function keyName(key) {
  /** @type {Record<string, string>} */
  const names = {
    ArrowLeft: "←",
    ArrowRight: "→",
    ArrowUp: "↑",
    ArrowDown: "↓",
    Escape: "Esc",
    " ": t("keys.space"),
    Home: t("keys.home"),
    End: t("keys.end"),
  };
  return names[key] ?? key.toUpperCase();
}
