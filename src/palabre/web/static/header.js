// The header: where one can go, and the settings, which are all shown at once and act at once.

import { button, el, labelled, refresh, select } from "./dom.js";
import { toggleHelp } from "./keys.js";
import { choose, setting } from "./settings.js";
import { openBeside } from "./sheet.js";
import { t } from "./words.js";

const PLACES = [
  ["/", "nav.new"],
  ["/games", "nav.games"],
  ["/analyse", "nav.analyse"],
  ["/arena", "nav.arena"],
  ["/rules", "nav.rules"],
];
const LANGUAGES = [
  ["en", "English"],
  ["fr", "Français"],
];

/** Show the header for the view that is shown. It is made anew only in another language: an open panel stays open. */
export function header(place) {
  refresh(place, document.documentElement.lang, () => make(place.querySelector("details")?.open ?? false));
  for (const link of place.querySelectorAll("nav a")) {
    if (isCurrent(link.getAttribute("href"))) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

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

function isCurrent(path) {
  return path === "/" ? location.pathname === "/" : location.pathname.startsWith(path);
}

function panel() {
  const pick = (name, options) =>
    labelled(
      t(`settings.${name}`),
      select(options, setting(name), (value) => choose(name, value), { "data-id": `setting-${name}` }),
    );
  const worded = (name, values) =>
    pick(
      name,
      values.map((value) => [value, t(`settings.${name}_${value}`)]),
    );
  const sound = el("input", {
    type: "checkbox",
    "data-id": "setting-sound",
    onchange: () => choose("sound", sound.checked),
  });
  sound.checked = setting("sound");
  return el(
    "div",
    { class: "panel" },
    pick("language", LANGUAGES),
    worded("theme", ["auto", "light", "dark", "contrast"]),
    worded("speed", ["slow", "normal", "fast", "off"]),
    worded("coordinates", ["auto", "on", "off"]),
    el("label", { class: "check" }, sound, t("settings.sound")),
  );
}

function closeOnEscape({ key, currentTarget: settings }) {
  if (key !== "Escape" || !settings.open) return;
  settings.open = false;
  settings.querySelector("summary").focus();
}

/** A press anywhere else closes the settings. */
document.addEventListener("pointerdown", ({ target }) => {
  const settings = document.querySelector("#top .settings");
  if (settings && !settings.contains(target)) settings.open = false;
});
