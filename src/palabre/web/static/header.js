// @ts-check
// The header: where one can go, and the settings, which are all shown at once and act at once.

import { button, check, el, labelled, refresh, select } from "./dom.js";
import { toggleHelp } from "./keys.js";
import { choose, setting } from "./settings.js";
import { openBeside } from "./sheet.js";
import { t } from "./words.js";

/** @import { Settings } from "./settings.js" */

const PLACES = [
  ["/", "nav.new"],
  ["/games", "nav.games"],
  ["/analyse", "nav.analyse"],
  ["/arena", "nav.arena"],
  ["/rules", "nav.rules"],
];
/** @type {[string, string][]} */
const LANGUAGES = [
  ["en", "English"],
  ["fr", "Français"],
];

/**
 * Show the header for the view that is shown. It is made anew only in another language: an open panel stays open.
 *
 * @param {HTMLElement} place
 */
export function header(place) {
  refresh(place, document.documentElement.lang, () => make(place.querySelector("details")?.open ?? false));
  for (const link of place.querySelectorAll("nav a")) {
    if (isCurrent(link.getAttribute("href") ?? "")) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

/** @param {boolean} isOpen */
function make(isOpen) {
  return [
    el(
      "a",
      { class: "brand", href: "/", "aria-label": "Palabre" },
      el("img", { src: "/static/icon.svg", alt: "", width: 28, height: 28 }),
      el("span", {}, "Palabre"),
    ),
    el(
      "nav",
      { "aria-label": t("nav.label") },
      PLACES.map(([path, id]) =>
        el("a", { href: path, "data-id": id, onclick: path === "/rules" ? openBeside : null }, t(id)),
      ),
    ),
    button("?", toggleHelp, { class: "round", "aria-label": t("keys.help"), "data-id": "help" }),
    el(
      "details",
      { class: "settings", open: isOpen, onkeydown: closeOnEscape },
      el("summary", {}, t("settings.title")),
      panel(),
    ),
  ];
}

/** @param {string} path */
function isCurrent(path) {
  return path === "/" ? location.pathname === "/" : location.pathname.startsWith(path);
}

function panel() {
  /** @type {(name: Exclude<keyof Settings, "sound">, options: [string, string][]) => HTMLElement} */
  const pick = (name, options) =>
    labelled(
      t(`settings.${name}`),
      select(options, setting(name), (value) => choose(name, value), { "data-id": `setting-${name}` }),
    );
  /** @type {(name: Exclude<keyof Settings, "sound">, values: string[]) => HTMLElement} */
  const worded = (name, values) =>
    pick(
      name,
      values.map((value) => [value, t(`settings.${name}_${value}`)]),
    );
  return el(
    "div",
    { class: "panel" },
    pick("language", LANGUAGES),
    worded("theme", ["auto", "light", "dark", "contrast"]),
    worded("speed", ["slow", "normal", "fast", "off"]),
    worded("coordinates", ["auto", "on", "off"]),
    check(t("settings.sound"), setting("sound"), (isOn) => choose("sound", isOn), { "data-id": "setting-sound" }),
  );
}

/** @param {KeyboardEvent} event */
function closeOnEscape({ key, currentTarget }) {
  const settings = /** @type {HTMLDetailsElement} */ (currentTarget);
  if (key !== "Escape" || !settings.open) return;
  settings.open = false;
  settings.querySelector("summary")?.focus();
}

/** A press anywhere else closes the settings. */
document.addEventListener("pointerdown", ({ target }) => {
  /** @type {HTMLDetailsElement | null} */
  const settings = document.querySelector("#top .settings");
  if (settings && !settings.contains(/** @type {Node} */ (target))) settings.open = false;
});
