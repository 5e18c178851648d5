// @ts-check
// The tables of an event: standings with error bars, and who beat whom. All numbers come from the server.

import { button, el, fill, fillByKey, svg } from "./dom.js";
import { figure, framed, headings } from "./tables.js";
import { number, t } from "./words.js";

/**
 * @import { Child } from "./dom.js"
 * @import { EventRow, EventState } from "./protocol.d.ts"
 */

const WIDTH = 160; // of an error bar, in pixels
const HEIGHT = 22;
const EDGE = 6;
const WORDS = ["bot_head", "authors", "interval"]; // columns that are no numbers
const MANY = 24; // bots; more are set against each other in small print

/**
 * The tables of an event, as a function of how it stands; `onPick(bot, other)` is called when a result is clicked. Results
 * that have not changed keep their buttons.
 *
 * @param {(bot: string, other: string) => unknown} onPick
 * @returns {(state: EventState) => Child}
 */
export function eventTables(onPick) {
  const [ranks, cross, results] = [
    el("table", { class: "standings", "data-id": "standings" }),
    el("table", { class: "cross", "data-id": "cross" }),
    el("tbody"),
  ];
  const tables = [framed(t("arena.standings"), ranks), framed(t("arena.cross"), cross, t("arena.cross_about"))];
  return (state) => {
    const titles = state.table.map(({ name }) => botTitle(state, name));
    fill(ranks, standings(state));
    if (state.cross.length < 2 || state.played === 0) return tables[0];
    crossed(cross, titles, results);
    const rows = fillByKey(
      results,
      state.table.map(({ name }) => [name, () => el("tr")]),
    );
    for (const [at, row] of rows.entries()) fillByKey(row, crossRow(state, titles, at, onPick));
    return tables;
  };
}

/**
 * The standings, the best first.
 *
 * @param {EventState} state
 */
function standings(state) {
  const isChampionship = state.table.some((row) => row.points !== null);
  const isRated = state.table.some((row) => row.rating !== null);
  const hasAuthors = state.table.some((row) => row.authors);
  const hasReplays = state.table.some((row) => row.replayed);
  const heads = [
    "rank",
    "bot_head",
    hasAuthors && "authors",
    isChampionship && "points",
    "score",
    "interval",
    "games",
    "results",
    "forfeits",
    hasReplays && "replayed",
    isRated && "rating",
  ].filter((id) => id !== false);
  return [
    headings(heads.map((id) => [t(`arena.${id}`), !WORDS.includes(id), about(id)])),
    el(
      "tbody",
      {},
      state.table.map((row) => standing(row, botTitle(state, row.name), state.fair_share, new Set(heads))),
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
 * @param {string} id
 */
function about(id) {
  return ["results", "interval", "rating"].includes(id) ? t(`arena.${id}_about`) : null;
}

/**
 * @param {EventRow} row
 * @param {string} title
 * @param {number} fairShare
 * @param {Set<string>} heads
 */
function standing(row, title, fairShare, heads) {
  /** @param {number} share */
  const percent = (share) => t("unit.percent", { number: number(100 * share, 1) });
  return el(
    "tr",
    { "data-bot": row.name },
    figure(row.rank === null ? "–" : number(row.rank)),
    el("th", { scope: "row", title: row.name }, title),
    heads.has("authors") && el("td", {}, row.authors),
    heads.has("points") && figure(row.points === null ? "" : number(row.points, Number.isInteger(row.points) ? 0 : 1)),
    figure(row.games ? percent(row.score) : "–"),
    el(
      "td",
      {},
      row.games > 0 &&
        errorBar(row, t("arena.interval_text", { low: percent(row.low), high: percent(row.high) }), fairShare),
    ),
    figure(number(row.games)),
    figure(`${number(row.wins)} – ${number(row.draws)} – ${number(row.losses)}`),
    figure(number(row.forfeits)),
    heads.has("replayed") && figure(number(row.replayed)),
    heads.has("rating") &&
      figure(row.rating === null ? "–" : `${signed(row.rating)} ± ${number(row.rating_error ?? 0)}`),
  );
}

/**
 * A dot with its error bar on the scale from 0 to 1, named by a text; a tick shows the score of a bot that is as good as
 * the others.
 *
 * @param {Pick<EventRow, "score" | "low" | "high">} row
 * @param {string} text
 * @param {number} [fairShare]
 */
export function errorBar({ score, low, high }, text, fairShare) {
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
    fairShare !== undefined && line("fair", x(fairShare), x(fairShare), 2, HEIGHT - 2),
    line("whisker", x(low), x(high), middle, middle),
    line("whisker", x(low), x(low), middle - 4, middle + 4),
    line("whisker", x(high), x(high), middle - 4, middle + 4),
    svg("circle", { class: "mean", cx: x(score), cy: middle, r: 4.5 }),
  );
}

/**
 * Fill a table of all bots against all, whose rows are given.
 *
 * @param {HTMLElement} table
 * @param {string[]} titles
 * @param {HTMLElement} rows
 */
export function crossed(table, titles, rows) {
  const heads = titles.map((title, number) =>
    el(
      "th",
      { scope: "col", title, class: "number" },
      el("span", { class: "unseen" }, title),
      el("span", { "aria-hidden": "true" }, number + 1),
    ),
  );
  table.classList.toggle("many", titles.length > MANY);
  return fill(table, el("thead", {}, el("tr", {}, el("td"), heads)), rows);
}

/**
 * The head of a row of it.
 *
 * @param {string} title
 * @param {number} row
 * @param {string} name
 */
export function crossedHead(title, row, name) {
  return el("th", { scope: "row", title: name }, `${row + 1}. ${title}`);
}

/**
 * Another row of it, for `fillByKey`: whom a bot beat.
 *
 * @param {EventState} state
 * @param {string[]} titles
 * @param {number} row
 * @param {(bot: string, other: string) => unknown} onPick
 * @returns {(readonly [key: unknown, make: () => HTMLElement])[]}
 */
function crossRow({ table, cross }, titles, row, onPick) {
  const bot = table[row].name;
  const head = crossedHead(titles[row], row, bot);
  /** @type {(found: [points: number, games: number] | null, column: number) => HTMLElement} */
  const cell = (found, column) => {
    if (row === column) return el("td", { class: "self" });
    if (!found) return figure("–");
    const [points, games] = found;
    const text = `${number(points, Number.isInteger(points) ? 0 : 1)} / ${number(games)}`;
    const label = t("arena.cell", { bot: titles[row], other: titles[column], points, games });
    const attributes = { class: "small quiet", "aria-label": label, "data-id": `cell-${row}-${column}` };
    return figure(button(text, () => onPick(bot, table[column].name), attributes));
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
 * A whole number with its sign.
 *
 * @param {number} value
 */
export function signed(value) {
  return `${value > 0 ? "+" : value < 0 ? "−" : ""}${number(Math.abs(Math.round(value)))}`;
}
