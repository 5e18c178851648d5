// Who sits where, in the form of a new game: a person here, a person elsewhere, or a bot of a level or a kind.

import { el, fill, select } from "./dom.js";
import { known, parameterField } from "./parameters.js";
import { specWith } from "./place.js";
import { t } from "./words.js";

const USUAL_LEVEL = 3;

/** What a seat is by default: the first is the person who asks, the others are bots. */
export function usualSeat(number) {
  return { who: number === 0 ? "me" : "level", level: USUAL_LEVEL, name: "", bot: "", options: {} };
}

/** The SeatWish of a seat, for a game with these choices. */
export function seatWish(seat, choices) {
  if (seat.who === "level") return { who: "bot", bot: choices.levels[clip(seat.level, choices) - 1] };
  if (seat.who === "bot")
    return {
      who: "bot",
      bot: specWith(botOf(seat, choices).name, known(seat.options, botOf(seat, choices).parameters)),
    };
  return { who: seat.who === "guest" ? "guest" : "me", name: seat.name.trim() };
}

/** The fields of all seats, which write into `seats`. */
export function seatFields(seats, choices) {
  return seats.map((seat, number) => {
    const player = choices.player_names[number];
    return whoField(seat, number, choices, ["me", "other", "guest", "level", "bot"], player, () => player);
  });
}

/** The fields of one seat, or of one bot of an event: who of these `kinds` it is, under a `legend` for `player`. */
export function whoField(seat, number, choices, kinds, player, legend) {
  const group = el("fieldset", { class: "seat-form", "data-id": `seat-${number}` });
  const options = kinds.filter((who) => who !== "level" || choices.levels.length).map((who) => [who, t(`seat.${who}`)]);
  const render = () => {
    const kind = select(
      options,
      seat.who,
      (who) => ((seat.who = who), render(), group.querySelector("select").focus()),
      { "data-id": "who", "aria-label": t("seat.who", { player }) },
    );
    fill(group, el("legend", {}, legend()), kind, details(seat, number, choices, render));
  };
  render();
  return group;
}

function details(seat, number, choices, again) {
  if (seat.who === "level") return levelSlider(seat, choices);
  if (seat.who === "bot") return botFields(seat, choices, again);
  const input = el("input", {
    type: "text",
    maxlength: 40,
    value: seat.name,
    placeholder: seat.who === "me" ? t("seat.you") : choices.player_names[number],
    "data-id": "name",
    "aria-label": t("seat.name"),
    autocomplete: "off",
  });
  input.addEventListener("input", () => (seat.name = input.value));
  return input;
}

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
  });
  input.addEventListener("input", () => {
    seat.level = Number(input.value);
    output.textContent = levelName(seat.level, choices);
    input.setAttribute("aria-valuetext", output.textContent);
  });
  return el("div", { class: "level" }, input, output);
}

/** What a level is called: the lowest and the highest have names. */
function levelName(level, choices) {
  if (level === 1) return t("seat.beginner");
  if (level === choices.levels.length) return t("seat.full_strength");
  return t("seat.level_number", { level });
}

function botFields(seat, choices, again) {
  const bot = botOf(seat, choices);
  const pick = select(
    choices.bots.map(({ name }) => [name, name]),
    bot.name,
    (name) => ((seat.bot = name), (seat.options = {}), again()),
    { "data-id": "bot", "aria-label": t("seat.bot_label") },
  );
  const options = bot.parameters.map((parameter) => parameterField(parameter, seat.options, () => {}));
  const shown =
    options.length > 0 &&
    el("details", {}, el("summary", {}, t("seat.options")), el("div", { class: "fields" }, options));
  return el("div", { class: "bot-form" }, pick, el("small", {}, bot.about), shown);
}

function botOf(seat, choices) {
  return choices.bots.find(({ name }) => name === seat.bot) ?? choices.bots[0];
}

function clip(level, choices) {
  return Math.min(Math.max(1, level), choices.levels.length);
}
