// @ts-check
// What all tables of the arena have in common.

import { el } from "./dom.js";
import { t } from "./words.js";

/** @import { Child } from "./dom.js" */

/** The style of the arena, loaded with its first view. */
export function arenaStyle() {
  if (document.getElementById("arena-style")) return null;
  return new Promise((done) => {
    document.head.append(
      el("link", { id: "arena-style", rel: "stylesheet", href: "/static/arena.css", onload: done, onerror: done }),
    );
  });
}

/**
 * What a format is called: `swiss:repeats=5` is shown by the name of `swiss`.
 *
 * @param {string} format
 */
export function formatName(format) {
  const name = format.split(":")[0];
  return name ? t(`arena.format.${name}`) : "";
}

/**
 * A table under its title and some words, of which texts are quiet. It scrolls sideways by itself where it is too wide, also by the keyboard.
 *
 * @param {string} title
 * @param {HTMLElement} table
 * @param {Child[]} words
 */
export function framed(title, table, ...words) {
  return [
    el("h2", {}, title),
    words.map((part) => (typeof part === "string" ? el("p", { class: "quiet" }, part) : part)),
    el("div", { class: "scrolled", role: "region", tabindex: 0, "aria-label": title }, table),
  ];
}

/**
 * The headings of columns, each with whether numbers are below it, and with words about it.
 *
 * @param {(readonly [text: string, isNumber?: boolean, about?: string | null])[]} columns
 */
export function headings(columns) {
  const cells = columns.map(([text, isNumber, title]) =>
    el("th", { scope: "col", class: isNumber ? "number" : null, title }, text),
  );
  return el("thead", {}, el("tr", {}, cells));
}

/**
 * A cell with a number.
 *
 * @param {Child} text
 */
export function figure(text) {
  return el("td", { class: "number" }, text);
}
