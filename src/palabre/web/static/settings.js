// @ts-check
// What a person has chosen for this browser: kept in localStorage, with listeners.

/**
 * @typedef {typeof DEFAULTS} Settings
 *
 * @typedef {(name: keyof Settings, value: Settings[keyof Settings]) => unknown} Listener
 */

const KEY = "palabre.settings";
const DEFAULTS = {
  language: (navigator.language ?? "").startsWith("fr") ? "fr" : "en",
  theme: "auto", // auto, light, dark, contrast
  sound: false,
  speed: "normal", // of animations: slow, normal, fast, off
  coordinates: "auto", // auto: not on narrow screens; on; off
};

/** @type {Listener[]} */
const listeners = [];
/** @type {Settings} */
let values = { ...DEFAULTS, ...stored(KEY, {}) };

/**
 * The value of a setting.
 *
 * @template {keyof Settings} Name
 * @param {Name} name
 */
export function setting(name) {
  return values[name];
}

/**
 * Change a setting, keep it, and call all listeners: `listener(name, value)`.
 *
 * @template {keyof Settings} Name
 * @param {Name} name
 * @param {Settings[Name]} value
 */
export function choose(name, value) {
  values = { ...values, [name]: value };
  keep(KEY, values);
  applyTheme();
  for (const listener of listeners) listener(name, value);
}

/**
 * Listen for changes from now on.
 *
 * @param {Listener} listener
 */
export function onChange(listener) {
  listeners.push(listener);
}

/** Show the chosen theme and coordinates; style.css does the rest. By itself, it follows a system that asks for contrast. */
export function applyTheme() {
  const isStrong = values.theme === "auto" && matchMedia("(prefers-contrast: more)").matches;
  document.documentElement.dataset.theme = isStrong ? "contrast" : values.theme;
  document.documentElement.dataset.coordinates = values.coordinates;
}

/**
 * Sound something, for those who want that; the notes are loaded with the first.
 *
 * @param {"tick" | "turn" | "end"} what
 */
export async function sound(what) {
  if (values.sound) (await import("./sound.js"))[what]();
}

/**
 * What was kept under a key, or `otherwise` where storage is empty, damaged or forbidden.
 *
 * @param {string} key
 * @param {any} otherwise
 */
export function stored(key, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null") ?? otherwise;
  } catch {
    return otherwise;
  }
}

/**
 * Keep something; a browser that forbids storage forgets it, and nothing else happens.
 *
 * @param {string} key
 * @param {unknown} value
 */
export function keep(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Private windows of some browsers refuse: the choice lasts as long as the page.
  }
}
