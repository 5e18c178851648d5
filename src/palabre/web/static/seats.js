// @ts-check
// Who sits where, in the form of a new game: a person here, a person elsewhere, or a bot of a level or a kind.

import { el, fill, select } from "./dom.js";
import { known, parameterField } from "./parameters.js";
import { specWith } from "./place.js";
import { t } from "./words.js";

/**
 * @import { Child } from "./dom.js"
 * @import { Values } from "./parameters.js"
 * @import { GameChoices, SeatWish } from "./protocol.d.ts"
 *
 * @typedef {{ who: string, level: number, name: string, bot: string, options: Values }} Seat
 */

const USUAL_LEVEL = 3;

/**
 * What a seat is by default: the first is the person who asks, the others are bots.
 *
 * @param {number} number
 * @returns {Seat}
 */
export function usualSeat(number) {
  return { who: number === 0 ? "me" : "level", level: USUAL_LEVEL, name: "", bot: "", options: {} };
}

/**
 * The SeatWish of a seat, for a game with these choices.
 *
 * @param {Seat} seat
 * @param {GameChoices} choices
 * @returns {SeatWish}
 */
export function seatWish(seat, choices) {
  if (seat.who === "level" || seat.who === "bot") return { who: "bot", bot: botSpec(seat, choices) };
  return { who: seat.who === "guest" ? "guest" : "me", name: seat.name.trim() };
}

/**
 * The spec of the bot in a seat. A bot that this game does not have is another one by then.
 *
 * @param {Seat} seat
 * @param {GameChoices} choices
 */
export function botSpec(seat, choices) {
  if (seat.who === "level") return choices.levels[clip(seat.level, choices) - 1];
  const { name, parameters } = botOf(seat, choices);
  return specWith(name, known(seat.options, parameters));
}

/**
 * The fields of all seats, which write into `seats`.
 *
 * @param {Seat[]} seats
 * @param {GameChoices} choices
 */
export function seatFields(seats, choices) {
  return seats.map((seat, number) => {
    const player = choices.player_names[number];
    return whoField(seat, number, choices, ["me", "other", "guest", "level", "bot"], player, player);
  });
}

/**
 * The fields of one seat, or of one bot of an event: who of these `kinds` it is, under a `legend` for `player`.
 *
 * @param {Seat} seat
 * @param {number} number
 * @param {GameChoices} choices
 * @param {string[]} kinds
 * @param {string} player
 * @param {Child} legend
 */
export function whoField(seat, number, choices, kinds, player, legend) {
  const possible = kinds.filter((who) => who !== "level" || choices.levels.length);
  const kind = select(
    possible.map((who) => [who, t(`seat.${who}`)]),
    seat.who,
    (who) => show(who),
    { "data-id": "who", "aria-label": t("seat.who", { player }) },
  );
  const head = el("legend", {}, legend);
  const group = el("fieldset", { class: "seat-form", "data-id": `seat-${number}` });
  /** @param {string} who */
  const show = (who) => {
    seat.who = who;
    return fill(group, head, kind, details(seat, number, choices));
  };
  return show(seat.who);
}

/**
 * @param {Seat} seat
 * @param {number} number
 * @param {GameChoices} choices
 */
function details(seat, number, choices) {
  if (seat.who === "level") return levelSlider(seat, choices);
  if (seat.who === "bot") return botFields(seat, choices);
  return el("input", {
    type: "text",
    maxlength: 40,
    value: seat.name,
    placeholder: seat.who === "me" ? t("seat.you") : choices.player_names[number],
    "data-id": "name",
    "aria-label": t("seat.name"),
    autocomplete: "off",
    oninput: ({ target }) => (seat.name = target.value),
  });
}

/**
 * @param {Seat} seat
 * @param {GameChoices} choices
 */
function levelSlider(seat, choices) {
  const level = clip(seat.level, choices);
  const output = el("output", {}, levelName(level, choices));
  const input = el("input", {
    type: "range",
    min: 1,
    max: choices.levels.length,
    value: level,
    "data-id": "level",
    "aria-label": t("seat.level_label"),
    "aria-valuetext": levelName(level, choices),
    oninput: () => {
      seat.level = Number(input.value);
      output.textContent = levelName(seat.level, choices);
      input.setAttribute("aria-valuetext", output.textContent);
    },
  });
  return el("div", { class: "level" }, input, output);
}

/**
 * What a level is called: the lowest and the highest have names.
 *
 * @param {number} level
 * @param {GameChoices} choices
 */
function levelName(level, choices) {
  if (level === 1) return t("seat.beginner");
  if (level === choices.levels.length) return t("seat.full_strength");
  return t("seat.level_number", { level });
}

/**
 * @param {Seat} seat
 * @param {GameChoices} choices
 */
function botFields(seat, choices) {
  const pick = select(
    choices.bots.map(({ name }) => [name, name]),
    botOf(seat, choices).name,
    (bot) => {
      Object.assign(seat, { bot, options: {} });
      show();
    },
    { "data-id": "bot", "aria-label": t("seat.bot_label") },
  );
  const form = el("div", { class: "bot-form" });
  const show = () => {
    const { about, parameters } = botOf(seat, choices);
    const options = parameters.map((parameter) => parameterField(parameter, seat.options, () => {}));
    const shown =
      options.length > 0 &&
      el("details", {}, el("summary", {}, t("seat.options")), el("div", { class: "fields" }, options));
    return fill(form, pick, el("small", {}, about), shown);
  };
  return show();
}

/**
 * @param {Seat} seat
 * @param {GameChoices} choices
 */
function botOf(seat, choices) {
  return choices.bots.find(({ name }) => name === seat.bot) ?? choices.bots[0];
}

/**
 * @param {number} level
 * @param {GameChoices} choices
 */
function clip(level, choices) {
  return Math.min(Math.max(1, level), choices.levels.length);
}
