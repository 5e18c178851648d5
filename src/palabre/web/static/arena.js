// The arena: the matches and championships that this server knows, and the form to begin one.

import { button, el, fill, labelled, refill, refresh, select } from "./dom.js";
import { isPlain, known, parameterField } from "./parameters.js";
import { specWith } from "./place.js";
import { seatWish, usualSeat, whoField } from "./seats.js";
import { keep, stored } from "./settings.js";

export { eventView } from "./event.js";

const KEY = "palabre.arena";
const FEWEST_BOTS = 2;
const MOST_BOTS = 100;
const NUMBERS = ["bots", "games"]; // columns of the list that are numbers
const LISTED_MS = 3000; // between two looks at the list while something is being played

export async function arenaView(app, root) {
  await arenaStyle();
  const [list, games] = await Promise.all([app.ask({ kind: "Events" }), app.games()]);
  app.title(app.t("arena.title"));
  const place = el("div");
  const showList = (events) => fill(place, eventTable(app, events, games));
  showList(list.events);
  const heading = el(
    "div",
    { class: "heading" },
    el("h1", {}, app.t("arena.title")),
    el("p", { class: "lead" }, app.t(list.can_start ? "arena.lead" : "arena.lead_guest")),
  );
  fill(root, heading, list.can_start && (await new EventForm(app, games, list.formats).open()), place);
  keepListFresh(app, list.events, showList);
}

/** While an event is played, its number of games grows in the list. */
function keepListFresh(app, events, showList) {
  const look = async () => {
    if (!events.some((entry) => entry.is_running)) return;
    const list = await app.ask({ kind: "Events" }).catch(() => null);
    if (list && app.isHere && !document.activeElement?.closest(".events")) showList((events = list.events));
  };
  const timer = setInterval(look, LISTED_MS);
  app.leave(() => clearInterval(timer));
}

/** The style of the arena, loaded with its first view. */
export function arenaStyle() {
  if (document.getElementById("arena-style")) return null;
  return new Promise((done) => {
    document.head.append(
      el("link", { id: "arena-style", rel: "stylesheet", href: "/static/arena.css", onload: done, onerror: done }),
    );
  });
}

/** What a format is called: `swiss:repeats=5` is shown by the name of `swiss`. */
export function formatName(app, format) {
  const name = format.split(":")[0];
  return name ? app.t(`arena.format.${name}`) : "";
}

function eventTable(app, events, games) {
  if (events.length === 0) return el("p", { class: "quiet" }, app.t("arena.none"));
  const titles = Object.fromEntries(games.map(({ name, title }) => [name, title]));
  const row = (entry) =>
    el(
      "tr",
      { "data-event": entry.event },
      el(
        "td",
        {},
        entry.message && !entry.games
          ? entry.title
          : el("a", { href: `/event/${encodeURIComponent(entry.event)}` }, entry.title),
        entry.message && el("small", { class: "wrong" }, entry.message),
      ),
      el("td", {}, titles[entry.game.split(":")[0]] ?? entry.game),
      el("td", {}, formatName(app, entry.format)),
      el("td", { class: "number" }, app.number(entry.bots)),
      el("td", { class: "number" }, app.number(entry.games)),
      el("td", {}, entry.is_running && el("span", { class: "running" }, app.t("arena.running"))),
    );
  const heads = ["name", "game", "format_head", "bots", "games", "state"].map((id) =>
    el("th", { scope: "col", class: NUMBERS.includes(id) ? "number" : null }, app.t(`arena.${id}`)),
  );
  return framed(
    app.t("arena.events"),
    el("table", { class: "events" }, el("thead", {}, el("tr", {}, heads)), el("tbody", {}, events.map(row))),
  );
}

/** A table under its title and some words. It scrolls sideways by itself where it is too wide, also by the keyboard. */
export function framed(title, table, ...words) {
  return [
    el("h2", {}, title),
    words,
    el("div", { class: "scrolled", role: "region", tabindex: 0, "aria-label": title }, table),
  ];
}

/** The form of an event. `wish` is what is chosen, and is remembered for the next time. */
class EventForm {
  constructor(app, games, formats) {
    this.app = app;
    this.games = games;
    this.formats = formats;
    this.wish = {
      game: games[0].name,
      preset: "",
      values: {},
      format: "match",
      bots: [],
      games: 10,
      seconds: "",
      seed: 0,
      ...stored(KEY, {}),
    };
    this.parts = Object.fromEntries(
      ["rules", "formats", "bots"].map((name) => [name, el("div", { class: `part ${name}` })]),
    );
  }

  async open() {
    await this.#load();
    const { app, parts, wish } = this;
    const game = select(
      this.games.map(({ name, title }) => [name, title]),
      this.game.name,
      (name) => (Object.assign(wish, { game: name, preset: "", values: {} }), this.#reload()),
      { "data-id": "game" },
    );
    const start = el("button", { type: "submit", class: "primary", "data-id": "start" }, app.t("arena.start"));
    return el(
      "form",
      { class: "event-form box", onsubmit: (event) => (event.preventDefault(), this.#start(start)) },
      el("h2", {}, app.t("arena.new")),
      el("div", { class: "row" }, labelled(app.t("arena.game"), game), parts.rules),
      parts.formats,
      parts.bots,
      el(
        "div",
        { class: "row" },
        this.#number("games", { min: 1, max: 100_000, step: 1, required: true }),
        this.#number("seconds", {
          min: 0.001,
          max: app.welcome.seconds,
          step: "any",
          placeholder: app.t("arena.no_limit"),
        }),
        this.#number("seed", { min: 0, max: 1e9, step: 1, required: true }),
      ),
      start,
    );
  }

  get game() {
    return this.games.find(({ name }) => name === this.wish.game) ?? this.games[0];
  }

  get preset() {
    return this.game.presets.find(({ name }) => name === this.wish.preset) ?? this.game.presets[0];
  }

  get spec() {
    return specWith(this.preset.spec, known(this.wish.values, this.preset.parameters));
  }

  #reload() {
    this.#load().catch((error) => this.app.warn(error));
  }

  /** Ask what can be chosen for these rules, and show it. */
  async #load() {
    const { app, wish } = this;
    this.choices = await app.ask({ kind: "Choices", game: this.spec });
    const presets = this.game.presets.map(({ name, label }) => [name, label]);
    const rules = select(presets, this.preset.name, (name) => ((wish.preset = name), this.#reload()), {
      "data-id": "preset",
    });
    const parameters = this.preset.parameters
      .filter(isPlain)
      .map((parameter) => parameterField(parameter, wish.values, () => this.#reload()));
    refresh(this.parts.rules, [wish.game, this.preset.name], () => [
      labelled(app.t("arena.rules"), rules, this.preset.about),
      parameters,
    ]);
    while (wish.bots.length < Math.max(FEWEST_BOTS, this.choices.players))
      wish.bots.push({ ...usualSeat(1), level: wish.bots.length * 2 + 1 });
    this.#showFormats();
    refresh(this.parts.bots, [this.choices.levels, this.choices.bots, wish.bots.length], () => this.#botFields());
  }

  #showFormats() {
    const { app, wish } = this;
    const fitting = this.formats.filter(({ most_players: most }) => most === null || this.choices.players <= most);
    if (!fitting.some(({ name }) => name === wish.format)) wish.format = "match";
    const options = fitting.map(({ name }) => [name, app.t(`arena.format.${name}`)]);
    refill(
      this.parts.formats,
      labelled(
        app.t("arena.format_head"),
        select(options, wish.format, (name) => ((wish.format = name), this.#showFormats()), { "data-id": "format" }),
        app.t(`arena.about.${wish.format}`),
      ),
    );
  }

  /** Show the bots after one has come or gone. */
  #showBots() {
    fill(this.parts.bots, this.#botFields());
    this.parts.bots.querySelector("[data-id=add]").focus();
  }

  #botFields() {
    const { app, wish } = this;
    const field = (bot, number) => {
      const name = app.t("arena.bot", { number: number + 1 });
      const remove =
        wish.bots.length > FEWEST_BOTS &&
        button("×", () => this.#remove(number), {
          class: "quiet small",
          "aria-label": app.t("arena.remove", { bot: name }),
          "data-id": "remove",
        });
      return whoField(bot, number, this.choices, ["level", "bot"], name, () => [name, remove]);
    };
    const add = button(app.t("arena.add"), () => this.#add(), {
      "data-id": "add",
      disabled: wish.bots.length >= MOST_BOTS,
    });
    return [wish.bots.map(field), add];
  }

  #add() {
    this.wish.bots.push({ ...usualSeat(1), level: this.wish.bots.length + 1 });
    this.#showBots();
  }

  #remove(number) {
    this.wish.bots.splice(number, 1);
    this.#showBots();
  }

  #number(name, attributes) {
    const { app, wish } = this;
    const input = el("input", { type: "number", value: wish[name], "data-id": name, ...attributes });
    input.addEventListener(
      "change",
      () => input.reportValidity() && (wish[name] = input.value === "" ? "" : Number(input.value)),
    );
    return labelled(app.t(`arena.${name}_field`), input, app.t(`arena.${name}_about`));
  }

  /** The spec of a bot that was chosen. A bot that this game does not have is another one by then. */
  #spec(bot) {
    return seatWish(bot, this.choices).bot;
  }

  async #start(submit) {
    const { app, wish } = this;
    keep(KEY, wish);
    submit.disabled = true;
    const opened = await app.attempt({
      kind: "StartEvent",
      game: this.spec,
      format: wish.format,
      bots: wish.bots.map((bot) => this.#spec(bot)),
      games: wish.games,
      seconds: wish.seconds === "" ? null : wish.seconds,
      seed: wish.seed,
    });
    submit.disabled = false;
    if (opened) app.go(`/event/${encodeURIComponent(opened.name)}`);
  }
}
