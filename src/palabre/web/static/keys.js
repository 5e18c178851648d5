// The keyboard: every view says which keys it knows, and `?` shows them all.
//
// Letters begin moves as well. A letter that begins a move that may be played now goes to the move field; with Shift it
// is always a shortcut.

import { el, fill } from "./dom.js";
import { t } from "./words.js";

const scopes = []; // the innermost last; each a map of key: {run, about}
const typists = []; // who takes letters that begin a move: (letter) => whether it was taken
let cameFrom = null; // where the focus was before the list of keys was shown

/** Know keys, as { KeyName: [about, run] }, until the returned function is called. `about` is the id of a text. */
export function know(keys) {
  scopes.push(keys);
  return () => scopes.splice(scopes.indexOf(keys), 1);
}

/** Take letters that begin a move, until the returned function is called. */
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
    if (!found || (event.target.matches("button, a, summary") && event.key === " ")) return;
    event.preventDefault();
    found[1]();
  });
}

/** Show or hide the list of keys beside the page; nothing is covered that one plays with. The focus goes back after it. */
export function toggleHelp() {
  const help = document.getElementById("help");
  help.hidden = !help.hidden;
  if (help.hidden) return (cameFrom?.isConnected ? cameFrom : document.getElementById("main")).focus();
  cameFrom = document.activeElement === document.body ? null : document.activeElement;
  const known = new Map(scopes.flatMap((scope) => Object.entries(scope).map(([key, [about]]) => [key, about])));
  const byMeaning = Map.groupBy([...known], ([, about]) => about);
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
  help.querySelector("button").focus();
}

function closeOnEscape(event) {
  if (event.key !== "Escape") return;
  event.stopPropagation();
  toggleHelp();
}

/** Whether a key press belongs to a field. Escape always leaves it. */
function isTyping(event) {
  const field = event.target.closest?.("input, textarea, select");
  if (!field || ["radio", "checkbox"].includes(field.type)) return false;
  if (event.key === "Escape") field.blur();
  return true;
}

function binding(key) {
  for (const scope of scopes.toReversed()) if (key in scope) return scope[key];
  return null;
}

function keyName(key) {
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
