// What every view is given: the way to the server, to texts, to other views, and to the reader's ear.
//
// A view is a function `view(app, root, params)`. It fills `root` and is called again, in a new root, when the route or
// the language changes. What it has listened to ends by itself when it is left. The interface:
//
//   app.ask(request, onNumber?)   a promise of the result; request is { kind: "Enter", room: … } without its number
//   app.on(kind, handler)         pushes of a kind, and Reconnected, Online, Offline; returns a function that ends it.
//                                 A Refusal is one of what has been answered and went on.
//   app.t(id, params)             a text of the page; app.number(value, decimals), app.percent(share)
//   app.go(path)                  to another view; app.el, app.svg, app.Board, app.Line make what it shows
//   app.games()                   a promise of the GameEntries that can be played; app.catalogue(), also of broken ones
//   app.title(text)               the title of the page
//   app.say(text)                 tell a screen reader; app.warn(error or text) tells everybody what went wrong
//   app.keys({ key: [id, run] })  keys that the view knows; app.letters(typist) for letters that begin a move
//   app.leave(task)               to be done when the view is left; app.isHere tells whether it still is shown
//   app.welcome                   the server's Welcome: role, limits, name

import { Board } from "./board.js";
import { button, el, fill, svg } from "./dom.js";
import { know, takeLetters } from "./keys.js";
import { Line } from "./line.js";
import { number, percent, t } from "./words.js";

const NOTICE_MS = 8000;
let noticeTimer = null;

/** The app of one view; `net` is the connection and `go` changes the route. */
export class App {
  #tasks = [];
  isHere = true;
  el = el;
  svg = svg;
  t = t;
  number = number;
  percent = percent;
  Board = Board;
  Line = Line;

  constructor(net, go, welcome) {
    this.net = net;
    this.go = go;
    this.welcome = welcome;
  }

  ask(request, onNumber = null) {
    return this.net.ask(request, onNumber);
  }

  on(kind, handler) {
    return this.leave(this.net.on(kind, handler));
  }

  keys(known) {
    return this.leave(know(known));
  }

  letters(typist) {
    return this.leave(takeLetters(typist));
  }

  leave(task) {
    this.#tasks.push(task);
    return task;
  }

  title(text) {
    document.title = text ? `${text} · Palabre` : "Palabre";
  }

  say(text) {
    document.getElementById("live").textContent = text;
  }

  /** Tell what went wrong, beside what one was doing. */
  warn(error) {
    notify(error instanceof Error ? error.message : error);
  }

  /** All games, broken ones too; they are asked for once, until the language or the server changes. */
  async catalogue() {
    this.net.known.games ??= this.ask({ kind: "Catalogue" });
    return this.net.known.games;
  }

  /** The games that can be played. */
  async games() {
    return (await this.catalogue()).filter(({ broken }) => !broken);
  }

  /** Do something that may be refused, and tell why if it is; null then. */
  async attempt(request) {
    try {
      return await this.ask(request);
    } catch (error) {
      this.warn(error);
      return null;
    }
  }

  /** End all that the view has begun. */
  end() {
    this.isHere = false;
    for (const task of this.#tasks.splice(0)) task();
  }
}

/** A message at the foot of the page, for a while. */
export function notify(text) {
  const notice = document.getElementById("notice");
  const close = () => (notice.hidden = true);
  fill(notice, el("span", {}, text), button("×", close, { "aria-label": t("notice.close"), class: "quiet" }));
  notice.hidden = false;
  clearTimeout(noticeTimer);
  noticeTimer = setTimeout(close, NOTICE_MS);
}
