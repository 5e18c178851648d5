// @ts-check
// What every view is given: the way to the server, to texts, to other views, and to the reader's ear.
//
// A view is a function `view(app, root, params)`. It fills `root` and is called again, in a new root, when the route or
// the language changes. What it has listened to ends by itself when it is left. The interface:
//
//   app.ask(request, onNumber?)   a promise of the result; request is { kind: "Enter", room: … } without its number
//   app.on(kind, handler)         pushes of a kind, and Reconnected, Online, Offline; returns a function that ends it.
//                                 A Refusal is one of what has been answered and went on.
//   app.go(path)                  to another view
//   app.games()                   a promise of the GameEntries that can be played; app.catalogue(), also of broken ones
//   app.title(text)               the title of the page
//   app.say(text)                 announce to screen readers; app.warn(error or text) shows what went wrong
//   app.keys({ key: [id, run] })  keys that the view knows; app.letters(typist) for letters that begin a move
//   app.leave(task)               to be done when the view is left; app.isHere: whether it still is shown
//   app.welcome                   the server's Welcome: role, limits, name
//   app.isReport                  whether there is no server, but only the data of a report

import { button, byId, el, fill } from "./dom.js";
import { know, takeLetters } from "./keys.js";
import { t } from "./words.js";

/**
 * @import { AnyRequest, Results, Welcome } from "./protocol.d.ts"
 * @import { Keys, Typist } from "./keys.js"
 * @import { Net, News, OnNumber } from "./net.js"
 *
 * What an address says: the names in its path, as its route has them, its query and what is behind the `#`.
 *
 * @typedef {{ room: string, event: string, game: string, query: URLSearchParams, hash: string }} Params
 *
 * Where views have their data from: the connection to the server, or in a report what lies beside the page.
 *
 * @typedef {Pick<Net, "ask" | "on" | "known" | "isReport">} Source
 */

const NOTICE_MS = 8000;
let noticeTimer = 0;

/** The app of one view; `source` answers what it asks and `go` changes the route. */
export class App {
  /** @type {(() => unknown)[]} */
  #tasks = [];
  isHere = true;

  /**
   * @param {Source} source
   * @param {(path: string) => void} go
   * @param {Welcome} welcome
   */
  constructor(source, go, welcome) {
    this.source = source;
    this.go = go;
    this.welcome = welcome;
  }

  /** Whether there is no server, and nowhere else to go. */
  get isReport() {
    return this.source.isReport;
  }

  /**
   * @template {AnyRequest} Asked
   * @param {Asked} request
   * @param {OnNumber} [onNumber]
   */
  ask(request, onNumber) {
    return this.source.ask(request, onNumber);
  }

  /**
   * @template {keyof News} Kind
   * @param {Kind} kind
   * @param {(message: News[Kind]) => unknown} handler
   */
  on(kind, handler) {
    return this.leave(this.source.on(kind, handler));
  }

  /** @param {Keys} known */
  keys(known) {
    return this.leave(know(known));
  }

  /** @param {Typist} typist */
  letters(typist) {
    return this.leave(takeLetters(typist));
  }

  /** @param {() => unknown} task */
  leave(task) {
    this.#tasks.push(task);
    return task;
  }

  /** @param {string} text */
  title(text) {
    document.title = text ? `${text} · Palabre` : "Palabre";
  }

  /** @param {string} text */
  say(text) {
    byId("live").textContent = text;
  }

  /**
   * Tell what went wrong, beside what one was doing.
   *
   * @param {unknown} error
   */
  warn(error) {
    notify(error instanceof Error ? error.message : String(error));
  }

  /** All games, broken ones too; they are asked for once, until the language or the server changes. */
  async catalogue() {
    this.source.known.games ??= this.ask({ kind: "Catalogue" });
    return this.source.known.games;
  }

  /** The games that can be played. */
  async games() {
    return (await this.catalogue()).filter(({ broken }) => !broken);
  }

  /**
   * Do something that may be refused, and show why if it is; null then.
   *
   * @template {AnyRequest} Asked
   * @param {Asked} request
   * @returns {Promise<Results[Asked["kind"]] | null>}
   */
  async attempt(request) {
    try {
      return await this.ask(request);
    } catch (error) {
      this.warn(error);
      return null;
    }
  }

  /**
   * End the analysis or review that was asked for with this number, if any was.
   *
   * @param {number | null} asked
   */
  stop(asked) {
    if (asked !== null) this.ask({ kind: "StopAnalysis", asked }).catch(() => {});
  }

  /** End all that the view has begun. */
  end() {
    this.isHere = false;
    for (const task of this.#tasks.splice(0)) task();
  }
}

/**
 * A message at the foot of the page, for a while.
 *
 * @param {string} text
 */
export function notify(text) {
  const notice = byId("notice");
  const close = () => (notice.hidden = true);
  fill(notice, el("span", {}, text), button("×", close, { "aria-label": t("notice.close"), class: "quiet" }));
  notice.hidden = false;
  clearTimeout(noticeTimer);
  noticeTimer = setTimeout(close, NOTICE_MS);
}
