// @ts-check
// The tables of an event: standings with error bars, and who beat whom. All numbers come from the server.

import { framed } from "./arena.js";
import { button, el, fill, fillByKey, svg } from "./dom.js";

/**
 * @import { App } from "./app.js"
 * @import { Child } from "./dom.js"
 * @import { EventRow, EventState } from "./protocol.d.ts"
 */

const WIDTH = 160; // of an error bar, in pixels
const HEIGHT = 22;
const EDGE = 6;
const WORDS = ["bot_head", "interval"]; // columns that are no numbers

/**
 * The tables of an event, as a function of how it stands; `onPick(bot, other)` is told when a result is clicked. Results
 * that have not changed keep their buttons.
 *
 * @param {App} app
 * @param {(bot: string, other: string) => unknown} onPick
 * @returns {(state: EventState) => Child}
 */
export function eventTables(app, onPick) {
  const [ranks, cross, results] = [
    el("table", { class: "standings", "data-id": "standings" }),
    el("table", { class: "cross", "data-id": "cross" }),
    el("tbody"),
  ];
  const tables = [
    framed(app.t("arena.standings"), ranks),
    framed(app.t("arena.cross"), cross, el("p", { class: "quiet" }, app.t("arena.cross_about"))),
  ];
  return (state) => {
    const titles = state.table.map(({ name }) => botTitle(state, name));
    fill(ranks, standings(app, state));
    if (state.cross.length < 2 || state.played === 0) return tables[0];
    fill(cross, crossHead(titles), results);
    const rows = fillByKey(
      results,
      state.table.map(({ name }) => [name, () => el("tr")]),
    );
    for (const [at, row] of rows.entries()) fillByKey(row, crossRow(app, state, titles, at, onPick));
    return tables;
  };
}

/**
 * The standings, the best first.
 *
 * @param {App} app
 * @param {EventState} state
 */
function standings(app, state) {
  const isChampionship = state.table.some((row) => row.points !== null);
  const isRated = state.table.some((row) => row.rating !== null);
  const heads = [
    "rank",
    "bot_head",
    isChampionship && "points",
    "score",
    "interval",
    "games",
    "results",
    "forfeits",
    isRated && "rating",
  ].filter((id) => id !== false);
  return [
    el(
      "thead",
      {},
      el(
        "tr",
        {},
        heads.map((id) =>
          el(
            "th",
            { scope: "col", title: about(app, id), class: WORDS.includes(id) ? null : "number" },
            app.t(`arena.${id}`),
          ),
        ),
      ),
    ),
    el(
      "tbody",
      {},
      state.table.map((row) =>
        standing(app, row, botTitle(state, row.name), state.fair_share, isChampionship, isRated),
      ),
    ),
  ];
}

/**
 * What to call a bot of an event: its name says exactly which one it is.
 *
 * @param {EventState} state
 * @param {string} name
 */
export function botTitle(state, name) {
  return state.titles[name] ?? name;
}

/**
 * @param {App} app
 * @param {string} id
 */
function about(app, id) {
  return ["results", "interval", "rating"].includes(id) ? app.t(`arena.${id}_about`) : null;
}

/**
 * @param {App} app
 * @param {EventRow} row
 * @param {string} title
 * @param {number} fairShare
 * @param {boolean} isChampionship
 * @param {boolean} isRated
 */
function standing(app, row, title, fairShare, isChampionship, isRated) {
  /** @param {string} text */
  const number = (text) => el("td", { class: "number" }, text);
  /** @param {number} share */
  const percent = (share) => app.t("unit.percent", { number: app.number(100 * share, 1) });
  return el(
    "tr",
    { "data-bot": row.name },
    number(row.rank === null ? "–" : app.number(row.rank)),
    el("th", { scope: "row", title: row.name }, title),
    isChampionship && number(row.points === null ? "" : app.number(row.points, Number.isInteger(row.points) ? 0 : 1)),
    number(row.games ? percent(row.score) : "–"),
    el(
      "td",
      {},
      row.games > 0 &&
        errorBar(row, fairShare, app.t("arena.interval_text", { low: percent(row.low), high: percent(row.high) })),
    ),
    number(app.number(row.games)),
    number(`${app.number(row.wins)} – ${app.number(row.draws)} – ${app.number(row.losses)}`),
    number(app.number(row.forfeits)),
    isRated && number(row.rating === null ? "–" : `${signed(app, row.rating)} ± ${app.number(row.rating_error ?? 0)}`),
  );
}

/**
 * A dot with its error bar on the scale from 0 to 1; a tick shows the score of a bot that is as good as the others.
 *
 * @param {EventRow} row
 * @param {number} fairShare
 * @param {string} text
 */
function errorBar({ score, low, high }, fairShare, text) {
  /** @param {number} share */
  const x = (share) => EDGE + (WIDTH - 2 * EDGE) * share;
  const middle = HEIGHT / 2;
  /** @type {(kind: string, x1: number, x2: number, y1: number, y2: number) => SVGElement} */
  const line = (kind, x1, x2, y1, y2) => svg("line", { class: kind, x1, x2, y1, y2 });
  return svg(
    "svg",
    { class: "error-bar", width: WIDTH, height: HEIGHT, role: "img", "aria-label": text },
    svg("title", {}, text),
    line("scale", x(0), x(1), middle, middle),
    line("fair", x(fairShare), x(fairShare), 2, HEIGHT - 2),
    line("whisker", x(low), x(high), middle, middle),
    line("whisker", x(low), x(low), middle - 4, middle + 4),
    line("whisker", x(high), x(high), middle - 4, middle + 4),
    svg("circle", { class: "mean", cx: x(score), cy: middle, r: 4.5 }),
  );
}

/**
 * The first row of the table of who beat whom.
 *
 * @param {string[]} titles
 */
function crossHead(titles) {
  const heads = titles.map((title, number) =>
    el(
      "th",
      { scope: "col", title, class: "number" },
      el("span", { class: "unseen" }, title),
      el("span", { "aria-hidden": "true" }, number + 1),
    ),
  );
  return el("thead", {}, el("tr", {}, el("td"), heads));
}

/**
 * Another row of it, for `fillByKey`: whom a bot beat.
 *
 * @param {App} app
 * @param {EventState} state
 * @param {string[]} titles
 * @param {number} row
 * @param {(bot: string, other: string) => unknown} onPick
 * @returns {(readonly [key: unknown, make: () => HTMLElement])[]}
 */
function crossRow(app, { table, cross }, titles, row, onPick) {
  const bot = table[row].name;
  const head = el("th", { scope: "row", title: bot }, `${row + 1}. ${titles[row]}`);
  /** @type {(found: [points: number, games: number] | null, column: number) => HTMLElement} */
  const cell = (found, column) => {
    if (row === column) return el("td", { class: "self" });
    if (!found) return el("td", { class: "number" }, "–");
    const [points, games] = found;
    const text = `${app.number(points, Number.isInteger(points) ? 0 : 1)} / ${app.number(games)}`;
    const label = app.t("arena.cell", { bot: titles[row], other: titles[column], points, games });
    return el(
      "td",
      { class: "number" },
      button(text, () => onPick(bot, table[column].name), {
        class: "small quiet",
        "aria-label": label,
        "data-id": `cell-${row}-${column}`,
      }),
    );
  };
  return [
    [head, () => head],
    ...cross[row].map(
      (found, column) =>
        /** @type {const} */ ([JSON.stringify([row, table[column].name, column, found]), () => cell(found, column)]),
    ),
  ];
}

/**
 * @param {App} app
 * @param {number} value
 */
function signed(app, value) {
  return `${value > 0 ? "+" : value < 0 ? "−" : ""}${app.number(Math.abs(Math.round(value)))}`;
}
