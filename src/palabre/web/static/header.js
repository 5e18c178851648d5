// The header: where one can go, and the settings, which are all shown at once and act at once.

import { button, el, fill, labelled, select } from "./dom.js";
import { toggleHelp } from "./keys.js";
import { choose, setting } from "./settings.js";
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

/** Fill the header for the view that is shown. */
export function header(place, app) {
  const wasOpen = place.querySelector("details")?.open ?? false;
  const focused = place.contains(document.activeElement) ? document.activeElement.dataset.id : null;
  const links = PLACES.map(([path, id]) =>
    el("a", { href: path, "aria-current": isCurrent(path) ? "page" : null, "data-id": id }, t(id)),
  );
  const settings = el("details", { class: "settings", open: wasOpen }, el("summary", {}, t("settings.title")), panel());
  closeOnLeave(settings, app);
  fill(
    place,
    el(
      "a",
      { class: "brand", href: "/", "aria-label": "Palabre" },
      el("img", { src: "/static/icon.svg", alt: "", width: 28, height: 28 }),
      el("span", {}, "Palabre"),
    ),
    el("nav", { "aria-label": t("nav.label") }, links),
    button("?", toggleHelp, { class: "round", "aria-label": t("keys.help"), "data-id": "help" }),
    settings,
  );
  if (focused) place.querySelector(`[data-id="${focused}"]`)?.focus();
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

/** Close the settings when one clicks elsewhere or presses Escape. */
function closeOnLeave(details, app) {
  const onPointer = (event) => details.contains(event.target) || (details.open = false);
  const onKey = (event) =>
    event.key === "Escape" && details.open && ((details.open = false), details.querySelector("summary").focus());
  document.addEventListener("pointerdown", onPointer);
  details.addEventListener("keydown", onKey);
  app.leave(() => document.removeEventListener("pointerdown", onPointer));
}
