// @ts-check
// A new game in two clicks: a card with the game's picture, and Play. Everything between has a good default.

import { Board } from "./board.js";
import {
  button,
  cards,
  check,
  checkedInput,
  drawn,
  el,
  fill,
  heading,
  homes,
  labelled,
  radios,
  refresh,
  select,
} from "./dom.js";
import { Line } from "./line.js";
import { isPlain, known, parameterField } from "./parameters.js";
import { placeIn, specWith } from "./place.js";
import { seatFields, seatWish, usualSeat } from "./seats.js";
import { keep, stored } from "./settings.js";
import { t } from "./words.js";

/**
 * @import { App, Params } from "./app.js"
 * @import { AllowedSent, GameChoices, GameEntry, ParameterChoice, Place } from "./protocol.d.ts"
 * @import { Values } from "./parameters.js"
 * @import { Seat } from "./seats.js"
 *
 * What is chosen in the form of a game.
 *
 * @typedef {object} Wish
 * @property {string} preset
 * @property {Values} values
 * @property {Seat[]} seats
 * @property {string} clock
 * @property {number} minutes
 * @property {number} increment
 * @property {string} seed
 * @property {AllowedSent} allowed
 */

const KEY = "palabre.newgame";
/** @type {Record<string, [seconds: number, added: number]>} */
const CLOCKS = { 3: [180, 2], 10: [600, 5], 30: [1800, 10] }; // minutes: seconds for the game, and added after a move

/**
 * @param {App} app
 * @param {HTMLElement} root
 * @param {Params} params
 */
export async function newGameView(app, root, { query }) {
  if (app.welcome.role === "watcher") return (await import("./games.js")).gamesView(app, root); // They only look on.
  const games = await app.games();
  const place = placeIn(query);
  const game = place && games.find(({ name }) => name === place.game.split(":")[0]);
  const title = game ? game.title : t("new.title");
  const head = heading(title, game ? game.about : t("new.lead"));
  app.title(title);
  /** @param {GameEntry} entry */
  const address = ({ name }) => `/?game=${encodeURIComponent(name)}`;
  const all = () => cards(t("new.games"), games, address);
  if (!game) return void fill(root, head, all(), broken(await app.catalogue()));
  const others = games.filter((other) => other !== game);
  fill(root, head, await new GameForm(app, game, place).open(), cards(t("new.others"), others, address, true));
}

/**
 * The operator's files that cannot be played, and why.
 *
 * @param {GameEntry[]} games
 */
function broken(games) {
  const files = games.filter((game) => game.broken);
  if (files.length === 0) return null;
  return el(
    "section",
    { class: "box", "data-id": "broken" },
    el("h2", {}, t("new.broken")),
    el("p", { class: "quiet" }, t("new.broken_about")),
    el(
      "ul",
      {},
      files.map((game) => el("li", {}, game.broken)),
    ),
  );
}

/** The form of one game. `wish` is what is chosen, and is remembered for the next time. */
class GameForm {
  /** @type {GameChoices} */
  choices;

  /**
   * @param {App} app
   * @param {GameEntry} game
   * @param {Place} place
   */
  constructor(app, game, place) {
    this.app = app;
    this.game = game;
    // A position to go on from, or null if the rules are still to be chosen.
    this.place = place.start || place.moves.length || place.game.includes(":") ? place : null;
    /** @type {Wish} */
    this.wish = {
      preset: game.presets[0].name,
      values: {},
      seats: [],
      clock: "none",
      minutes: 10,
      increment: 5,
      seed: "",
      allowed: {},
      ...stored(KEY, {})[game.name],
    };
    const names = ["parameters", "seats", "clock", "picture", "more"];
    this.parts = homes(names, (name) => ({ class: `part ${name}` }));
  }

  /** The whole form, filled in. */
  async open() {
    await this.#load();
    const { parts } = this;
    const form = el("form", { class: "game-form", onsubmit: (/** @type {Event} */ event) => this.#play(event) });
    const rules =
      !this.place &&
      this.game.presets.length > 1 &&
      radios(
        "preset",
        t("new.rules"),
        this.game.presets.map(({ name, label, about }) => [name, label, about]),
        this.preset.name,
        (name) => this.#choosePreset(name),
      );
    fill(
      form,
      el("div", { class: "chosen" }, parts.picture, el("a", { href: `/rules/${this.game.name}` }, t("new.read_rules"))),
      el(
        "div",
        { class: "fields" },
        el(
          "div",
          { class: "seats-head" },
          el("h2", {}, t("new.players")),
          button(t("new.swap"), () => this.#swap(), { class: "quiet", "data-id": "swap" }),
        ),
        parts.seats,
        el("button", { type: "submit", class: "primary", "data-id": "play" }, t("new.play")),
        rules,
        parts.parameters,
        parts.clock,
        el("details", { class: "more" }, el("summary", {}, t("new.more")), parts.more),
      ),
    );
    return form;
  }

  get preset() {
    return this.game.presets.find(({ name }) => name === this.wish.preset) ?? this.game.presets[0];
  }

  get spec() {
    return this.place ? this.place.game : specWith(this.preset.spec, known(this.wish.values, this.preset.parameters));
  }

  /** Ask what can be chosen for these rules, and show it. */
  async #load() {
    this.choices = await this.app.ask({ kind: "Choices", game: this.spec });
    const { seats } = this.wish;
    while (seats.length < this.choices.players) seats.push(usualSeat(seats.length));
    const { player_names: names, levels, bots } = this.choices;
    refresh(this.parts.seats, [names, levels, bots], () => this.#seatFields());
    this.#showClock();
    this.#showMore();
    const parameters = this.place ? [] : this.preset.parameters.filter(isPlain);
    refresh(this.parts.parameters, this.preset.name, () =>
      el(
        "div",
        { class: "row" },
        parameters.map((parameter) => this.#field(parameter)),
      ),
    );
    await this.#showPicture();
  }

  /** @param {string} name */
  #choosePreset(name) {
    this.wish.preset = name;
    this.#reload();
  }

  /** @param {ParameterChoice} parameter */
  #field(parameter) {
    return parameterField(parameter, this.wish.values, () => this.#reload());
  }

  #reload() {
    this.#load().catch((error) => this.app.warn(error));
  }

  #seatFields() {
    return seatFields(this.wish.seats.slice(0, this.choices.players), this.choices);
  }

  #swap() {
    const { seats } = this.wish;
    seats.splice(0, this.choices.players, ...seats.slice(1, this.choices.players), seats[0]);
    fill(this.parts.seats, this.#seatFields());
  }

  #showClock() {
    const { wish } = this;
    const kinds = ["none", ...(this.choices.clock ? ["rules"] : []), ...Object.keys(CLOCKS), "own"];
    /** @type {(kind: string) => [kind: string, text: string]} */
    const option = (kind) => {
      if (kind in CLOCKS) return [kind, t("new.clock_minutes", { minutes: Number(kind), increment: CLOCKS[kind][1] })];
      return [kind, t(`new.clock_${kind}`, { minutes: (this.choices.clock ?? 0) / 60 })];
    };
    /** @type {(name: "minutes" | "increment", min: number, max: number) => HTMLElement} */
    const number = (name, min, max) => {
      const attributes = { type: "number", min, max, step: "any", value: wish[name], "data-id": name };
      const take = (/** @type {string} */ value) => Object.assign(wish, { [name]: Number(value) });
      return labelled(t(`new.${name}`), checkedInput(attributes, take));
    };
    refresh(this.parts.clock, this.choices.clock, () => {
      /** @param {string} kind */
      const show = (kind) => {
        wish.clock = kind;
        return fill(row, choice, kind === "own" && [number("minutes", 0.1, 600), number("increment", 0, 600)]);
      };
      const row = el("div", { class: "row" });
      const choice = labelled(t("new.clock"), select(kinds.map(option), wish.clock, show, { "data-id": "clock" }));
      return show(wish.clock);
    });
  }

  #showMore() {
    const { app, wish } = this;
    const attributes = { type: "number", min: 0, max: 1e9, step: 1, value: wish.seed, "data-id": "seed" };
    const seed = checkedInput(attributes, (value) => Object.assign(wish, { seed: value }));
    const special = this.place ? [] : this.preset.parameters.filter((parameter) => !isPlain(parameter));
    refresh(this.parts.more, this.preset.name, () => [
      el(
        "div",
        { class: "fields" },
        special.map((parameter) => this.#field(parameter)),
        labelled(t("new.seed"), seed, t("new.seed_about")),
      ),
      app.welcome.role === "operator" && this.#allowedFields(),
    ]);
  }

  /** What the room allows, which the operator alone decides. */
  #allowedFields() {
    const { allowed } = this.wish;
    const undo = select(
      ["asked", "free", "never"].map((value) => [value, t(`new.undo_${value}`)]),
      allowed.undo ?? "asked",
      (value) => (allowed.undo = /** @type {AllowedSent["undo"]} */ (value)),
      { "data-id": "undo" },
    );
    /** @type {(name: "help" | "bots_resign", otherwise: boolean) => HTMLElement} */
    const allow = (name, otherwise) => {
      const isAllowed = allowed[name] ?? otherwise;
      return check(t(`new.${name}`), isAllowed, (is) => Object.assign(allowed, { [name]: is }), {
        "data-id": name,
      });
    };
    return el(
      "div",
      { class: "fields" },
      labelled(t("new.undo"), undo),
      allow("help", false),
      allow("bots_resign", true),
    );
  }

  async #showPicture() {
    const { picture } = this.parts;
    if (!this.place) return void drawn(picture, this.choices.picture);
    const line = new Line(await this.app.ask({ kind: "ShowLine", place: this.place }));
    const board = new Board(this.app, picture);
    board.showGround(line.ground);
    board.show(line.contents(line.last), line.plies[line.last]);
  }

  #clockWish() {
    const { clock, minutes, increment } = this.wish;
    if (clock === "rules" && this.choices.clock) return { game: this.choices.clock };
    if (clock === "none" || clock === "rules") return null;
    const [seconds, added] = CLOCKS[clock] ?? [minutes * 60, increment];
    return { game: seconds, increment: added };
  }

  /** @param {Event} event */
  async #play(event) {
    const { app, wish } = this;
    event.preventDefault();
    keep(KEY, { ...stored(KEY, {}), [this.game.name]: { ...wish, seed: "" } });
    const seats = wish.seats.slice(0, this.choices.players).map((seat) => seatWish(seat, this.choices));
    const opened = await app.attempt({
      kind: "OpenRoom",
      place: this.place ?? { game: this.spec },
      seats,
      clock: this.#clockWish(),
      seed: wish.seed === "" ? null : Number(wish.seed),
      ...(app.welcome.role === "operator" && { allowed: wish.allowed }),
    });
    const isForGuests = seats.some(({ who }) => who === "guest");
    if (opened) app.go(`/play/${opened.name}${isForGuests ? "#invite" : ""}`);
  }
}
