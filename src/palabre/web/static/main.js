// @ts-check
// The page: which view a path shows, the header around it, and the connection below it.

import { App, notify } from "./app.js";
import { button, byId, el, fill, find, refresh } from "./dom.js";
import { header } from "./header.js";
import { know, listen, toggleHelp } from "./keys.js";
import { Net } from "./net.js";
import { applyTheme, onChange, setting } from "./settings.js";
import { closeSheet } from "./sheet.js";
import { speak, t } from "./words.js";

/**
 * @import { Child } from "./dom.js"
 * @import { Params } from "./app.js"
 * @import { Welcome } from "./protocol.d.ts"
 *
 * @typedef {(app: App, root: HTMLElement, params: Params) => unknown} View
 */

/**
 * A view is loaded when it is first shown.
 *
 * @type {[pattern: RegExp, load: () => Promise<any>, name: string][]}
 */
const ROUTES = [
  [/^\/$/, () => import("./newgame.js"), "newGameView"],
  [/^\/play\/(?<room>[\w-]+)$/, () => import("./room.js"), "roomView"],
  [/^\/analyse$/, () => import("./analyse.js"), "analyseView"],
  [/^\/arena$/, () => import("./arena.js"), "arenaView"],
  [/^\/event\/(?<event>[^/]+)$/, () => import("./event.js"), "eventView"],
  [/^\/rules\/?(?<game>.*)$/, () => import("./rules.js"), "rulesView"],
  [/^\/games$/, () => import("./games.js"), "gamesView"],
];

const net = new Net(
  `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/socket`,
  () => ({ kind: "Hello", language: /** @type {"en" | "fr"} */ (setting("language")) }),
  () => t("net.lost"),
);
/** @type {App | null} */
let shown = null; // the app of the view that is shown
/** @type {Welcome} */
let welcome;
let turn = 0; // which call of `show` is the newest

/**
 * Go to a path of this page, as a link does.
 *
 * @param {string} path
 */
function go(path) {
  const isHere = path === location.pathname + location.search + location.hash;
  history[isHere ? "replaceState" : "pushState"](null, "", path);
  show({ isNew: true });
}

/** Show the view of the path in a new root; the former one is replaced when the new one has something to show. */
async function show({ isNew = false } = {}) {
  const mine = ++turn;
  const route = routeOf(location.pathname);
  const query = new URLSearchParams(location.search);
  const hash = decodeURIComponent(location.hash.slice(1));
  const params = /** @type {Params} */ (/** @type {unknown} */ ({ ...route?.found.groups, query, hash }));
  shown?.end();
  const app = new App(net, go, welcome);
  shown = app;
  const root = el("div", { class: "view" });
  header(byId("top"));
  try {
    if (!route) throw new Error(t("route.unknown", { path: location.pathname }));
    const view = await route.load();
    await net.ready();
    app.welcome = welcome;
    await view(app, root, params);
  } catch (error) {
    fill(
      root,
      el("h1", {}, t("route.failed")),
      el("p", {}, error.message),
      el("p", {}, el("a", { href: "/" }, t("route.home"))),
    );
  }
  if (mine !== turn) return;
  fill(byId("main"), root);
  if (isNew) arrive(root);
}

/**
 * Begin at the top of a new view, with the focus on its heading.
 *
 * @param {HTMLElement} root
 */
function arrive(root) {
  scrollTo(0, 0);
  const heading = find(root, "h1") ?? byId("main");
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

/** @param {string} path */
function routeOf(path) {
  for (const [pattern, load, name] of ROUTES) {
    const found = pattern.exec(path);
    if (found) return { found, load: async () => /** @type {View} */ ((await load())[name]) };
  }
  return null;
}

/**
 * Links of this page change the view; downloads and links to elsewhere are the browser's.
 *
 * @param {MouseEvent} event
 */
function onClick(event) {
  /** @type {HTMLAnchorElement | null} */
  const link = /** @type {Element} */ (event.target).closest("a[href]");
  if (
    !link ||
    event.defaultPrevented ||
    event.button ||
    event.metaKey ||
    event.ctrlKey ||
    event.shiftKey ||
    event.altKey
  )
    return;
  if (link.origin !== location.origin || link.target || link.hasAttribute("download") || !routeOf(link.pathname))
    return;
  if (link.getAttribute("href")?.startsWith("#")) return;
  event.preventDefault();
  go(link.pathname + link.search + link.hash);
}

/**
 * @param {string} text
 * @param {() => Child} actions
 */
function banner(text, actions = () => null) {
  const place = byId("banner");
  place.hidden = !text;
  refresh(place, text, () => [text, actions()]);
}

async function changeLanguage() {
  await speak(setting("language"));
  byId("skip").textContent = t("skip");
  await net.greet();
  await show();
}

async function start() {
  applyTheme();
  await speak(setting("language"));
  byId("skip").textContent = t("skip");
  net.on("Welcome", (message) => (welcome = message));
  net.on("Online", () => banner(""));
  net.on("Offline", ({ ended }) =>
    banner(t(ended ? "net.ended" : "net.offline"), () => button(t("net.now"), () => net.retry())),
  );
  net.open();
  listen();
  know({ "?": ["keys.help", toggleHelp] });
  onChange((name) => name === "language" && changeLanguage().catch((error) => notify(error.message)));
  addEventListener("popstate", () => closeSheet() || show({ isNew: true }));
  document.addEventListener("click", onClick);
  await show();
}

start();
