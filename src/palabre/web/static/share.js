// @ts-check
// Taking a game elsewhere: links, texts to copy, files to keep, and a field for texts from elsewhere.

import { button, drawn, el } from "./dom.js";
import { queryOf } from "./place.js";
import { t } from "./words.js";

/**
 * @import { App } from "./app.js"
 * @import { Invitation, Place } from "./protocol.d.ts"
 */

const FILES = ["txt", "svg", "html"];

/**
 * What is in a panel for the place that `place()` gives; there is no `room` outside rooms.
 *
 * @param {App} app
 * @param {() => Place} place
 * @param {string} [room]
 */
export function sharePanel(app, place, room) {
  /** @type {(id: string, text: () => string | undefined | Promise<string | undefined>) => HTMLElement} */
  const copy = (id, text) =>
    button(t(`share.${id}`), async () => copyText(app, await text()), { "data-id": `copy-${id}` });
  /** @param {"position" | "game"} part */
  const written = async (part) => (await app.attempt({ kind: "WriteText", place: place() }))?.[part];
  const files =
    room &&
    el(
      "p",
      { class: "row" },
      FILES.map((ending) =>
        el(
          "a",
          {
            class: "button",
            href: `/download/${room}.${ending}?language=${document.documentElement.lang}`,
            download: "",
            "data-id": `download-${ending}`,
          },
          t(`share.${ending}`),
        ),
      ),
    );
  return [
    el(
      "div",
      { class: "row" },
      copy("link", () => `${location.origin}/analyse${queryOf(place())}`),
      copy("position", () => written("position")),
      copy("game", () => written("game")),
    ),
    files,
    pasteForm(app, () => place().game),
  ];
}

/**
 * A field for a position or a game as text, which opens it for analysis. `game()` says of which game a position is, if it
 * fits several; what fits another one is opened there, with a notice.
 *
 * @param {App} app
 * @param {() => string | undefined} game
 */
export function pasteForm(app, game) {
  const area = el("textarea", {
    rows: 3,
    maxlength: 50_000,
    "data-id": "paste",
    "aria-label": t("share.paste"),
    placeholder: t("share.paste"),
  });
  const open = async () => {
    const place = area.value.trim() ? await app.attempt({ kind: "ReadText", text: area.value, game: game() }) : null;
    if (!place) return;
    const [wanted, found] = [game(), place.game].map((spec) => spec?.split(":")[0]);
    app.go(`/analyse${queryOf(place)}`);
    if (wanted === found) return;
    const title = (await app.games()).find(({ name }) => name === found)?.title ?? found;
    app.warn(t("share.other_game", { game: title }));
  };
  return el("div", { class: "paste" }, area, button(t("share.open"), open, { "data-id": "open-text" }));
}

/**
 * Copy a text, or show it to be copied by hand where the browser forbids it.
 *
 * @param {App} app
 * @param {string} [text]
 */
async function copyText(app, text) {
  if (!text) return;
  try {
    await navigator.clipboard.writeText(text);
    app.say(t("share.copied"));
    app.warn(t("share.copied"));
  } catch {
    app.warn(text);
  }
}

const HOW_TO_LET_IN = "palabre play --host 0.0.0.0";

/**
 * The link by which a guest takes the seat of a player, with a picture of it for telephones; or what to do first, if
 * only this machine reaches the server.
 *
 * @param {App} app
 * @param {Invitation} invitation
 * @param {string} player
 */
export function invitation(app, { path, address, qr }, player) {
  const link = `${address || location.origin}${path}`;
  const field = el("input", {
    type: "text",
    readonly: true,
    value: link,
    onfocus: ({ target }) => target.select(),
    "data-id": "invitation",
    "aria-label": t("share.invitation_for", { player }),
  });
  return el(
    "section",
    { class: "box invited" },
    el("p", {}, el("strong", {}, t("share.invitation_for", { player })), " ", t("share.invitation")),
    el(
      "div",
      { class: "row" },
      field,
      button(t("share.copy"), () => copyText(app, link), { "data-id": "copy-invitation" }),
    ),
    address
      ? drawn(el("div", { class: "qr", role: "img", "aria-label": t("share.qr") }), qr)
      : el("p", { class: "quiet", "data-id": "local-only" }, t("share.local_only"), " ", el("code", {}, HOW_TO_LET_IN)),
  );
}
