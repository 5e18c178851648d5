// @ts-check
// One engine that thinks about the position on the board, and what it says: the best lines, live.

import { button, el, fillByKey, labelled, select, setText } from "./dom.js";
import { number, percent, short, t } from "./words.js";

/**
 * @import { App } from "./app.js"
 * @import { BotChoice, Place, Thoughts, ThoughtFacts } from "./protocol.d.ts"
 */

const LINES = [1, 2, 3, 5];
const CALM_MS = 150; // Somebody who steps through a game fast does not ask for every position.

export class Engine {
  /** @type {number | null} */
  #asked = null; // the number of the analysis under way
  /** @type {Place | null} */
  #place = null;
  #timer = 0;
  isOn = false;
  lines = 3;
  /** @type {string | null} */
  bot = null; // the usual one of the game

  /**
   * `onThoughts(lines)` gets all lines, the best first; `onTry(moves)` a line that the reader wants to see.
   *
   * @param {App} app
   * @param {BotChoice[]} bots
   * @param {{ onThoughts: (lines: ThoughtFacts[]) => unknown, onTry: (moves: string[]) => unknown }} listeners
   */
  constructor(app, bots, { onThoughts, onTry }) {
    this.app = app;
    this.onThoughts = onThoughts;
    this.onTry = onTry;
    this.parts = { state: el("p", { class: "engine-state", role: "status" }), list: el("ol", { class: "lines" }) };
    this.toggle = button(t("analyse.think"), () => this.switch(), { class: "primary", "data-id": "think" });
    const pick = select(
      [["", t("analyse.usual")], ...bots.map(({ name }) => /** @type {const} */ ([name, name]))],
      "",
      (bot) => this.#choose({ bot: bot || null }),
      { "data-id": "engine" },
    );
    const lines = select(
      LINES.map((count) => [count, String(count)]),
      this.lines,
      (count) => this.#choose({ lines: Number(count) }),
      { "data-id": "lines" },
    );
    this.element = el(
      "section",
      { class: "engine", "aria-label": t("analyse.engine") },
      el(
        "div",
        { class: "row" },
        this.toggle,
        labelled(t("analyse.engine"), pick),
        labelled(t("analyse.lines"), lines),
      ),
      this.parts.state,
      this.parts.list,
    );
    app.on("Thoughts", (thoughts) => thoughts.ask === this.#asked && this.#show(thoughts));
    app.on("Refusal", ({ ask, text }) => ask === this.#asked && setText(this.parts.state, text));
    app.on("Reconnected", () => this.#restart());
    app.leave(() => this.#stop());
    this.#rest();
  }

  /**
   * Think about another place; null for one about which nothing is to be said, and why.
   *
   * @param {Place | null} place
   */
  setPlace(place, why = "") {
    this.#place = place;
    this.#stop();
    this.#rest(why);
    if (this.isOn && place) this.#timer = setTimeout(() => this.#start(place), CALM_MS);
  }

  /** Begin to think, or pause. */
  switch(isOn = !this.isOn) {
    this.isOn = isOn;
    this.toggle.setAttribute("aria-pressed", String(isOn));
    setText(this.toggle, t(isOn ? "analyse.pause" : "analyse.think"));
    if (isOn && this.#place) return void this.#start(this.#place);
    this.#stop();
    if (this.#place) this.#rest();
  }

  /** @param {{ bot: string | null } | { lines: number }} choice */
  #choose(choice) {
    Object.assign(this, choice);
    this.#restart();
  }

  #restart() {
    if (this.isOn) this.setPlace(this.#place);
  }

  /** @param {Place} place */
  async #start(place) {
    this.#stop();
    this.#rest();
    try {
      await this.app.ask(
        { kind: "Analyse", place, bot: this.bot, lines: this.lines },
        (asked) => (this.#asked = asked),
      );
    } catch (error) {
      setText(this.parts.state, error.message);
    }
  }

  #stop() {
    clearTimeout(this.#timer);
    this.app.stop(this.#asked);
    this.#asked = null;
  }

  /** Show that nothing is being thought about. */
  #rest(why = "") {
    setText(this.parts.state, why || (this.isOn ? `${t("analyse.thinking")}…` : t("analyse.waiting")));
    this.#list([]);
    this.onThoughts([]);
  }

  /** @param {Thoughts} thoughts */
  #show({ lines, preparing, seconds, is_done: isDone }) {
    if (preparing !== null && lines.length === 0) {
      return setText(
        this.parts.state,
        seconds ? t("plate.preparing_about", { seconds: Math.ceil(seconds) }) : t("plate.preparing"),
      );
    }
    if (lines.length === 0) return;
    const [best] = lines;
    const rate = best.seconds > 0 ? t("analyse.rate", { rate: short(best.nodes / best.seconds) }) : "";
    setText(
      this.parts.state,
      [
        t("analyse.depth", { depth: best.depth }),
        t("analyse.nodes", { nodes: short(best.nodes) }),
        rate,
        isDone ? "" : "…",
      ]
        .filter(Boolean)
        .join(" · "),
    );
    this.#list(lines);
    this.onThoughts(lines);
  }

  /**
   * List the lines. As far as a line stays the same it keeps its buttons, whatever it is worth by now.
   *
   * @param {ThoughtFacts[]} lines
   */
  #list(lines) {
    const item = () => el("li", {}, el("span", { class: "worth" }), el("span", { class: "line" }));
    const items = fillByKey(
      this.parts.list,
      lines.map((_, rank) => [rank, item]),
    );
    for (const [rank, thought] of lines.entries()) {
      const [value, moves] = items[rank].children;
      setText(value, worth(thought));
      const tries = thought.line.map((_, at) => thought.line.slice(0, at + 1));
      fillByKey(
        moves,
        tries.map((line) => [line.join(" "), () => this.#tryButton(line)]),
      );
    }
  }

  /** @param {string[]} line */
  #tryButton(line) {
    return button(line[line.length - 1], () => this.onTry(line), { class: "try" });
  }
}

/**
 * What a line is worth to the player to move: proven, a chance, or points.
 *
 * @param {ThoughtFacts} thought
 */
function worth({ proven, plies_to_end: plies, chance, points }) {
  if (proven === 0) return t("analyse.proven_draw");
  const kind = proven === 1 ? "win" : "loss";
  if (proven !== null) return plies ? t(`analyse.proven_${kind}`, { plies }) : t(`analyse.proven_${kind}_short`);
  const signed = points === null ? "" : `${points > 0 ? "+" : ""}${number(points, 1)}`;
  return [chance === null ? "" : percent(chance), signed].filter(Boolean).join("  ");
}
