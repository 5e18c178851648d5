// @ts-check
// What a report shows of an event beside its standings: who is probably better, thinking times, versions over time.

import { el, svg } from "./dom.js";
import { botTitle, crossed, crossedHead, errorBar, signed } from "./standings.js";
import { figure, framed, headings } from "./tables.js";
import { number, percent, t } from "./words.js";

/**
 * @import { Child } from "./dom.js"
 * @import { EventState, EventStatistics, MoveTimes, RatedVersion } from "./protocol.d.ts"
 */

const SURE = 0.95; // a chance above this is set in bold
const SHORTEST = 1e-5; // seconds; a scale of powers of ten has no zero
const [WIDTH, HEIGHT, EDGE] = [640, 280, 40]; // pixels

/**
 * The sections after the standings and games of an event.
 *
 * @param {EventState} state
 * @param {EventStatistics} statistics
 */
export function statisticsView(state, { superiority, times, versions }) {
  return [
    versions.length > 0 && progress(versions),
    superiority.length > 1 && comparison(state, superiority),
    times.length > 0 && thinkingTimes(state, times),
  ];
}

/**
 * A table of bots, by a title, other words and numbers.
 *
 * @param {string[]} ids
 * @param {number} numbersFrom
 * @param {Child[][]} rows
 */
function botTable(ids, numbersFrom, rows) {
  const heads = headings(["arena.bot_head", ...ids].map((id, at) => [t(id), at >= numbersFrom]));
  const lines = rows.map(([title, ...cells]) => el("tr", {}, el("th", { scope: "row" }, title), cells));
  return el("table", {}, heads, el("tbody", {}, lines));
}

/**
 * The chance that the bot of a row is better than the bot of a column.
 *
 * @param {EventState} state
 * @param {EventStatistics["superiority"]} superiority
 */
function comparison(state, superiority) {
  const titles = state.table.map(({ name }) => botTitle(state, name));
  /** @type {(chance: number | null, isSelf: boolean) => Child} */
  const cell = (chance, isSelf) => {
    if (isSelf) return el("td", { class: "self" });
    return figure(chance === null ? "–" : el(chance >= SURE ? "strong" : "span", {}, percent(chance)));
  };
  const rows = superiority.map((chances, row) =>
    el(
      "tr",
      {},
      crossedHead(titles[row], row, state.table[row].name),
      chances.map((chance, column) => cell(chance, row === column)),
    ),
  );
  const table = crossed(el("table", { class: "cross" }), titles, el("tbody", {}, rows));
  return framed(t("report.superiority"), table, t("report.superiority_about"));
}

/**
 * How long the moves of each bot took, with a plot on a common scale of powers of ten.
 *
 * @param {EventState} state
 * @param {MoveTimes[]} times
 */
function thinkingTimes(state, times) {
  const all = times.map(({ median, most, slowest }) => [median, most, slowest]);
  const logs = all.map((seconds) => seconds.map((each) => Math.log10(Math.max(each, SHORTEST))));
  const [low, high] = range(logs.flat());
  const rows = times.map(({ bot, moves }, row) => {
    const [score, far] = logs[row].map((log) => (log - low) / (high - low || 1));
    const [median, most, slowest] = all[row].map((seconds) => number(1000 * seconds, 1));
    const bar = errorBar({ score, low: 0, high: far }, t("report.times_text", { median, most }));
    return [botTitle(state, bot), ...[number(moves), median, most, slowest].map(figure), el("td", {}, bar)];
  });
  const ids = ["moves", "median", "most", "slowest", "scale"].map((id) => `report.${id}`);
  return framed(t("report.times"), botTable(ids, 1, rows));
}

/**
 * The versions of bots that were handed in again, as a plot and as a table.
 *
 * @param {RatedVersion[]} versions
 */
function progress(versions) {
  const rows = versions.map(({ title, since, games, rating, rating_error: error }) => [
    title,
    el("td", {}, since),
    figure(number(games)),
    figure(`${signed(rating)} ± ${number(error)}`),
  ]);
  const table = botTable(["report.since", "arena.games", "arena.rating"], 2, rows);
  return framed(t("report.progress"), table, t("report.progress_about"), plot(versions));
}

/**
 * A line for each bot: its rating over the date of its versions, with error bars.
 *
 * @param {RatedVersion[]} versions
 */
function plot(versions) {
  const dates = versions.map(({ since }) => since).toSorted();
  const ends = [dates[0], dates[dates.length - 1]];
  const [first, last] = ends.map(Date.parse);
  const [low, high] = range(versions.flatMap(({ rating, rating_error: error }) => [rating - error, rating + error]));
  /** @param {string} since */
  const x = (since) => EDGE + ((WIDTH - 2 * EDGE) * (Date.parse(since) - first)) / (last - first || 1);
  /** @param {number} elo */
  const y = (elo) => HEIGHT - EDGE - ((HEIGHT - 2 * EDGE) * (elo - low)) / (high - low || 1);
  /** @type {(x: number, y: number, text: string, anchor?: string) => SVGElement} */
  const label = (x, y, text, anchor) => svg("text", { x, y, "text-anchor": anchor }, text);
  const lines = [...Map.groupBy(versions, ({ bot }) => bot).values()].map((own) => {
    const { bot, since, rating } = own[own.length - 1];
    const points = own.map((version) => `${x(version.since)},${y(version.rating)}`).join(" ");
    const marks = own.map(({ since, rating, rating_error: error }) => [
      svg("line", { class: "whisker", x1: x(since), x2: x(since), y1: y(rating - error), y2: y(rating + error) }),
      svg("circle", { class: "mean", cx: x(since), cy: y(rating), r: 4 }),
    ]);
    return [svg("polyline", { class: "course", points }), marks, label(x(since) - 6, y(rating) - 8, bot, "end")];
  });
  const axes = [
    label(2, y(high) + 4, signed(high)),
    label(2, y(low) + 4, signed(low)),
    label(EDGE, HEIGHT - 6, ends[0]),
    label(WIDTH - EDGE, HEIGHT - 6, ends[1], "end"),
  ];
  const attributes = { class: "error-bar progress-plot", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img" };
  return svg("svg", { ...attributes, "aria-label": t("report.progress") }, axes, lines);
}

/**
 * The least and the greatest of some numbers.
 *
 * @param {number[]} values
 */
function range(values) {
  return [Math.min(...values), Math.max(...values)];
}
