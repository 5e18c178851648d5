// @ts-check
// The games of this browser; the operator and watchers see all.

import { el, fill } from "./dom.js";
import { t } from "./words.js";

/**
 * @import { App } from "./app.js"
 * @import { RoomEntry } from "./protocol.d.ts"
 */

const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;

/**
 * @param {App} app
 * @param {HTMLElement} root
 */
export async function gamesView(app, root) {
  const isWatcher = app.welcome.role === "watcher";
  const title = t(isWatcher ? "games.title_all" : "games.title");
  app.title(title);
  const rooms = await app.ask({ kind: "Rooms" });
  const list = el(
    "ul",
    { class: "rooms" },
    rooms.map((entry) => row(entry)),
  );
  fill(
    root,
    el("h1", {}, title),
    isWatcher && el("p", { class: "lead" }, t("games.watching")),
    rooms.length ? list : el("p", {}, t("games.none"), " ", !isWatcher && el("a", { href: "/" }, t("nav.new"))),
  );
}

/**
 * @param {RoomEntry} entry
 */
function row(entry) {
  return el(
    "li",
    {},
    el(
      "a",
      { class: "box", href: `/play/${entry.room}`, "data-room": entry.room },
      el("strong", {}, entry.title),
      el("span", { class: "players" }, entry.players.filter(Boolean).join(" – ")),
      el("span", { class: entry.is_over ? "quiet" : "status" }, entry.status),
      el("span", { class: "quiet" }, t("games.moves", { count: entry.plies }), ", ", ago(entry.seconds_ago)),
    ),
  );
}

/**
 * @param {number} seconds
 */
function ago(seconds) {
  if (seconds < MINUTE) return t("games.now");
  if (seconds < HOUR) return t("games.minutes", { number: Math.floor(seconds / MINUTE) });
  if (seconds < DAY) return t("games.hours", { number: Math.floor(seconds / HOUR) });
  return t("games.days", { number: Math.floor(seconds / DAY) });
}
