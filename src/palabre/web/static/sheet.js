// @ts-check
// The rules of a game beside the board, without leaving it. The browser's way back closes them.

import { button, byId, drawn, el, fill } from "./dom.js";
import { t } from "./words.js";

/** @import { App } from "./app.js" */

const sheet = byId("sheet");
/** @type {HTMLElement | null} */
let cameFrom = null; // where the focus was before
/** @type {(() => unknown) | null} */
let open = null; // opens the rules of the game on the board, if there is one

/**
 * A link to the rules of the game on the board, which opens them beside it, as the link in the header does then.
 *
 * @param {App} app
 * @param {string} game
 */
export function rulesLink(app, game) {
  open = () => openRules(app, game);
  app.leave(() => {
    hide();
    open = null;
  });
  return el(
    "a",
    { href: `/rules/${encodeURIComponent(game)}`, onclick: openBeside, "data-id": "rules" },
    t("room.rules"),
  );
}

/**
 * Let a click on a link to rules open or close them beside the board, if there is one.
 *
 * @param {MouseEvent} event
 */
export function openBeside(event) {
  if (!open || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  if (sheet.hidden) open();
  else history.back();
}

/** Close what is open beside the board; false if nothing is. */
export function closeSheet() {
  if (sheet.hidden) return false;
  hide();
  if (cameFrom?.isConnected) cameFrom.focus();
  return true;
}

/**
 * @param {App} app
 * @param {string} game
 */
async function openRules(app, game) {
  const page = await app.attempt({ kind: "Rules", game });
  if (!page || !app.isHere || !sheet.hidden) return;
  cameFrom = /** @type {HTMLElement | null} */ (document.activeElement);
  history.pushState(null, "", location.href);
  const back = button(t("room.back"), () => history.back(), { "data-id": "close-rules" });
  fill(sheet, el("div", { class: "row" }, back), drawn(el("div", { class: "prose" }), page.markup));
  sheet.setAttribute("aria-label", `${page.title}: ${t("rules.title")}`);
  sheet.onkeydown = (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    history.back();
  };
  sheet.hidden = false;
  sheet.scrollTop = 0;
  back.focus();
}

function hide() {
  sheet.hidden = true;
  fill(sheet);
}
