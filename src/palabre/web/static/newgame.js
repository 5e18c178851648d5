// A new game in two clicks: a card with the game's picture, and Play. Everything between has a good default.

import { button, drawn, el, fill, labelled, radios, refresh, select } from "./dom.js";
import { gamesView } from "./games.js";
import { Line } from "./line.js";
import { isPlain, known, parameterField } from "./parameters.js";
import { placeIn, specWith } from "./place.js";
import { seatFields, seatWish, usualSeat } from "./seats.js";
import { keep, stored } from "./settings.js";

const KEY = "palabre.newgame";
const CLOCKS = { 3: [180, 2], 10: [600, 5], 30: [1800, 10] }; // minutes: seconds for the game, and added after a move

export async function newGameView(app, root, { query }) {
  if (app.welcome.role === "watcher") return gamesView(app, root); // They cannot begin one, but look on.
  const games = await app.games();
  const place = placeIn(query);
  const game = place && games.find(({ name }) => name === place.game.split(":")[0]);
  app.title(game ? game.title : app.t("new.title"));
  if (!game) return fill(root, heading(app), cards(app, games), broken(app, await app.catalogue()));
  fill(root, heading(app, game), await new GameForm(app, game, place).open(), cards(app, games, game));
}

function heading(app, game = null) {
  return el(
    "div",
    { class: "heading" },
    el("h1", {}, game ? game.title : app.t("new.title")),
    el("p", { class: "lead" }, game ? game.about : app.t("new.lead")),
  );
}

/** The games as cards: large ones to begin with, small ones below the form of a game. */
function cards(app, games, chosen = null) {
  const card = (game) =>
    el(
      "a",
      { class: "card", href: `/?game=${encodeURIComponent(game.name)}`, "data-game": game.name },
      drawn(el("span", { class: "picture", "aria-hidden": "true" }), game.picture),
      el("strong", {}, game.title),
      !chosen && el("small", {}, game.about),
    );
  const others = games.filter((game) => game !== chosen);
  return el(
    "nav",
    { class: chosen ? "cards small" : "cards", "aria-label": app.t(chosen ? "new.others" : "new.games") },
    others.map(card),
  );
}

/** The operator's files that cannot be played, and why. */
function broken(app, games) {
  const files = games.filter((game) => game.broken);
  if (files.length === 0) return null;
  return el(
    "section",
    { class: "box", "data-id": "broken" },
    el("h2", {}, app.t("new.broken")),
    el("p", { class: "quiet" }, app.t("new.broken_about")),
    el(
      "ul",
      {},
      files.map((game) => el("li", {}, game.broken)),
    ),
  );
}

/** The form of one game. `wish` is what is chosen, and is remembered for the next time. */
class GameForm {
  constructor(app, game, place) {
    this.app = app;
    this.game = game;
    // A position to go on from, or null if the rules are still to be chosen.
    this.place = place.start || place.moves.length || place.game.includes(":") ? place : null;
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
    this.parts = Object.fromEntries(
      ["parameters", "seats", "clock", "picture", "more"].map((name) => [name, el("div", { class: `part ${name}` })]),
    );
  }

  /** The whole form, filled in. */
  async open() {
    await this.#load();
    const { app, parts } = this;
    const form = el("form", { class: "game-form", onsubmit: (event) => (event.preventDefault(), this.#play()) });
    const rules =
      !this.place &&
      this.game.presets.length > 1 &&
      radios(
        "preset",
        app.t("new.rules"),
        this.game.presets.map(({ name, label, about }) => [name, label, about]),
        this.preset.name,
        (name) => this.#choosePreset(name),
      );
    fill(
      form,
      el(
        "div",
        { class: "chosen" },
        parts.picture,
        el("a", { href: `/rules/${this.game.name}` }, app.t("new.read_rules")),
      ),
      el(
        "div",
        { class: "fields" },
        el(
          "div",
          { class: "seats-head" },
          el("h2", {}, app.t("new.players")),
          button(app.t("new.swap"), () => this.#swap(), { class: "quiet", "data-id": "swap" }),
        ),
        parts.seats,
        el("button", { type: "submit", class: "primary", "data-id": "play" }, app.t("new.play")),
        rules,
        parts.parameters,
        parts.clock,
        el("details", { class: "more" }, el("summary", {}, app.t("new.more")), parts.more),
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

  #choosePreset(name) {
    this.wish.preset = name;
    this.#reload();
  }

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
    const { app, wish } = this;
    const text = (minutes) => app.t("new.clock_minutes", { minutes: Number(minutes), increment: CLOCKS[minutes][1] });
    const options = [
      ["none", app.t("new.clock_none")],
      ...Object.keys(CLOCKS).map((minutes) => [minutes, text(minutes)]),
      ["own", app.t("new.clock_own")],
    ];
    if (this.choices.clock)
      options.splice(1, 0, ["rules", app.t("new.clock_rules", { minutes: this.choices.clock / 60 })]);
    const number = (name, min, max) => {
      const input = el("input", { type: "number", min, max, step: "any", value: wish[name], "data-id": name });
      input.addEventListener("change", () => input.reportValidity() && (wish[name] = Number(input.value)));
      return labelled(app.t(`new.${name}`), input);
    };
    const choice = labelled(
      app.t("new.clock"),
      select(options, wish.clock, (value) => ((wish.clock = value), this.#showClock()), { "data-id": "clock" }),
    );
    refresh(this.parts.clock, [wish.clock, this.choices.clock], () =>
      el(
        "div",
        { class: "row" },
        choice,
        wish.clock === "own" && [number("minutes", 0.1, 600), number("increment", 0, 600)],
      ),
    );
  }

  #showMore() {
    const { app, wish } = this;
    const seed = el("input", { type: "number", min: 0, max: 1e9, step: 1, value: wish.seed, "data-id": "seed" });
    seed.addEventListener("change", () => seed.reportValidity() && (wish.seed = seed.value));
    const special = this.place ? [] : this.preset.parameters.filter((parameter) => !isPlain(parameter));
    refresh(this.parts.more, this.preset.name, () => [
      el(
        "div",
        { class: "fields" },
        special.map((parameter) => this.#field(parameter)),
        labelled(app.t("new.seed"), seed, app.t("new.seed_about")),
      ),
      app.welcome.role === "operator" && this.#allowedFields(),
    ]);
  }

  /** What the room allows, which the operator alone decides. */
  #allowedFields() {
    const { app } = this;
    const { allowed } = this.wish;
    const undo = select(
      ["asked", "free", "never"].map((value) => [value, app.t(`new.undo_${value}`)]),
      allowed.undo ?? "asked",
      (value) => (allowed.undo = value),
      { "data-id": "undo" },
    );
    const check = (name, otherwise) => {
      const box = el("input", { type: "checkbox", "data-id": name, onchange: () => (allowed[name] = box.checked) });
      box.checked = allowed[name] ?? otherwise;
      return el("label", { class: "check" }, box, app.t(`new.${name}`));
    };
    return el(
      "div",
      { class: "fields" },
      labelled(app.t("new.undo"), undo),
      check("help", false),
      check("bots_resign", true),
    );
  }

  async #showPicture() {
    const picture = this.parts.picture;
    if (!this.place) return drawn(picture, this.choices.picture);
    const line = new Line(await this.app.ask({ kind: "ShowLine", place: this.place }));
    const board = new this.app.Board(this.app, picture);
    board.showGround(line.ground);
    board.show(line.contents(line.last), line.plies.at(-1));
  }

  #clockWish() {
    const { clock, minutes, increment } = this.wish;
    if (clock === "none" || (clock === "rules" && !this.choices.clock)) return null;
    if (clock === "rules") return { game: this.choices.clock };
    const [seconds, added] = CLOCKS[clock] ?? [minutes * 60, increment];
    return { game: seconds, increment: added };
  }

  async #play() {
    const { app, wish } = this;
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
