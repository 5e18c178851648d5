// @ts-check
// The rules and lessons of the games, for people to read, with pictures that the server has drawn.

import { cards, drawn, el, fill, heading } from "./dom.js";
import { t } from "./words.js";

/**
 * @import { App, Params } from "./app.js"
 * @import { GameEntry } from "./protocol.d.ts"
 */

/**
 * @param {App} app
 * @param {HTMLElement} root
 * @param {Params} params
 */
export async function rulesView(app, root, { game, query }) {
  const games = await app.games();
  const spec = game && decodeURIComponent(game);
  if (!spec) return showAll(app, root, games);
  const name = spec.split(":")[0];
  const page = await app.ask({ kind: "Rules", game: spec });
  const isLessons = query.get("part") === "lessons" && page.lessons !== "";
  app.title(`${page.title}: ${t(isLessons ? "rules.lessons" : "rules.title")}`);
  const address = `/rules/${encodeURIComponent(spec)}`;
  /** @type {(id: string, href: string, isShown: boolean) => HTMLElement} */
  const part = (id, href, isShown) =>
    el("a", { href, "data-id": `part-${id}`, "aria-current": isShown ? "page" : null }, t(`rules.${id}`));
  const others = games.map((entry) =>
    el(
      "a",
      { href: `/rules/${encodeURIComponent(entry.name)}`, "aria-current": entry.name === name ? "page" : null },
      entry.title,
    ),
  );
  fill(
    root,
    el(
      "div",
      { class: "rules" },
      el("nav", { class: "tabs", "aria-label": t("rules.title") }, others),
      page.lessons !== "" &&
        el(
          "nav",
          { class: "tabs", "aria-label": page.title },
          part("title", address, !isLessons),
          part("lessons", `${address}?part=lessons`, isLessons),
        ),
      el(
        "article",
        {},
        drawn(el("div", { class: "prose" }), isLessons ? page.lessons : page.markup),
        el(
          "a",
          { class: "button primary", href: `/?game=${encodeURIComponent(name)}`, "data-id": "play" },
          t("rules.play"),
        ),
      ),
    ),
  );
  nameHeading(root, page.title);
}

/**
 * Rules that bring no heading of their own get the title of the game.
 *
 * @param {HTMLElement} root
 * @param {string} title
 */
function nameHeading(root, title) {
  if (!root.querySelector("h1")) root.querySelector("article")?.prepend(el("h1", {}, title));
}

/**
 * @param {App} app
 * @param {HTMLElement} root
 * @param {GameEntry[]} games
 */
function showAll(app, root, games) {
  app.title(t("rules.title"));
  const list = cards(t("rules.title"), games, ({ name }) => `/rules/${encodeURIComponent(name)}`);
  fill(root, heading(t("rules.title"), t("rules.lead")), list);
}
