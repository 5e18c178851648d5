// Taking a game elsewhere: links, texts to copy, files to keep, and a field for texts from elsewhere.

import { button, el, fill } from "./dom.js";
import { queryOf } from "./place.js";

const FILES = ["txt", "svg", "html"];

/** A panel for the place that `place()` gives; `room` is null outside rooms. */
export function sharePanel(app, place, room = null) {
  const copy = (id, text) =>
    button(app.t(`share.${id}`), async () => copyText(app, await text()), { "data-id": `copy-${id}` });
  const written = async (part) => (await app.attempt({ kind: "WriteText", place: place() }))?.[part];
  const files =
    room &&
    el(
      "p",
      { class: "row" },
      FILES.map((ending) =>
        el(
          "a",
          { class: "button", href: `/download/${room}.${ending}?language=${document.documentElement.lang}`, download: "", "data-id": `download-${ending}` },
          app.t(`share.${ending}`),
        ),
      ),
    );
  return el(
    "details",
    { class: "share" },
    el("summary", {}, app.t("share.title")),
    el(
      "div",
      { class: "row" },
      copy("link", () => `${location.origin}/analyse${queryOf(place())}`),
      copy("position", () => written("position")),
      copy("game", () => written("game")),
    ),
    files,
    pasteForm(app, () => place().game),
  );
}

/** A field for a position or a game as text, which opens it for analysis. `game()` says of which game a position is. */
export function pasteForm(app, game) {
  const area = el("textarea", {
    rows: 3,
    maxlength: 50_000,
    "data-id": "paste",
    "aria-label": app.t("share.paste"),
    placeholder: app.t("share.paste"),
  });
  const open = async () => {
    const place = area.value.trim() && (await app.attempt({ kind: "ReadText", text: area.value, game: game() }));
    if (place) app.go(`/analyse${queryOf(place)}`);
  };
  return el("div", { class: "paste" }, area, button(app.t("share.open"), open, { "data-id": "open-text" }));
}

/** Copy a text, or show it to be copied by hand where the browser forbids it. */
export async function copyText(app, text) {
  if (!text) return;
  try {
    await navigator.clipboard.writeText(text);
    app.say(app.t("share.copied"));
    app.warn(app.t("share.copied"));
  } catch {
    app.warn(text);
  }
}

/** The link by which somebody takes a seat. */
export function invitation(app, host, path) {
  const link = `${location.origin}${path}`;
  const field = el("input", {
    type: "text",
    readonly: true,
    value: link,
    "data-id": "invitation",
    "aria-label": app.t("share.invitation"),
  });
  fill(
    host,
    el("p", {}, app.t("share.invitation")),
    el(
      "div",
      { class: "row" },
      field,
      button(app.t("share.copy"), () => copyText(app, link)),
    ),
  );
  field.select();
}
