// @ts-check
// The arena: the matches and championships that this server knows, and the form to begin one.

import { button, checkedInput, el, fill, fillByKey, find, heading, homes, labelled, refresh, select } from "./dom.js";
import { isPlain, known, parameterField } from "./parameters.js";
import { specWith } from "./place.js";
import { botSpec, usualSeat, whoField } from "./seats.js";
import { keep, stored } from "./settings.js";
import { arenaStyle, figure, formatName, framed, headings } from "./tables.js";
import { number, t } from "./words.js";

/**
 * @import { App } from "./app.js"
 * @import { Attributes, Child } from "./dom.js"
 * @import { EventEntry, FormatChoice, GameChoices, GameEntry } from "./protocol.d.ts"
 * @import { Values } from "./parameters.js"
 * @import { Seat } from "./seats.js"
 *
 * What is chosen in the form of an event.
 *
 * @typedef {object} Wish
 * @property {string} game
 * @property {string} preset
 * @property {Values} values
 * @property {string} format
 * @property {Seat[]} bots
 * @property {number} games
 * @property {number | ""} seconds
 * @property {number} seed
 */

const KEY = "palabre.arena";
const FEWEST_BOTS = 2;
const MOST_BOTS = 100;
const NUMBERS = ["bots", "games"]; // columns of the list that are numbers
const LISTED_MS = 3000; // between two looks at the list while something is being played

/**
 * @param {App} app
 * @param {HTMLElement} root
 */
export async function arenaView(app, root) {
  await arenaStyle();
  const [list, games] = await Promise.all([app.ask({ kind: "Events" }), app.games()]);
  app.title(t("arena.title"));
  const [place, table] = [el("div"), eventTable(games)];
  /** @param {EventEntry[]} events */
  const showList = (events) => fill(place, table(events));
  showList(list.events);
  const head = heading(t("arena.title"), t(list.can_start ? "arena.lead" : "arena.lead_guest"));
  fill(root, head, list.can_start && (await new EventForm(app, games, list.formats).open()), place);
  keepListFresh(app, list.events, showList);
}

/**
 * While an event is played, its number of games grows in the list.
 *
 * @param {App} app
 * @param {EventEntry[]} events
 * @param {(events: EventEntry[]) => unknown} showList
 */
function keepListFresh(app, events, showList) {
  const look = async () => {
    if (!events.some((entry) => entry.is_running)) return;
    const list = await app.ask({ kind: "Events" }).catch(() => null);
    if (!list || !app.isHere) return;
    events = list.events;
    showList(events);
  };
  const timer = setInterval(look, LISTED_MS);
  app.leave(() => clearInterval(timer));
}

/**
 * A table of events, as a function of what is in it: the row of an event and the link in it stay.
 *
 * @param {GameEntry[]} games
 * @returns {(events: EventEntry[]) => Child}
 */
function eventTable(games) {
  const titles = Object.fromEntries(games.map(({ name, title }) => [name, title]));
  /** @param {EventEntry} entry */
  const name = ({ event, games: played, message, title }) => {
    const link = el("a", { href: `/event/${encodeURIComponent(event)}` }, title);
    return el("td", {}, message && !played ? title : link, message && el("small", { class: "wrong" }, message));
  };
  /** @param {EventEntry} entry */
  const facts = (entry) => [
    el("td", {}, titles[entry.game.split(":")[0]] ?? entry.game),
    el("td", {}, formatName(entry.format)),
    figure(number(entry.bots)),
    figure(number(entry.games)),
    el("td", {}, entry.is_running && el("span", { class: "running" }, t("arena.running"))),
  ];
  const ids = ["name", "game", "format_head", "bots", "games", "state"];
  const heads = headings(ids.map((id) => [t(`arena.${id}`), NUMBERS.includes(id)]));
  const body = el("tbody");
  const table = framed(t("arena.events"), el("table", { class: "events" }, heads, body));
  return (events) => {
    const rows = fillByKey(
      body,
      events.map(({ event }) => [event, () => el("tr", { "data-event": event })]),
    );
    for (const [at, row] of rows.entries()) {
      const { games: played, message, title } = events[at];
      const cells = facts(events[at]).map((cell) => /** @type {const} */ ([cell, () => cell]));
      fillByKey(row, [[[title, message, played > 0].join("\n"), () => name(events[at])], ...cells]);
    }
    return events.length ? table : el("p", { class: "quiet" }, t("arena.none"));
  };
}

/** The form of an event. `wish` is what is chosen, and is remembered for the next time. */
class EventForm {
  /** @type {GameChoices} */
  choices;

  /**
   * @param {App} app
   * @param {GameEntry[]} games
   * @param {FormatChoice[]} formats
   */
  constructor(app, games, formats) {
    this.app = app;
    this.games = games;
    this.formats = formats;
    /** @type {Wish} */
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
    this.parts = homes(["rules", "formats", "bots"], (name) => ({ class: `part ${name}` }));
  }

  async open() {
    await this.#load();
    const { app, parts } = this;
    const game = select(
      this.games.map(({ name, title }) => [name, title]),
      this.game.name,
      (name) => this.#choose({ game: name, preset: "", values: {} }),
      { "data-id": "game" },
    );
    const start = el("button", { type: "submit", class: "primary", "data-id": "start" }, t("arena.start"));
    return el(
      "form",
      { class: "event-form box", onsubmit: (/** @type {SubmitEvent} */ event) => this.#start(event) },
      el("h2", {}, t("arena.new")),
      el("div", { class: "row" }, labelled(t("arena.game"), game), parts.rules),
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
          placeholder: t("arena.no_limit"),
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

  /** @param {Partial<Wish>} choice */
  #choose(choice) {
    Object.assign(this.wish, choice);
    this.#reload();
  }

  #reload() {
    this.#load().catch((error) => this.app.warn(error));
  }

  /** Ask what can be chosen for these rules, and show it. */
  async #load() {
    const { app, wish } = this;
    this.choices = await app.ask({ kind: "Choices", game: this.spec });
    const rules = select(
      this.game.presets.map(({ name, label }) => [name, label]),
      this.preset.name,
      (preset) => this.#choose({ preset }),
      { "data-id": "preset" },
    );
    const parameters = this.preset.parameters
      .filter(isPlain)
      .map((parameter) => parameterField(parameter, wish.values, () => this.#reload()));
    refresh(this.parts.rules, [wish.game, this.preset.name], () => [
      labelled(t("arena.rules"), rules, this.preset.about),
      parameters,
    ]);
    while (wish.bots.length < Math.max(FEWEST_BOTS, this.choices.players))
      wish.bots.push({ ...usualSeat(1), level: wish.bots.length * 2 + 1 });
    this.#showFormats();
    refresh(this.parts.bots, [this.choices.levels, this.choices.bots, wish.bots.length], () => this.#botFields());
  }

  /** Show the formats that fit, with the chosen one if it does. */
  #showFormats(chosen = this.wish.format) {
    const { wish } = this;
    const fitting = this.formats.filter(({ most_players: most }) => most === null || this.choices.players <= most);
    wish.format = fitting.some(({ name }) => name === chosen) ? chosen : "match";
    refresh(this.parts.formats, [fitting, wish.format], () => {
      const options = fitting.map(({ name }) => /** @type {const} */ ([name, t(`arena.format.${name}`)]));
      const pick = select(options, wish.format, (name) => this.#showFormats(name), { "data-id": "format" });
      return labelled(t("arena.format_head"), pick, t(`arena.about.${wish.format}`));
    });
  }

  /** Show the bots after one has come or gone. */
  #showBots() {
    fill(this.parts.bots, this.#botFields());
    find(this.parts.bots, "[data-id=add]")?.focus();
  }

  #botFields() {
    const { wish } = this;
    /** @type {(bot: Seat, number: number) => HTMLElement} */
    const field = (bot, number) => {
      const name = t("arena.bot", { number: number + 1 });
      const remove =
        wish.bots.length > FEWEST_BOTS &&
        button("×", () => this.#remove(number), {
          class: "quiet small",
          "aria-label": t("arena.remove", { bot: name }),
          "data-id": "remove",
        });
      return whoField(bot, number, this.choices, ["level", "bot"], name, [name, remove]);
    };
    const add = button(t("arena.add"), () => this.#add(), {
      "data-id": "add",
      disabled: wish.bots.length >= MOST_BOTS,
    });
    return [wish.bots.map(field), add];
  }

  #add() {
    this.wish.bots.push({ ...usualSeat(1), level: this.wish.bots.length + 1 });
    this.#showBots();
  }

  /** @param {number} number */
  #remove(number) {
    this.wish.bots.splice(number, 1);
    this.#showBots();
  }

  /**
   * @param {"games" | "seconds" | "seed"} name
   * @param {Attributes} attributes
   */
  #number(name, attributes) {
    const { wish } = this;
    const all = { type: "number", value: wish[name], "data-id": name, ...attributes };
    const take = (/** @type {string} */ value) => Object.assign(wish, { [name]: value === "" ? "" : Number(value) });
    return labelled(t(`arena.${name}_field`), checkedInput(all, take), t(`arena.${name}_about`));
  }

  /** @param {SubmitEvent} event */
  async #start(event) {
    const { app, wish } = this;
    const submit = /** @type {HTMLButtonElement} */ (event.submitter);
    event.preventDefault();
    keep(KEY, wish);
    submit.disabled = true;
    const opened = await app.attempt({
      kind: "StartEvent",
      game: this.spec,
      format: wish.format,
      bots: wish.bots.map((bot) => botSpec(bot, this.choices)),
      games: wish.games,
      seconds: wish.seconds === "" ? null : wish.seconds,
      seed: wish.seed,
    });
    submit.disabled = false;
    if (opened) app.go(`/event/${encodeURIComponent(opened.name)}`);
  }
}
