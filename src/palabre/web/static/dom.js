// @ts-check
// Elements made in one call. Texts are only ever set as text: markup comes from the server's drawing alone (`drawn`).

/**
 * @import { GameEntry } from "./protocol.d.ts"
 *
 * What can be put into an element, see `el`.
 *
 * @typedef {Node | string | number | false | null | undefined | readonly Child[]} Child
 *
 * @typedef {{ [name: string]: string | number | boolean | null | undefined | ((event: any) => unknown) }} Attributes
 */

const SVG = "http://www.w3.org/2000/svg";

/**
 * An HTML element with attributes and children.
 *
 * An attribute `onclick` (or any `on…` with a function) becomes a listener, `class` and `data-…` are what they are
 * in HTML, true and false set or leave out an attribute, and null is left out. Children are nodes, texts, numbers, or
 * lists of these; null and false are left out.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} attributes
 * @param {Child[]} children
 */
export function el(tag, attributes = {}, ...children) {
  return furnish(document.createElement(tag), attributes, children);
}

/**
 * An SVG element, in the same manner.
 *
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} attributes
 * @param {Child[]} children
 */
export function svg(tag, attributes = {}, ...children) {
  return furnish(document.createElementNS(SVG, tag), attributes, children);
}

/**
 * @template {Element} Made
 * @param {Made} made
 * @param {Attributes} attributes
 * @param {Child[]} children
 */
function furnish(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") made.addEventListener(name.slice(2), value);
    else if (name === "value") /** @type {HTMLInputElement} */ (/** @type {unknown} */ (made)).value = String(value);
    else made.setAttribute(name, value === true ? "" : String(value));
  }
  made.append(...nodesOf(children));
  return made;
}

/**
 * Children as one list of nodes.
 *
 * @param {Child[]} children
 */
function nodesOf(children) {
  const flat = /** @type {unknown[]} */ (children).flat(Infinity);
  const shown = flat.filter((child) => child !== null && child !== undefined && child !== false);
  return shown.map((child) => (child instanceof Node ? child : document.createTextNode(String(child))));
}

/**
 * Put markup that the server has drawn into an element. Nothing that people or bots have written may come here.
 *
 * @template {Element} Home
 * @param {Home} element
 * @param {string} markup
 */
export function drawn(element, markup) {
  element.innerHTML = markup;
  return element;
}

/**
 * Let an element have these children and no others. Those that it has already stay in it: a press that has begun on one
 * of them becomes a click, and the focus stays where it is.
 *
 * @template {Element} Home
 * @param {Home} element
 * @param {Child[]} children
 */
export function fill(element, ...children) {
  const wanted = nodesOf(children);
  const staying = new Set(wanted);
  const { activeElement: focused } = document;
  for (const child of [...element.childNodes]) if (!staying.has(child)) child.remove();
  for (const [at, child] of wanted.entries()) {
    const there = element.childNodes[at];
    if (there !== child) element.insertBefore(child, there ?? null);
  }
  if (focused instanceof HTMLElement && element.contains(focused)) focused.focus({ preventScroll: true }); // It was moved.
  return element;
}

/** @type {WeakMap<Element, Map<unknown, Element>>} */
const partsIn = new WeakMap(); // element: its parts by their keys

/**
 * Fill an element with parts, each as [key, make]: `make()` is called for those whose keys were not there before, the
 * others stay. Returns the parts.
 *
 * @template {Element} Part
 * @param {Element} element
 * @param {(readonly [key: unknown, make: () => Part])[]} parts
 */
export function fillByKey(element, parts) {
  const before = /** @type {Map<unknown, Part> | undefined} */ (partsIn.get(element));
  const now = new Map(parts.map(([key, make]) => [key, before?.get(key) ?? make()]));
  partsIn.set(element, now);
  fill(element, ...now.values());
  return [...now.values()];
}

/** @type {WeakMap<Element, string>} */
const shownIn = new WeakMap(); // element: what it was filled with by `refresh`

/**
 * Replace all children by what `make()` gives, but only if `key` is not what it was the last time. The focus stays on
 * the control of the same `data-id`.
 *
 * What the reader is about to click, has opened or listens to is left alone by news that do not concern it.
 *
 * @param {Element} element
 * @param {unknown} key
 * @param {() => Child} make
 */
export function refresh(element, key, make) {
  const wanted = JSON.stringify(key);
  if (shownIn.get(element) === wanted) return;
  shownIn.set(element, wanted);
  const { activeElement: focused } = document;
  const name = focused instanceof HTMLElement && element.contains(focused) && focused.dataset.id;
  fill(element, make());
  if (name) find(element, `[data-id="${CSS.escape(name)}"]`)?.focus({ preventScroll: true });
}

/**
 * The first element of HTML in another one that a selector describes.
 *
 * @param {ParentNode} element
 * @param {string} selector
 */
export function find(element, selector) {
  return /** @type {HTMLElement | null} */ (element.querySelector(selector));
}

/**
 * Homes for what a view shows, by their names, which are their classes.
 *
 * @param {string[]} names
 * @param {(name: string) => Attributes} attributes
 * @returns {Record<string, HTMLElement>}
 */
export function homes(names, attributes = (name) => ({ class: name })) {
  return Object.fromEntries(names.map((name) => [name, el("div", attributes(name))]));
}

/**
 * An element of index.html.
 *
 * @param {string} id
 */
export function byId(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id));
}

/**
 * Set a text only if it changes, so that live regions are not read again and selections stay.
 *
 * @param {Element} element
 * @param {string} text
 */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/**
 * The heading of a view, and a line about it: its lead, or quiet words.
 *
 * @param {string} title
 * @param {Child} about
 */
export function heading(title, about, kind = "lead") {
  return el("div", { class: "heading" }, el("h1", {}, title), el("p", { class: kind }, about));
}

/**
 * Cards that lead where `address(game)` says, under a `name` for those who listen; small ones say nothing of a game.
 *
 * @param {string} name
 * @param {GameEntry[]} games
 * @param {(game: GameEntry) => string} address
 */
export function cards(name, games, address, isSmall = false) {
  const made = games.map((game) =>
    el(
      "a",
      { class: "card", href: address(game), "data-game": game.name },
      drawn(el("span", { class: "picture", "aria-hidden": "true" }), game.picture),
      el("strong", {}, game.title),
      !isSmall && el("small", {}, game.about),
    ),
  );
  return el("nav", { class: isSmall ? "cards small" : "cards", "aria-label": name }, made);
}

/**
 * Details under a title, which are made when they are first opened.
 *
 * @param {string} kind
 * @param {string} title
 * @param {() => Promise<Child>} make
 */
export function detailsLater(kind, title, make) {
  const made = el("details", { class: kind }, el("summary", {}, title));
  made.addEventListener("toggle", async () => made.append(...nodesOf([await make()])), { once: true });
  return made;
}

/**
 * A button with a text; `attributes` as in `el`.
 *
 * @param {Child} text
 * @param {(event: MouseEvent) => unknown} onclick
 * @param {Attributes} attributes
 */
export function button(text, onclick, attributes = {}) {
  return el("button", { type: "button", onclick, ...attributes }, text);
}

/**
 * A form field under its label: `control` is an input, select or textarea.
 *
 * @param {string} text
 * @param {Element} control
 * @param {string | null} about
 */
export function labelled(text, control, about = null) {
  return el(
    "label",
    { class: "field" },
    el("span", { class: "label" }, text),
    control,
    about && el("small", {}, about),
  );
}

/**
 * A select with options given as [value, text] pairs.
 *
 * @param {(readonly [string | number, string])[]} options
 * @param {string | number} chosen
 * @param {(value: string) => unknown} onchange
 * @param {Attributes} attributes
 */
export function select(options, chosen, onchange, attributes = {}) {
  const made = options.map(([value, text]) =>
    el("option", { value, selected: String(value) === String(chosen) }, text),
  );
  return el("select", { onchange: ({ target }) => onchange(target.value), ...attributes }, made);
}

/**
 * Radio buttons as a group under a heading; options are [value, text, about].
 *
 * @param {string} name
 * @param {string} legend
 * @param {(readonly [string, string, string])[]} options
 * @param {string} chosen
 * @param {(value: string) => unknown} onchange
 */
export function radios(name, legend, options, chosen, onchange) {
  const made = options.map(([value, text, about]) =>
    el(
      "label",
      { class: "radio" },
      el("input", { type: "radio", name, value, checked: value === chosen, onchange: () => onchange(value) }),
      el("span", {}, el("strong", {}, text), about && el("small", {}, about)),
    ),
  );
  return el("fieldset", { class: "radios", "data-id": name }, el("legend", {}, legend), made);
}

/**
 * A checkbox before its text.
 *
 * @param {string} text
 * @param {boolean} isChecked
 * @param {(isChecked: boolean) => unknown} onchange
 * @param {Attributes} attributes
 */
export function check(text, isChecked, onchange, attributes) {
  const listener = { onchange: (/** @type {any} */ { target }) => onchange(target.checked) };
  const box = el("input", { type: "checkbox", checked: isChecked, ...listener, ...attributes });
  return el("label", { class: "check" }, box, text);
}

/**
 * An input that has the browser check what is entered; `onchange` gets what is valid.
 *
 * @param {Attributes} attributes
 * @param {(value: string) => unknown} onchange
 */
export function checkedInput(attributes, onchange) {
  return el("input", { onchange: ({ target }) => target.reportValidity() && onchange(target.value), ...attributes });
}

/**
 * The sign of a player, as the server has drawn it.
 *
 * @param {string} markup
 */
export function swatch(markup) {
  return drawn(svg("svg", { class: "swatch", viewBox: "-11 -11 22 22", "aria-hidden": "true" }), markup);
}

const ICONS = {
  first: "M6 5h2v14H6zM19 5v14l-10-7z",
  back: "M17 5v14L6 12z",
  next: "M7 5v14l11-7z",
  last: "M16 5h2v14h-2zM5 5v14l10-7z",
  flip: "M12 4V1L7 5.5 12 10V7a5 5 0 1 1-5 5H4a8 8 0 1 0 8-8z",
  enter: "M19 5v6H8V7l-6 5.5L8 18v-4h14V5z",
};

/**
 * A small picture for a button that also has a name.
 *
 * @param {keyof typeof ICONS} name
 */
export function icon(name) {
  return svg("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: ICONS[name] }));
}

/**
 * Scroll a box, and not the page, so that an item in it is seen; to its top if there is none.
 *
 * @param {HTMLElement} box
 * @param {HTMLElement} [item]
 */
export function keepInSight(box, item) {
  if (!box.isConnected || !box.clientHeight)
    return void requestAnimationFrame(() => box.isConnected && scrollBox(box, item));
  scrollBox(box, item);
}

/**
 * @param {HTMLElement} box
 * @param {HTMLElement} [item]
 */
function scrollBox(box, item) {
  if (!item?.isConnected) return box.scrollTo({ top: 0 });
  const above = item.getBoundingClientRect().top - box.getBoundingClientRect().top - box.clientTop + box.scrollTop;
  const below = above + item.offsetHeight - box.clientHeight;
  box.scrollTop = Math.max(Math.min(box.scrollTop, above), below);
}
