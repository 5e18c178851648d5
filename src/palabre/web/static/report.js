// @ts-check
// A report: the view of an event, or a single game, with data that lie in the page and beside it instead of on a
// server. `bundle.py` makes one script of this module and of all that it imports.

import { App } from "./app.js";
import { byId, el, fill, heading } from "./dom.js";
import { eventView } from "./event.js";
import { listen } from "./keys.js";
import { Replay } from "./replay.js";
import { applyTheme } from "./settings.js";
import { statisticsView } from "./statistics.js";
import { t, use } from "./words.js";

/**
 * @import { Params, Source } from "./app.js"
 * @import { EventGame, EventGames, Place, ReplayedGame, ReportData, ShowLine } from "./protocol.d.ts"
 *
 * @typedef {Record<number, ReplayedGame>} Games by their numbers
 */

/** Answers what a view of an event asks, as the server does. @implements {Source} */
class Files {
  isReport = true;
  known = {};
  /** @type {Map<number, Promise<Games>>} */
  #files = new Map();
  /** @type {WeakMap<Place, ReplayedGame>} */
  #shown = new WeakMap(); // the games that were asked for

  /** @param {ReportData} data */
  constructor(data) {
    this.data = data;
  }

  /** Nothing changes in a report. */
  on() {
    return () => false;
  }

  /** @type {Source["ask"]} */
  async ask(request) {
    /** @type {any} */
    const asked = request;
    return this.#answers[/** @type {string} */ (asked.kind)]?.(asked);
  }

  /** @type {Record<string, (request: any) => any>} */
  #answers = {
    WatchEvent: () => this.data.state,
    EventGames: (/** @type {EventGames} */ { bots = [] }) =>
      this.data.state?.games.filter(({ players }) => bots.every((bot) => players.includes(bot))),
    EventGame: async (/** @type {EventGame} */ { number }) => {
      const { game, state } = this.data;
      const isThere = state?.games.some((each) => each.number === number);
      const replayed = game ?? (isThere && (await this.#fileOf(number))[number]);
      if (!replayed) throw new Error(t("report.no_game", { number }));
      this.#shown.set(replayed.game.place, replayed);
      return replayed.game;
    },
    ShowLine: (/** @type {ShowLine} */ { place }) => {
      const { game, plies, now } = /** @type {ReplayedGame} */ (this.#shown.get(/** @type {Place} */ (place)));
      return { place: game.place, ground: this.data.ground, plies, now };
    },
  };

  /**
   * The games of the file that a game is in. A script can be loaded from a disk, where `fetch` is forbidden.
   *
   * @param {number} game
   */
  #fileOf(game) {
    const file = Math.floor((game - 1) / this.data.games_per_file);
    const known = this.#files.get(file);
    if (known) return known;
    /** @type {Promise<Games>} */
    const loading = new Promise((resolve) => {
      const onload = () => resolve(unpacked(/** @type {any} */ (globalThis).PACKED));
      document.head.append(el("script", { src: `games/${file}.js`, onload, onerror: () => resolve({}) }));
    });
    this.#files.set(file, loading);
    return loading;
  }
}

/**
 * What was compressed and written in letters.
 *
 * @param {string} packed
 * @returns {Promise<any>}
 */
function unpacked(packed) {
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).json();
}

/**
 * One game, which the reader steps through.
 *
 * @param {App} app
 * @param {HTMLElement} root
 * @param {ReportData} data
 */
async function gameView(app, root, { title, rules }) {
  const link = (/** @type {number} */ ply) => history.replaceState(null, "", `#1@${ply}`);
  const replay = new Replay(app, { onRest: link });
  const side = el("div", { class: "side" }, heading(title, rules, "quiet"), replay.side);
  fill(root, el("div", { class: "play event" }, replay.element, side));
  const game = await app.ask({ kind: "EventGame", event: "", number: 1 });
  await replay.show({ ...game, bots: game.players }, "", Number(location.hash.split("@")[1]));
}

async function start() {
  /** @type {ReportData} */
  const data = JSON.parse(/** @type {string} */ (byId("data").textContent));
  use(/** @type {any} */ (data.words), data.language);
  applyTheme();
  listen();
  const app = new App(new Files(data), () => {}, {
    kind: "Welcome",
    role: "watcher",
    version: "",
    seconds: 0,
    name: "",
  });
  const root = el("div", { class: "view report" });
  fill(byId("main"), root);
  if (!data.state) return gameView(app, root, data);
  const address = () => location.hash.slice(1);
  const view = await eventView(app, root, /** @type {Params} */ ({ event: "", hash: address() }));
  addEventListener("hashchange", () => view.begin(address()));
  root.append(el("div", {}, data.statistics && statisticsView(data.state, data.statistics)));
}

start();
