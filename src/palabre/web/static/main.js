// The page: which view a path shows, the header around it, and the connection below it.

import { App, notify } from "./app.js";
import { button, el, fill } from "./dom.js";
import { header } from "./header.js";
import { know, listen, toggleHelp } from "./keys.js";
import { Net } from "./net.js";
import { mendPresses } from "./press.js";
import { applyTheme, onChange, setting } from "./settings.js";
import { closeSheet } from "./sheet.js";
import { speak, t } from "./words.js";

// A view is loaded when it is first shown.
const ROUTES = [
  [/^\/$/, () => import("./newgame.js"), "newGameView"],
  [/^\/play\/(?<room>[\w-]+)$/, () => import("./room.js"), "roomView"],
  [/^\/analyse$/, () => import("./analyse.js"), "analyseView"],
  [/^\/arena$/, () => import("./arena.js"), "arenaView"],
  [/^\/event\/(?<event>[^/]+)$/, () => import("./arena.js"), "eventView"],
  [/^\/rules\/?(?<game>.*)$/, () => import("./rules.js"), "rulesView"],
  [/^\/games$/, () => import("./games.js"), "gamesView"],
];

const net = new Net(
  `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/socket`,
  () => ({ kind: "Hello", language: setting("language") }),
  () => t("net.lost"),
);
let shown = null; // the app of the view that is shown
let welcome = null;
let turn = 0; // which call of `show` is the newest

/** Go to a path of this page, as a link does. */
function go(path, { replace = false } = {}) {
  if (path === location.pathname + location.search + location.hash) replace = true;
  history[replace ? "replaceState" : "pushState"](null, "", path);
  show({ isNew: true });
}

/** Show the view of the path in a new root; the former one is replaced when the new one has something to show. */
async function show({ isNew = false } = {}) {
  const mine = ++turn;
  const [found, load, name] = routeOf(location.pathname);
  const params = {
    ...found?.groups,
    query: new URLSearchParams(location.search),
    hash: decodeURIComponent(location.hash.slice(1)),
  };
  shown?.end();
  const app = (shown = new App(net, go, welcome));
  const root = el("div", { class: "view" });
  header(document.getElementById("top"));
  try {
    if (!found) throw new Error(t("route.unknown", { path: location.pathname }));
    const view = (await load())[name];
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
  fill(document.getElementById("main"), root);
  if (isNew) arrive(root);
}

/** Begin at the top of a new view, with the focus on its heading. */
function arrive(root) {
  scrollTo(0, 0);
  const heading = root.querySelector("h1") ?? document.getElementById("main");
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

function routeOf(path) {
  for (const [pattern, load, name] of ROUTES) {
    const found = pattern.exec(path);
    if (found) return [found, load, name];
  }
  return [null];
}

/** Links of this page change the view; downloads and links to elsewhere are the browser's. */
function onClick(event) {
  const link = event.target.closest("a[href]");
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
  if (link.origin !== location.origin || link.target || link.hasAttribute("download") || !routeOf(link.pathname)[0])
    return;
  if (link.getAttribute("href").startsWith("#")) return;
  event.preventDefault();
  go(link.pathname + link.search + link.hash);
}

function banner(text, ...actions) {
  const place = document.getElementById("banner");
  place.hidden = !text;
  fill(place, text, actions);
}

async function changeLanguage() {
  await speak(setting("language"));
  document.getElementById("skip").textContent = t("skip");
  await net.greet();
  await show();
}

async function start() {
  applyTheme();
  await speak(setting("language"));
  document.getElementById("skip").textContent = t("skip");
  net.on("Welcome", (message) => (welcome = message));
  net.on("Online", () => banner(""));
  net.on("Offline", ({ ended }) =>
    banner(
      t(ended ? "net.ended" : "net.offline"),
      button(t("net.now"), () => net.retry()),
    ),
  );
  net.open();
  listen();
  mendPresses();
  know({ "?": ["keys.help", toggleHelp] });
  onChange((name) => name === "language" && changeLanguage().catch((error) => notify(error.message)));
  addEventListener("popstate", () => closeSheet() || show({ isNew: true }));
  document.addEventListener("click", onClick);
  await show();
}

start();
