// @ts-check
// The plates of the players around the board: who they are, whether it is their turn, score, clock, and what bots do.

import { button, el, fill, refresh, setText, swatch } from "./dom.js";
import { number, t } from "./words.js";

/**
 * @import { App } from "./app.js"
 * @import { Attributes } from "./dom.js"
 * @import { FullPly } from "./line.js"
 * @import { Ground, Seat, Standing, Thinking } from "./protocol.d.ts"
 *
 * @typedef {ReturnType<typeof makePlate>} Plate
 */

const TICK_MS = 200;
const HURRY_SECONDS = 20;

/**
 * Whether the reader, who has these seats, would sit at the upper edge of a board of two: then it is turned for them.
 *
 * @param {Ground} ground
 * @param {string[]} names
 * @param {number[]} seats
 */
export function sitsAbove({ bottom }, names, seats) {
  return names.length === 2 && seats.length === 1 && seats[0] !== bottom;
}

export class Plates {
  #plates; // for each seat its parts
  /** @type {Standing | null} */
  #standing = null;
  #received = 0; // when the standing came, for the clock that runs
  /** @type {(seat: number) => unknown} */
  onInvite = () => {};

  /**
   * For a `RoomState` or a `LineShown`.
   *
   * @param {App} app
   * @param {{ player_names: string[], ground: Ground }} shown
   */
  constructor(app, { player_names: names, ground }) {
    this.names = names;
    this.bottom = ground.bottom;
    this.#plates = names.map((name, seat) => makePlate(name, seat, ground.swatches[seat]));
    const timer = setInterval(() => this.#tick(), TICK_MS);
    app.leave(() => clearInterval(timer));
    app.on("Offline", () => this.#stand());
  }

  /**
   * Put the plates above and below the board, turned with it; of many players, `own` sits below.
   *
   * @param {HTMLElement} above
   * @param {HTMLElement} below
   * @param {boolean} isFlipped
   */
  place(above, below, isFlipped, own = 0) {
    const plates = this.#plates.map((plate) => plate.root);
    const lower = plates.length === 2 ? (isFlipped ? 1 - this.bottom : this.bottom) : own;
    fill(below, plates[lower]);
    fill(
      above,
      plates.filter((_, seat) => seat !== lower),
    );
  }

  /**
   * Show who sits where and what they do, as it was when this was received.
   *
   * @param {Standing} standing
   * @param {number} received
   */
  showStanding(standing, received) {
    this.#standing = standing;
    this.#received = received;
    for (const [seat, player] of standing.seats.entries()) this.#showSeat(seat, player, standing);
    this.#tick();
  }

  /**
   * Show the scores of a position and whose turn it is in it.
   *
   * @param {FullPly} ply
   * @param {boolean} isOver
   */
  showPly(ply, isOver) {
    for (const [seat, plate] of this.#plates.entries()) {
      setText(plate.score, number(ply.scores[seat]));
      plate.score.title = ply.counted[seat];
      plate.score.setAttribute("aria-label", ply.counted[seat]);
      plate.root.classList.toggle("turn", !isOver && ply.to_move === seat);
      setText(plate.turn, !isOver && ply.to_move === seat ? t("plate.to_move") : "");
    }
  }

  /**
   * What to call the player in a seat.
   *
   * @param {number} seat
   */
  nameOf(seat) {
    return this.#standing?.seats[seat]?.name || this.names[seat];
  }

  /**
   * @param {number} seat
   * @param {Seat} player
   * @param {Standing} standing
   */
  #showSeat(seat, player, standing) {
    const plate = this.#plates[seat];
    setText(plate.name, this.nameOf(seat));
    plate.name.title = player.bot;
    setText(plate.who, player.is_you ? t("plate.you") : player.who === "bot" ? t("plate.bot") : "");
    plate.root.classList.toggle("away", !player.is_here);
    const thinking = standing.thinking?.seat === seat && standing.thinking;
    const mayInvite = standing.can.includes("invite");
    plate.root.classList.toggle("thinking", thinking !== false);
    refresh(plate.state, [thinking, player.is_taken, player.is_here, mayInvite], () => {
      if (thinking) return thinkingParts(thinking);
      if (player.is_taken) return player.is_here ? "" : t("plate.away");
      const invite = () =>
        button(t("plate.invite"), () => this.onInvite(seat), { class: "small", "data-id": "invite" });
      return mayInvite ? invite() : t("plate.free");
    });
  }

  /** Clocks stand while the server cannot be reached; what they show by then comes with the next standing. */
  #stand() {
    if (!this.#standing) return;
    const passed = this.#passed;
    const { seats, running } = this.#standing;
    const stopped = seats.map(({ left, ...player }, seat) => ({
      ...player,
      left: seat === running && left !== null ? left - passed : left,
    }));
    this.#standing = { ...this.#standing, seats: stopped, running: null };
    this.#tick();
  }

  /** Seconds since the standing came. */
  get #passed() {
    return (performance.now() - this.#received) / 1000;
  }

  #tick() {
    const passed = this.#passed;
    for (const [seat, player] of (this.#standing?.seats ?? []).entries()) {
      const { clock } = this.#plates[seat];
      const isRunning = this.#standing?.running === seat;
      const left = player.left === null ? null : Math.max(0, player.left - (isRunning ? passed : 0));
      clock.hidden = left === null;
      clock.classList.toggle("running", isRunning);
      clock.classList.toggle("hurry", left !== null && left < HURRY_SECONDS);
      if (left !== null) setText(clock, clockText(left));
    }
  }
}

/**
 * @param {string} name
 * @param {number} seat
 * @param {string} sign
 */
function makePlate(name, seat, sign) {
  /** @type {(tag: "span" | "strong", kind: string, attributes?: Attributes) => HTMLElement} */
  const part = (tag, kind, attributes = {}) => el(tag, { class: kind, ...attributes });
  const parts = {
    name: part("strong", "name"),
    who: part("span", "who"),
    state: part("span", "state"),
    turn: part("span", "turn-mark"),
    score: part("span", "score", { role: "img" }),
    clock: part("span", "clock", { role: "timer", "aria-label": t("plate.clock"), hidden: true }),
  };
  parts.name.textContent = name;
  const texts = el(
    "span",
    { class: "texts" },
    el("span", { class: "names" }, parts.name),
    el("span", { class: "doing" }, parts.who, parts.state),
  );
  const root = el(
    "section",
    { class: "plate", "data-seat": seat, "aria-label": name },
    swatch(sign),
    texts,
    parts.turn,
    parts.score,
    parts.clock,
  );
  return { root, ...parts };
}

/**
 * What a bot does: it thinks, or it is being prepared, which takes some seconds once.
 *
 * @param {Thinking} thinking
 */
function thinkingParts({ preparing, seconds }) {
  if (preparing === null) return [t("plate.thinking"), el("span", { class: "dots", "aria-hidden": "true" })];
  const text = seconds ? t("plate.preparing_about", { seconds: Math.ceil(seconds) }) : t("plate.preparing");
  return [text, el("progress", { max: 1, value: preparing, "aria-label": text })];
}

/** @param {number} seconds */
function clockText(seconds) {
  if (seconds < HURRY_SECONDS) return number(Math.floor(seconds * 10) / 10, 1);
  const whole = Math.ceil(seconds);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  /** @param {number} value */
  const two = (value) => String(value).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}
