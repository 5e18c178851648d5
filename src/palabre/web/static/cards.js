// @ts-check
// The games as cards, each a link with the picture of a game.

import { drawn, el } from "./dom.js";

/** @import { GameEntry } from "./protocol.d.ts" */

/**
 * Cards that lead where `address(game)` says, under a `name` for those who listen; small ones say nothing of a game.
 *
 * @param {string} name
 * @param {GameEntry[]} games
 * @param {(game: GameEntry) => string} address
 */
export function cards(name, games, address, isSmall = false) {
  const made = games.map((game) =>
    el(
      "a",
      { class: "card", href: address(game), "data-game": game.name },
      drawn(el("span", { class: "picture", "aria-hidden": "true" }), game.picture),
      el("strong", {}, game.title),
      !isSmall && el("small", {}, game.about),
    ),
  );
  return el("nav", { class: isSmall ? "cards small" : "cards", "aria-label": name }, made);
}
