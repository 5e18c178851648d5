// What a person has chosen for this browser: kept in localStorage, told to whoever wants to know.

const KEY = "palabre.settings";
const DEFAULTS = {
  language: (navigator.language ?? "").startsWith("fr") ? "fr" : "en",
  theme: "auto", // auto, light, dark, contrast
  sound: false,
  speed: "normal", // of animations: slow, normal, fast, off
  coordinates: "auto", // auto: not on narrow screens; on; off
};

const listeners = new Set();
let values = { ...DEFAULTS, ...stored(KEY, {}) };

/** The value of a setting. */
export function setting(name) {
  return values[name];
}

/** Change a setting, keep it, and tell all who listen: `listener(name, value)`. */
export function choose(name, value) {
  values = { ...values, [name]: value };
  keep(KEY, values);
  applyTheme();
  for (const listener of [...listeners]) listener(name, value);
}

/** Listen for changes. Returns a function that ends it. */
export function onChange(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Show the chosen theme and coordinates; style.css does the rest. By itself, it follows a system that asks for contrast. */
export function applyTheme() {
  const isStrong = values.theme === "auto" && matchMedia("(prefers-contrast: more)").matches;
  document.documentElement.dataset.theme = isStrong ? "contrast" : values.theme;
  document.documentElement.dataset.coordinates = values.coordinates;
}

/** What was kept under a key, or `otherwise` where storage is empty, damaged or forbidden. */
export function stored(key, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(key)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

/** Keep something; a browser that forbids storage forgets it, and nothing else happens. */
export function keep(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Private windows of some browsers refuse: the choice lasts as long as the page.
  }
}
