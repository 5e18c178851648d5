// @ts-check
// The end of a game: who has won and why, and what next: again, review, menu, quit.

import { button, el, fill, swatch } from "./dom.js";
import { queryOf, tableOf } from "./place.js";
import { sentence, t } from "./words.js";

/**
 * @import { App } from "./app.js"
 * @import { Line } from "./line.js"
 * @import { RoomState, Standing } from "./protocol.d.ts"
 */

/**
 * The panel beside the board of an ended game.
 *
 * @param {App} app
 * @param {RoomState} state
 * @param {Line} line
 * @param {string[]} names
 */
export function endPanel(app, state, line, names) {
  const { shares, why } = line.now;
  const { counted } = line.plies[line.last];
  const { can, next_room: nextRoom, seats } = state.standing;
  const own = [...seats.keys()].filter((seat) => seats[seat].is_you);
  const question = el("div");
  return el(
    "section",
    { class: "box end", "data-id": "end", "aria-labelledby": "end-title" },
    el("h2", { id: "end-title" }, headline(shares, names, state.standing)),
    why && el("p", {}, sentence(why, names)),
    el(
      "dl",
      { class: "scores" },
      names.map((name, seat) => [el("dt", {}, swatch(line.ground.swatches[seat]), name), el("dd", {}, counted[seat])]),
    ),
    el(
      "div",
      { class: "row" },
      button(t("end.again"), () => again(app, state.room, nextRoom), {
        class: "primary",
        "data-id": "again",
        disabled: !nextRoom && !can.includes("rematch"),
      }),
      button(t("end.review"), () => app.go(`/analyse${queryOf(line.place, tableOf(names, own))}#review`), {
        "data-id": "review",
      }),
      button(t("end.menu"), () => app.go("/"), { "data-id": "menu" }),
      quitButton(app, question),
    ),
    question,
  );
}

/**
 * Who has won, as the reader would say it.
 *
 * @param {number[] | null} ended
 * @param {string[]} names
 * @param {Standing} standing
 */
export function headline(ended, names, standing) {
  const shares = ended ?? [];
  const best = Math.max(...shares);
  const winners = names.filter((_, seat) => shares[seat] === best);
  const own = standing.seats.findIndex((seat) => seat.is_you);
  const isAlone = standing.seats.filter((seat) => seat.is_you).length === 1;
  if (winners.length === names.length) return t("end.draw");
  if (isAlone && winners.length === 1)
    return t(shares[own] === best ? "end.you_win" : "end.you_lose", { winner: winners[0] });
  return winners.length === 1
    ? t("end.wins", { winner: winners[0] })
    : t("end.shared", { winners: winners.join(", ") });
}

/**
 * To the next game if there is one; otherwise ask for it.
 *
 * @param {App} app
 * @param {string} room
 * @param {string | null} nextRoom
 */
async function again(app, room, nextRoom) {
  if (nextRoom) return app.go(`/play/${nextRoom}`);
  const opened = await app.attempt({ kind: "Rematch", room });
  if (opened?.name) app.go(`/play/${opened.name}`);
}

/**
 * A button that leaves the table; the operator's ends the server, after a question that is asked in this element.
 *
 * @param {App} app
 * @param {HTMLElement} question
 */
export function quitButton(app, question) {
  if (app.welcome.role !== "operator") return button(t("end.quit"), () => app.go("/games"), { "data-id": "quit" });
  return button(t("end.quit_server"), () => askToQuit(app, question), { "data-id": "quit" });
}

/**
 * Ask whether the server shall end, and say what that interrupts. The focus is on the answer that changes nothing.
 *
 * @param {App} app
 * @param {HTMLElement} question
 */
async function askToQuit(app, question) {
  const found = await app.attempt({ kind: "UnderWay" });
  if (!found) return;
  const counted = /** @type {const} */ (["games", "guests", "events"]).filter((what) => found[what] > 0);
  const texts = counted.map((what) => t(`end.quit_${what}`, { count: found[what] }));
  const stay = button(t("end.quit_no"), () => fill(question), { "data-id": "quit-no" });
  fill(
    question,
    el(
      "div",
      { class: "box", role: "group", "aria-label": t("end.quit_question") },
      el("p", {}, el("strong", {}, t("end.quit_question"))),
      texts.map((text) => el("p", { class: "wrong" }, text)),
      el("p", {}, t("end.quit_about")),
      el(
        "div",
        { class: "row" },
        stay,
        button(t("end.quit_yes"), () => app.attempt({ kind: "QuitServer" }), {
          class: "sure",
          "data-id": "quit-yes",
        }),
      ),
    ),
  );
  stay.focus();
}
