// The rules of a game beside the board, without leaving it. The browser's way back closes them.

import { button, drawn, el, fill } from "./dom.js";

let cameFrom = null; // where the focus was before

/** A link to the rules of a game, which opens them beside the board. */
export function rulesLink(app, game) {
  app.leave(hide);
  const open = (event) => {
    if (event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    openRules(app, game);
  };
  return el("a", { href: `/rules/${encodeURIComponent(game)}`, onclick: open, "data-id": "rules" }, app.t("room.rules"));
}

/** Close what is open beside the board; false if nothing is. */
export function closeSheet() {
  if (sheet().hidden) return false;
  hide();
  if (cameFrom?.isConnected) cameFrom.focus();
  return true;
}

async function openRules(app, game) {
  const page = await app.attempt({ kind: "Rules", game });
  if (!page || !app.isHere || !sheet().hidden) return;
  cameFrom = document.activeElement;
  history.pushState(null, "", location.href);
  const back = button(app.t("room.back"), () => history.back(), { "data-id": "close-rules" });
  fill(sheet(), el("div", { class: "row" }, back), drawn(el("div", { class: "prose" }), page.markup));
  sheet().setAttribute("aria-label", `${page.title}: ${app.t("rules.title")}`);
  sheet().onkeydown = (event) => event.key === "Escape" && (event.stopPropagation(), history.back());
  sheet().hidden = false;
  sheet().scrollTop = 0;
  back.focus();
}

function sheet() {
  return document.getElementById("sheet");
}

function hide() {
  sheet().hidden = true;
  fill(sheet());
}
