// Elements made in one call. Texts are only ever set as text: markup comes from the server's drawing alone (`drawn`).

const SVG = "http://www.w3.org/2000/svg";

/**
 * An HTML element with attributes and children.
 *
 * An attribute `onclick` (or any `on…` with a function) becomes a listener, `class` and `data-…` are what they are
 * in HTML, true and false set or leave out an attribute, and null is left out. Children are nodes, texts, numbers, or
 * lists of these; null and false are left out.
 */
export function el(tag, attributes = {}, ...children) {
  return furnish(document.createElement(tag), attributes, children);
}

/** An SVG element, in the same manner. */
export function svg(tag, attributes = {}, ...children) {
  return furnish(document.createElementNS(SVG, tag), attributes, children);
}

function furnish(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") made.addEventListener(name.slice(2), value);
    else if (name === "value") made.value = value;
    else made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

/** Put markup that the server has drawn into an element. Nothing that people or bots have written may come here. */
export function drawn(element, markup) {
  element.innerHTML = markup;
  return element;
}

/** Replace all children. */
export function fill(element, ...children) {
  element.replaceChildren();
  return furnish(element, {}, children);
}

/** Replace all children and keep the focus on the control of the same `data-id`, and where a frame was scrolled to. */
export function refill(element, ...children) {
  const focused = element.contains(document.activeElement) ? document.activeElement.dataset.id : null;
  const scrolls = [...element.querySelectorAll(".scrolled")].map(({ scrollLeft, scrollTop }) => [
    scrollLeft,
    scrollTop,
  ]);
  fill(element, children);
  for (const [number, frame] of [...element.querySelectorAll(".scrolled")].entries())
    frame.scrollTo(...(scrolls[number] ?? [0, 0]));
  if (focused) element.querySelector(`[data-id="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
}

const shownIn = new WeakMap(); // element: what it was filled with by `refresh`

/**
 * Replace all children by what `make()` gives, but only if `key` is not what it was the last time.
 *
 * What somebody is about to click, has opened or listens to is left alone by news that do not concern it.
 */
export function refresh(element, key, make) {
  const wanted = JSON.stringify(key);
  if (shownIn.get(element) === wanted) return;
  shownIn.set(element, wanted);
  refill(element, make());
}

/** Set a text only if it changes, so that live regions are not read again and selections stay. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** A button with a text; `attributes` as in `el`. */
export function button(text, onclick, attributes = {}) {
  return el("button", { type: "button", onclick, ...attributes }, text);
}

/** A form field under its label: `control` is an input, select or textarea. */
export function labelled(text, control, about = null) {
  return el(
    "label",
    { class: "field" },
    el("span", { class: "label" }, text),
    control,
    about && el("small", {}, about),
  );
}

/** A select with options given as [value, text] pairs. */
export function select(options, chosen, onchange, attributes = {}) {
  const made = el("select", { onchange: () => onchange(made.value), ...attributes });
  for (const [value, text] of options)
    made.append(el("option", { value, selected: String(value) === String(chosen) }, text));
  return made;
}

/** Radio buttons as a group under a heading; options are [value, text, about]. */
export function radios(name, legend, options, chosen, onchange) {
  const group = el("fieldset", { class: "radios", "data-id": name }, el("legend", {}, legend));
  for (const [value, text, about] of options) {
    const input = el("input", { type: "radio", name, value, onchange: () => onchange(value) });
    input.checked = String(value) === String(chosen);
    group.append(
      el("label", { class: "radio" }, input, el("span", {}, el("strong", {}, text), about && el("small", {}, about))),
    );
  }
  return group;
}

/** The sign of a player, as the server has drawn it. */
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

/** A small picture for a button that also has a name. */
export function icon(name) {
  return svg("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: ICONS[name] }));
}

/** Scroll a box, and not the page, so that an item in it is seen; to its top if there is none. */
export function keepInSight(box, item) {
  if (!box.isConnected || !box.clientHeight)
    return void requestAnimationFrame(() => box.isConnected && scrollBox(box, item));
  scrollBox(box, item);
}

function scrollBox(box, item) {
  if (!item?.isConnected) return void (box.scrollTop = 0);
  const above = item.getBoundingClientRect().top - box.getBoundingClientRect().top - box.clientTop + box.scrollTop;
  const below = above + item.offsetHeight - box.clientHeight;
  box.scrollTop = Math.max(Math.min(box.scrollTop, above), below);
}
