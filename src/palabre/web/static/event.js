// @ts-check
// One event: how far it is, its standings, its games, and a board that shows them.

import { button, check, el, fill, fillByKey, find, heading, homes, refresh, setText } from "./dom.js";
import { quitButton } from "./ending.js";
import { Replay } from "./replay.js";
import { botTitle, eventTables } from "./standings.js";
import { arenaStyle, figure, formatName, framed, headings } from "./tables.js";
import { number, t } from "./words.js";

/**
 * @import { App, Params } from "./app.js"
 * @import { EventGameEntry, EventGameUnderWay, EventState } from "./protocol.d.ts"
 */

const MINUTE = 60;

/**
 * @param {App} app
 * @param {HTMLElement} root
 * @param {Params} params
 */
export async function eventView(app, root, { event, hash }) {
  await arenaStyle();
  const name = decodeURIComponent(event);
  const state = await app.ask({ kind: "WatchEvent", event: name });
  const view = new EventView(app, root, state);
  app.on("EventChanged", (change) => change.state.event === name && view.update(change.state));
  app.on("Reconnected", async () => view.update(await app.ask({ kind: "WatchEvent", event: name })));
  app.leave(() => app.ask({ kind: "LeaveEvent", event: name }).catch(() => {}));
  view.begin(hash);
  return view;
}

class EventView {
  /** @type {string[] | null} */
  #picked = null; // the bots whose games are listed; null for all
  #isFollowing; // whether the board goes on to the newest game by itself
  /** @type {number | null} */
  #shown = null; // the number of the game on the board
  #rows = el("tbody"); // of the list of games
  #count = el("p", { class: "quiet" }); // how many of them are listed

  /**
   * @param {App} app
   * @param {HTMLElement} root
   * @param {EventState} state
   */
  constructor(app, root, state) {
    this.app = app;
    this.state = state;
    this.#isFollowing = !app.isReport;
    this.replay = new Replay(app, { onEnd: () => this.#goOn(), onRest: (ply) => this.#link(ply) });
    this.parts = homes(["progress", "message", "actions", "question", "tables", "notes", "games"]);
    this.tables = eventTables((...bots) => this.#list(bots));
    /** @type {(kind: "StopEvent" | "ResumeEvent") => () => unknown} */
    const ask = (kind) => () => app.attempt({ kind, event: state.event });
    this.buttons = {
      stop: button(t("arena.stop"), ask("StopEvent"), { "data-id": "stop" }),
      resume: button(t("arena.resume"), ask("ResumeEvent"), { class: "primary", "data-id": "resume" }),
      again: button(t("arena.again"), () => app.go("/arena"), { "data-id": "again" }),
      menu: button(t("end.menu"), () => app.go("/"), { "data-id": "menu" }),
      quit: quitButton(app, this.parts.question),
    };
    this.follow = check(t("arena.follow"), true, (isOn) => this.#follow(isOn), { "data-id": "follow" });
    this.#build(root);
    this.update(state);
  }

  /** @param {HTMLElement} root */
  #build(root) {
    const { app, parts, state } = this;
    app.title(state.title);
    const about = [formatName(state.format), state.rules].filter(Boolean).join(" · ");
    const head = [heading(state.title, about, "quiet"), parts.progress];
    const tables = [parts.tables, parts.notes];
    const actions = [parts.message, parts.actions, parts.question, this.follow];
    const side = el("div", { class: "side" }, !app.isReport && [head, actions], this.replay.side);
    const board = el("div", { class: "play event" }, this.replay.element, side);
    fill(root, app.isReport ? [head, tables, board] : [board, tables], parts.games);
    parts.message.setAttribute("role", "status");
  }

  /**
   * Begin with the game of an address, `12`, at a ply if it names one, `12@30`; or with the newest, which a report does
   * not play by itself.
   *
   * @param {string} address
   */
  begin(address) {
    const [number, ply] = address.split("@").map(Number);
    const [newest] = this.state.games;
    if (number) this.#pick(number, ply);
    else if (!this.app.isReport) this.#goOn();
    else if (newest) this.#show(newest.number, 0);
  }

  /**
   * Show what has changed.
   *
   * @param {EventState} state
   */
  update(state) {
    const hadGames = this.state.games.length > 0 || this.state.under_way.length > 0;
    const wasRunning = this.state.is_running;
    this.state = state;
    const { parts, app } = this;
    this.#showProgress();
    setText(parts.message, state.message);
    parts.message.classList.toggle("wrong", state.message !== "");
    this.#showActions();
    refresh(parts.tables, [state.table, state.cross], () => this.tables(state));
    const notes = state.played > 0 ? state.notes : [];
    refresh(parts.notes, notes, () => notes.map((note) => el("p", { class: "quiet" }, note)));
    if (!this.#picked) this.#showGames(state.games);
    if (this.#isFollowing && (state.under_way.length > 0 || !hadGames)) this.#goOn();
    if (wasRunning && !state.is_running && !state.message) app.say(t("arena.done"));
  }

  #showProgress() {
    const { state, parts } = this;
    const words = [
      state.planned
        ? t("arena.played_of", { count: state.played, planned: state.planned })
        : t("arena.played", { count: state.played }),
    ];
    if (state.is_running && state.seconds_left !== null)
      words.push(t("arena.left", { time: duration(state.seconds_left) }));
    if (state.is_running && state.played === 0 && state.under_way.length === 0) words.push(t("arena.preparing"));
    const bar =
      state.planned !== null &&
      state.planned > 0 &&
      el("progress", { max: state.planned, value: state.played, "aria-label": t("arena.progress") });
    fill(parts.progress, el("p", { "data-id": "progress" }, words.join(", ")), bar);
  }

  #showActions() {
    if (this.app.isReport) return;
    const { can, is_running: isRunning } = this.state;
    const { stop, resume, again, menu, quit } = this.buttons;
    const mayBeginAnother = !isRunning && this.app.welcome.role === "operator";
    fill(
      this.parts.actions,
      can.includes("stop") && stop,
      can.includes("resume") && resume,
      mayBeginAnother && again,
      menu,
      quit,
    );
  }

  /**
   * List the games in which all of these bots play.
   *
   * @param {string[]} bots
   */
  async #list(bots) {
    this.#picked = bots;
    const games = await this.app.attempt({ kind: "EventGames", event: this.state.event, bots });
    if (!games || this.#picked !== bots) return;
    this.#showGames(games);
    find(this.parts.games, "h2")?.scrollIntoView({ block: "nearest" });
    if (games.length) this.#pick(games[0].number);
  }

  #showAll() {
    this.#picked = null;
    this.#showGames(this.state.games);
  }

  /** @param {EventGameEntry[]} games */
  #showGames(games) {
    const { state, parts } = this;
    parts.games.hidden = games.length === 0;
    const seats = games[0]?.players.length ?? 2;
    this.#count.hidden = games.length >= state.played || this.#picked !== null;
    setText(this.#count, t("arena.newest", { count: games.length }));
    refresh(parts.games, [this.#picked, seats], () => this.#gameTable(seats));
    fillByKey(
      this.#rows,
      games.map((game) => [game.number, () => this.#row(game)]),
    );
    this.#markRow();
  }

  /**
   * The table of games, of so many players each.
   *
   * @param {number} seats
   */
  #gameTable(seats) {
    const { state } = this;
    const bots = Array.from(
      { length: seats },
      (_, seat) => /** @type {const} */ ([t("arena.bot", { number: seat + 1 })]),
    );
    const heads = headings([
      [t("arena.game_number"), true],
      ...bots,
      [t("arena.winner")],
      [t("arena.result")],
      [t("arena.plies"), true],
      [t("arena.ending")],
    ]);
    const title = this.#picked
      ? t("arena.games_of", { bots: this.#picked.map((name) => botTitle(state, name)).join(" – ") })
      : t("arena.game_list");
    const all =
      this.#picked && button(t("arena.all_games"), () => this.#showAll(), { class: "quiet", "data-id": "all-games" });
    const table = el("table", { class: "game-list", "data-id": "games" }, heads, this.#rows);
    return framed(title, table, all, this.#count);
  }

  /** @param {EventGameEntry} game */
  #row(game) {
    const result = game.scores.length ? `${game.result} (${game.scores.join(" – ")})` : game.result;
    const replay = button(number(game.number), () => this.#pick(game.number), {
      class: "small",
      "data-id": `game-${game.number}`,
      "aria-label": t("arena.replay", { number: game.number }),
    });
    return el(
      "tr",
      { "data-game": game.number },
      figure(replay),
      game.players.map((name) => el("td", { title: name }, botTitle(this.state, name))),
      el("td", {}, winner(this.#named(game))),
      el("td", {}, result),
      figure(number(game.plies)),
      el("td", { class: "quiet" }, game.ending || t("arena.by_rules")),
    );
  }

  /**
   * Show a game that was clicked, and stay with it.
   *
   * @param {number} number
   * @param {number} [ply]
   */
  #pick(number, ply) {
    this.#follow(false);
    history.replaceState(null, "", `#${number}`); // A link to this game.
    this.#show(number, ply);
    this.replay.element.scrollIntoView({ block: "nearest" });
  }

  /**
   * Let the address lead to the ply at which a game has been stopped.
   *
   * @param {number} ply
   */
  #link(ply) {
    if (!this.#isFollowing && (ply > 0 || location.hash)) history.replaceState(null, "", `#${this.#shown}@${ply}`);
  }

  /** @param {boolean} isFollowing */
  #follow(isFollowing) {
    this.#isFollowing = isFollowing;
    /** @type {HTMLInputElement} */ (this.follow.control).checked = isFollowing;
    if (isFollowing) this.#goOn();
  }

  /** The game that is being played, or the newest one; nothing new stays as it is. */
  #goOn() {
    if (!this.#isFollowing) return;
    const [live] = this.state.under_way;
    const [newest] = this.state.games;
    if (live) this.#followLive(live).catch((error) => this.app.warn(error));
    else if (newest && newest.number !== this.#shown) this.#show(newest.number);
  }

  /** @param {EventGameUnderWay} game */
  #followLive(game) {
    this.#mark(null);
    return this.replay.follow(this.#named(game), t("arena.live"));
  }

  /**
   * Play a game from its beginning, or show it at a ply.
   *
   * @param {number} number
   * @param {number} [ply]
   */
  async #show(number, ply) {
    const { app, state } = this;
    this.#mark(number);
    const game = await app.attempt({ kind: "EventGame", event: state.event, number });
    if (!game || this.#shown !== number) return;
    await this.replay.show(this.#named(game), t("arena.game_title", { number }), ply).catch((error) => app.warn(error));
  }

  /**
   * A game with what its bots are called, and their names as `bots`.
   *
   * @template {{ players: string[] }} Game
   * @param {Game} game
   */
  #named(game) {
    return { ...game, players: game.players.map((name) => botTitle(this.state, name)), bots: game.players };
  }

  /**
   * Mark the game that is on the board.
   *
   * @param {number | null} number
   */
  #mark(number) {
    this.#shown = number;
    this.#markRow();
  }

  #markRow() {
    for (const row of this.#rows.rows)
      if (row.dataset.game === String(this.#shown)) row.setAttribute("aria-current", "true");
      else row.removeAttribute("aria-current");
  }
}

/**
 * @param {EventGameEntry} game
 */
function winner({ players, result }) {
  const shares = result.split("-");
  const seat = shares.indexOf("1");
  if (seat >= 0) return t("arena.winner_is", { bot: players[seat], number: seat + 1 });
  return result === "*" ? t("arena.unfinished") : t("arena.draw");
}

/**
 * @param {number} seconds
 */
function duration(seconds) {
  if (seconds < MINUTE) return t("arena.seconds_left", { count: Math.max(1, Math.round(seconds)) });
  if (seconds < MINUTE * MINUTE) return t("arena.minutes_left", { count: Math.round(seconds / MINUTE) });
  return t("arena.hours_left", { hours: number(seconds / MINUTE / MINUTE, 1) });
}
