// One event: how far it is, its standings, its games, and a board that shows them.

import { arenaStyle, formatName, framed } from "./arena.js";
import { button, el, fill, refill, refresh, setText } from "./dom.js";
import { quitButton } from "./ending.js";
import { Replay } from "./replay.js";
import { botTitle, crossTable, standings } from "./standings.js";

const MINUTE = 60;

export async function eventView(app, root, { event, hash }) {
  await arenaStyle();
  const name = decodeURIComponent(event);
  const state = await app.ask({ kind: "WatchEvent", event: name });
  const view = new EventView(app, root, state);
  app.on("EventChanged", (change) => change.state.event === name && view.update(change.state));
  app.on("Reconnected", async () => view.update(await app.ask({ kind: "WatchEvent", event: name })));
  app.leave(() => app.ask({ kind: "LeaveEvent", event: name }).catch(() => {}));
  view.begin(Number(hash) || null);
}

class EventView {
  #picked = null; // the bots whose games are listed; null for all
  #isFollowing = true; // whether the board goes on to the newest game by itself
  #shown = null; // the number of the game on the board
  #listed = ""; // what is in the list, to see whether it has changed

  constructor(app, root, state) {
    this.app = app;
    this.state = state;
    this.replay = new Replay(app, { onEnd: () => this.#goOn() });
    this.parts = Object.fromEntries(
      ["progress", "message", "actions", "question", "tables", "notes", "games"].map((name) => [
        name,
        el("div", { class: name }),
      ]),
    );
    this.follow = el("input", {
      type: "checkbox",
      "data-id": "follow",
      onchange: () => this.#follow(this.follow.checked),
    });
    this.follow.checked = true;
    this.#build(root);
    this.update(state);
  }

  #build(root) {
    const { app, parts, state } = this;
    app.title(state.title);
    const heading = el(
      "div",
      { class: "heading" },
      el("h1", {}, state.title),
      el("p", { class: "quiet" }, [formatName(app, state.format), state.rules].filter(Boolean).join(" · ")),
    );
    fill(
      root,
      el(
        "div",
        { class: "play event" },
        this.replay.element,
        el(
          "div",
          { class: "side" },
          heading,
          parts.progress,
          parts.message,
          parts.actions,
          parts.question,
          el("label", { class: "check" }, this.follow, app.t("arena.follow")),
          this.replay.side,
        ),
      ),
      parts.tables,
      parts.notes,
      parts.games,
    );
    parts.message.setAttribute("role", "status");
  }

  /** Begin with a game of this number, or with the newest. */
  begin(number) {
    if (number) this.#pick(number);
    else this.#goOn();
  }

  /** Show what has changed. */
  update(state) {
    const hadGames = this.state.games.length > 0 || this.state.under_way.length > 0;
    const wasRunning = this.state.is_running;
    this.state = state;
    const { parts, app } = this;
    this.#showProgress();
    setText(parts.message, state.message);
    parts.message.classList.toggle("wrong", state.message !== "");
    this.#showActions();
    refresh(parts.tables, [state.table, state.cross], () => [
      standings(app, state),
      crossTable(app, state, (...bots) => this.#list(bots)),
    ]);
    const notes = state.played > 0 ? state.notes : [];
    refresh(parts.notes, notes, () => notes.map((note) => el("p", { class: "quiet" }, note)));
    if (!this.#picked) this.#showGames(state.games);
    if (this.#isFollowing && (state.under_way.length > 0 || !hadGames)) this.#goOn();
    if (wasRunning && !state.is_running && !state.message) app.say(app.t("arena.done"));
  }

  #showProgress() {
    const { app, state, parts } = this;
    const words = [
      state.planned
        ? app.t("arena.played_of", { count: state.played, planned: state.planned })
        : app.t("arena.played", { count: state.played }),
    ];
    if (state.is_running && state.seconds_left !== null)
      words.push(app.t("arena.left", { time: duration(app, state.seconds_left) }));
    if (state.is_running && state.played === 0 && state.under_way.length === 0) words.push(app.t("arena.preparing"));
    const bar =
      state.planned > 0 &&
      el("progress", { max: state.planned, value: state.played, "aria-label": app.t("arena.progress") });
    fill(parts.progress, el("p", { "data-id": "progress" }, words.join(", ")), bar);
  }

  #showActions() {
    const { app, state, parts } = this;
    const ask = (kind) => () => app.attempt({ kind, event: state.event });
    refresh(parts.actions, [state.can, state.is_running], () => [
      state.can.includes("stop") && button(app.t("arena.stop"), ask("StopEvent"), { "data-id": "stop" }),
      state.can.includes("resume") &&
        button(app.t("arena.resume"), ask("ResumeEvent"), { class: "primary", "data-id": "resume" }),
      !state.is_running &&
        app.welcome.role === "operator" &&
        button(app.t("arena.again"), () => app.go("/arena"), { "data-id": "again" }),
      button(app.t("end.menu"), () => app.go("/"), { "data-id": "menu" }),
      quitButton(app, parts.question),
    ]);
  }

  /** List the games in which all of these bots play. */
  async #list(bots) {
    this.#picked = bots;
    const games = await this.app.attempt({ kind: "EventGames", event: this.state.event, bots });
    if (!games || this.#picked !== bots) return;
    this.#showGames(games);
    this.parts.games.querySelector("h2")?.scrollIntoView({ block: "nearest" });
    if (games.length) this.#pick(games[0].number);
  }

  #showGames(games) {
    const { app, state, parts } = this;
    parts.games.hidden = games.length === 0;
    const listed = JSON.stringify([this.#picked, games.map((game) => game.number), this.#shown]);
    if (listed === this.#listed) return;
    this.#listed = listed;
    this.games = games;
    const seats = games[0]?.players.length ?? 2;
    const head = (text, kind = null) => el("th", { scope: "col", class: kind }, text);
    const bots = Array.from({ length: seats }, (_, seat) => head(app.t("arena.bot", { number: seat + 1 })));
    const heads = [
      head(app.t("arena.game_number"), "number"),
      bots,
      head(app.t("arena.winner")),
      head(app.t("arena.result")),
      head(app.t("arena.plies"), "number"),
      head(app.t("arena.ending")),
    ];
    const title = this.#picked
      ? app.t("arena.games_of", { bots: this.#picked.map((name) => botTitle(state, name)).join(" – ") })
      : app.t("arena.game_list");
    const all =
      this.#picked &&
      button(app.t("arena.all_games"), () => ((this.#picked = null), this.#showGames(state.games)), {
        class: "quiet",
        "data-id": "all-games",
      });
    const count =
      games.length < state.played &&
      !this.#picked &&
      el("p", { class: "quiet" }, app.t("arena.newest", { count: games.length }));
    const table = el(
      "table",
      { class: "game-list", "data-id": "games" },
      el("thead", {}, el("tr", {}, heads)),
      el(
        "tbody",
        {},
        games.map((game) => this.#row(game)),
      ),
    );
    refill(parts.games, framed(title, table, all, count));
  }

  #row(game) {
    const { app } = this;
    const result = game.scores.length ? `${game.result} (${game.scores.join(" – ")})` : game.result;
    const replay = button(app.number(game.number), () => this.#pick(game.number), {
      class: "small",
      "data-id": `game-${game.number}`,
      "aria-label": app.t("arena.replay", { number: game.number }),
    });
    return el(
      "tr",
      { "data-game": game.number, "aria-current": game.number === this.#shown ? "true" : null },
      el("td", { class: "number" }, replay),
      game.players.map((name) => el("td", { title: name }, botTitle(this.state, name))),
      el("td", {}, winner(app, this.#named(game))),
      el("td", {}, result),
      el("td", { class: "number" }, app.number(game.plies)),
      el("td", { class: "quiet" }, game.ending || app.t("arena.by_rules")),
    );
  }

  /** Show a game that was clicked, and stay with it. */
  #pick(number) {
    this.#follow(false);
    history.replaceState(null, "", `#${number}`); // A link to this game.
    this.#replay(number).catch((error) => this.app.warn(error));
    this.replay.element.scrollIntoView({ block: "nearest" });
  }

  #follow(isFollowing) {
    this.#isFollowing = this.follow.checked = isFollowing;
    if (isFollowing) this.#goOn();
  }

  /** The game that is being played, or the newest one; nothing new stays as it is. */
  #goOn() {
    if (!this.#isFollowing) return;
    const { app, state } = this;
    const [live] = state.under_way;
    const show = live
      ? this.#followLive(live)
      : state.games.length && state.games[0].number !== this.#shown
        ? this.#replay(state.games[0].number)
        : null;
    show?.catch((error) => app.warn(error));
  }

  #followLive(game) {
    this.#mark(null);
    return this.replay.follow(this.#named(game), this.app.t("arena.live"));
  }

  async #replay(number) {
    const { app, state } = this;
    this.#mark(number);
    const game = await app.ask({ kind: "EventGame", event: state.event, number });
    if (this.#shown === number) await this.replay.show(this.#named(game), app.t("arena.game_title", { number }));
  }

  /** A game with what its bots are called, and their names as `bots`. */
  #named(game) {
    return { ...game, players: game.players.map((name) => botTitle(this.state, name)), bots: game.players };
  }

  /** Mark the game that is on the board. */
  #mark(number) {
    this.#shown = number;
    if (this.games) this.#showGames(this.games);
  }
}

function winner(app, { players, result }) {
  const shares = result.split("-");
  const seat = shares.indexOf("1");
  if (seat >= 0) return app.t("arena.winner_is", { bot: players[seat], number: seat + 1 });
  return result === "*" ? app.t("arena.unfinished") : app.t("arena.draw");
}

function duration(app, seconds) {
  if (seconds < MINUTE) return app.t("arena.seconds_left", { count: Math.max(1, Math.round(seconds)) });
  if (seconds < MINUTE * MINUTE) return app.t("arena.minutes_left", { count: Math.round(seconds / MINUTE) });
  return app.t("arena.hours_left", { hours: app.number(seconds / MINUTE / MINUTE, 1) });
}
