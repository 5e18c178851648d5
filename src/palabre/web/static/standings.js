// The tables of an event: standings with error bars, and who beat whom. All numbers come from the server.

import { framed } from "./arena.js";
import { button, el, svg } from "./dom.js";

const WIDTH = 160; // of an error bar, in pixels
const HEIGHT = 22;
const EDGE = 6;
const WORDS = ["bot_head", "interval"]; // columns that are no numbers

/** The standings, the best first. */
export function standings(app, state) {
  const isChampionship = state.table.some((row) => present(row.points));
  const isRated = state.table.some((row) => present(row.rating));
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
  ].filter(Boolean);
  const table = el(
    "table",
    { class: "standings", "data-id": "standings" },
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
  );
  return framed(app.t("arena.standings"), table);
}

/** What to call a bot of an event: its name says exactly which one it is. */
export function botTitle(state, name) {
  return state.titles[name] ?? name;
}

function about(app, id) {
  return (
    {
      results: app.t("arena.results_about"),
      interval: app.t("arena.interval_about"),
      rating: app.t("arena.rating_about"),
    }[id] ?? null
  );
}

function standing(app, row, title, fairShare, isChampionship, isRated) {
  const number = (text) => el("td", { class: "number" }, text);
  const percent = (share) => app.t("unit.percent", { number: app.number(100 * share, 1) });
  return el(
    "tr",
    { "data-bot": row.name },
    number(row.rank === null ? "–" : app.number(row.rank)),
    el("th", { scope: "row", title: row.name }, title),
    isChampionship && number(present(row.points) ? app.number(row.points, Number.isInteger(row.points) ? 0 : 1) : ""),
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
    isRated && number(present(row.rating) ? `${signed(app, row.rating)} ± ${app.number(row.rating_error)}` : "–"),
  );
}

/** A dot with its error bar on the scale from 0 to 1; a tick shows the score of a bot that is as good as the others. */
function errorBar({ score, low, high }, fairShare, text) {
  const x = (share) => EDGE + (WIDTH - 2 * EDGE) * share;
  const middle = HEIGHT / 2;
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

/** Who beat whom; `onPick(bot, other)` is told when a result is clicked. */
export function crossTable(app, state, onPick) {
  const { table, cross } = state;
  const titles = table.map(({ name }) => botTitle(state, name));
  if (cross.length < 2 || state.played === 0) return null;
  const cell = (found, row, column) => {
    if (row === column) return el("td", { class: "self" });
    if (!found) return el("td", { class: "number" }, "–");
    const [points, games] = found;
    const text = `${app.number(points, Number.isInteger(points) ? 0 : 1)} / ${app.number(games)}`;
    const label = app.t("arena.cell", { bot: titles[row], other: titles[column], points, games });
    return el(
      "td",
      { class: "number" },
      button(text, () => onPick(table[row].name, table[column].name), {
        class: "small quiet",
        "aria-label": label,
        "data-id": `cell-${row}-${column}`,
      }),
    );
  };
  const made = el(
    "table",
    { class: "cross", "data-id": "cross" },
    el(
      "thead",
      {},
      el(
        "tr",
        {},
        el("td"),
        titles.map((title, number) =>
          el(
            "th",
            { scope: "col", title, class: "number" },
            el("span", { class: "unseen" }, title),
            el("span", { "aria-hidden": "true" }, number + 1),
          ),
        ),
      ),
    ),
    el(
      "tbody",
      {},
      titles.map((title, row) =>
        el(
          "tr",
          {},
          el("th", { scope: "row", title: table[row].name }, `${row + 1}. ${title}`),
          cross[row].map((found, column) => cell(found, row, column)),
        ),
      ),
    ),
  );
  return framed(app.t("arena.cross"), made, el("p", { class: "quiet" }, app.t("arena.cross_about")));
}

function signed(app, value) {
  return `${value > 0 ? "+" : value < 0 ? "−" : ""}${app.number(Math.abs(Math.round(value)))}`;
}

function present(value) {
  return value !== null && value !== undefined;
}
