// One engine that thinks about the position on the board, and what it says: the best lines, live.

import { button, el, labelled, refresh, select, setText } from "./dom.js";
import { number, percent, short, t } from "./words.js";

const LINES = [1, 2, 3, 5];
const CALM_MS = 150; // Somebody who steps through a game fast does not ask for every position.

export class Engine {
  #asked = null; // the number of the analysis under way
  #place = null;
  #timer = null;
  isOn = false;
  lines = 3;
  bot = null; // the usual one of the game

  /** `onThoughts(lines)` is told all lines, the best first; `onTry(moves)` a line that somebody wants to see. */
  constructor(app, bots, { onThoughts = () => {}, onTry = () => {} } = {}) {
    this.app = app;
    this.onThoughts = onThoughts;
    this.onTry = onTry;
    this.parts = { state: el("p", { class: "engine-state", role: "status" }), list: el("ol", { class: "lines" }) };
    this.toggle = button(t("analyse.think"), () => this.switch(), { class: "primary", "data-id": "think" });
    const pick = select(
      [["", t("analyse.usual")], ...bots.map(({ name }) => [name, name])],
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

  /** Think about another place; null for one about which nothing is to be said, and why. */
  setPlace(place, why = "") {
    this.#place = place;
    this.#stop();
    this.#rest(why);
    if (this.isOn && place) this.#timer = setTimeout(() => this.#start(), CALM_MS);
  }

  /** Begin to think, or pause. */
  switch(isOn = !this.isOn) {
    this.isOn = isOn;
    this.toggle.setAttribute("aria-pressed", String(isOn));
    setText(this.toggle, t(isOn ? "analyse.pause" : "analyse.think"));
    if (isOn && this.#place) return void this.#start();
    this.#stop();
    if (this.#place) this.#rest();
  }

  #choose(choice) {
    Object.assign(this, choice);
    this.#restart();
  }

  #restart() {
    if (this.isOn) this.setPlace(this.#place);
  }

  async #start() {
    this.#stop();
    this.#rest();
    try {
      await this.app.ask(
        { kind: "Analyse", place: this.#place, bot: this.bot, lines: this.lines },
        (asked) => (this.#asked = asked),
      );
    } catch (error) {
      setText(this.parts.state, error.message);
    }
  }

  #stop() {
    clearTimeout(this.#timer);
    if (this.#asked !== null) this.app.ask({ kind: "StopAnalysis", asked: this.#asked }).catch(() => {});
    this.#asked = null;
  }

  /** Show that nothing is being thought about. */
  #rest(why = "") {
    setText(this.parts.state, why || (this.isOn ? `${t("analyse.thinking")}…` : t("analyse.waiting")));
    this.#list([]);
    this.onThoughts([]);
  }

  #show({ lines, preparing, seconds, is_done: isDone }) {
    if (preparing !== null && preparing !== undefined && lines.length === 0) {
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

  /** List the lines. A line that stays the same keeps its buttons, whatever it is worth by now. */
  #list(lines) {
    const { list } = this.parts;
    while (list.children.length > lines.length) list.lastChild.remove();
    while (list.children.length < lines.length)
      list.append(el("li", {}, el("span", { class: "worth" }), el("span", { class: "line" })));
    for (const [rank, thought] of lines.entries()) {
      const [value, moves] = list.children[rank].children;
      setText(value, worth(thought));
      refresh(moves, thought.line, () => thought.line.map((move, at) => this.#tryButton(move, thought.line, at)));
    }
  }

  #tryButton(move, line, at) {
    return button(move, () => this.onTry(line.slice(0, at + 1)), { class: "try" });
  }
}

/** What a line is worth to the player to move: proven, a chance, or points. */
function worth({ proven, plies_to_end: plies, chance, points }) {
  if (proven === 0) return t("analyse.proven_draw");
  const kind = proven === 1 ? "win" : "loss";
  if (proven !== null && proven !== undefined)
    return plies ? t(`analyse.proven_${kind}`, { plies }) : t(`analyse.proven_${kind}_short`);
  const signed = points === null || points === undefined ? "" : `${points > 0 ? "+" : ""}${number(points, 1)}`;
  return [chance === null || chance === undefined ? "" : percent(chance), signed].filter(Boolean).join("  ");
}
