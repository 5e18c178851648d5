// @ts-check
// The connection: requests with numbers, answers with the same numbers, pushes to those who listen for their kind.
//
// A lost connection is opened again, after a second at first and then more and more rarely. Requests wait until the
// server has been greeted; those that were under way when the connection broke are refused, since they may have
// been lost. After a new greeting there is news of the kind `Reconnected`, so that views enter their rooms again.

/**
 * @import { Answer, AnyRequest, Pushes, Refusal, Results, Welcome } from "./protocol.d.ts"
 *
 * What one can listen for: pushes of the server, and what becomes of the connection.
 *
 * @typedef {object} Connection
 * @property {Welcome} Welcome
 * @property {Refusal} Refusal of what has been answered and went on
 * @property {{}} Online
 * @property {{ ended: boolean }} Offline
 * @property {{}} Reconnected
 *
 * @typedef {Pushes & Connection} News
 *
 * @typedef {(ask: number) => unknown} OnNumber
 */

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15_000;

export class Net {
  isReport = false;
  /** @type {WebSocket} */
  #socket;
  /** @type {Map<number, { resolve: (result: any) => void, reject: (error: Error) => void }>} */
  #asked = new Map(); // by the number of the request
  /** @type {Map<string, Set<(message: any) => unknown>>} */
  #listeners = new Map(); // by kind
  #next = 1;
  #wait = FIRST_WAIT_MS;
  #ended = false;
  #timer = 0; // of the next attempt
  /** @type {Promise<void>} */
  #greeted;
  /** @type {() => void} */
  #greet;
  #count = 0; // connections that have been greeted
  /** @type {{ games?: Promise<Results["Catalogue"]> }} */
  known = {}; // what has been learned since the last greeting, and holds until the next

  /**
   * `greeting()` gives the Hello to begin with; `lostText()` the error of a request that was lost.
   *
   * @param {string} url
   * @param {() => AnyRequest & { kind: "Hello" }} greeting
   * @param {() => string} lostText
   */
  constructor(url, greeting, lostText) {
    this.url = url;
    this.greeting = greeting;
    this.lostText = lostText;
    this.#expectGreeting();
  }

  /** Connect, and stay connected. */
  open() {
    const socket = new WebSocket(this.url);
    this.#socket = socket;
    socket.addEventListener("open", () => this.#hello().catch(() => socket.close()));
    socket.addEventListener("message", (event) => this.#receive(JSON.parse(event.data)));
    socket.addEventListener("close", () => this.#lose());
  }

  /** Kept when the server has been greeted. */
  ready() {
    return this.#greeted;
  }

  /** Do not wait: connect again now. */
  retry() {
    clearTimeout(this.#timer);
    if (this.#socket.readyState >= WebSocket.CLOSING) this.open();
  }

  /**
   * Ask the server: a promise of the result. `onNumber` gets the number, to which pushes may refer.
   *
   * @template {AnyRequest} Asked
   * @param {Asked} request
   * @param {OnNumber} [onNumber]
   */
  async ask(request, onNumber) {
    await this.#greeted;
    return this.#send(request, onNumber);
  }

  /**
   * Listen for news of a kind. Returns a function that ends it.
   *
   * @template {keyof News} Kind
   * @param {Kind} kind
   * @param {(message: News[Kind]) => unknown} handler
   */
  on(kind, handler) {
    const handlers = this.#listeners.get(kind) ?? new Set();
    this.#listeners.set(kind, handlers.add(handler));
    return () => handlers.delete(handler);
  }

  /** Greet again on the same connection: the language has changed. */
  async greet() {
    await this.#greeted;
    this.notify("Welcome", await this.#send(this.greeting()));
  }

  /**
   * Notify all who listen for a kind.
   *
   * @template {keyof News} Kind
   * @param {Kind} kind
   * @param {News[Kind]} message
   */
  notify(kind, message) {
    if (kind === "Welcome") this.known = {};
    for (const handler of [...(this.#listeners.get(kind) ?? [])]) handler(message);
  }

  async #hello() {
    const welcome = await this.#send(this.greeting());
    this.#wait = FIRST_WAIT_MS;
    this.#ended = false;
    this.notify("Welcome", welcome);
    this.#greet();
    this.notify("Online", {});
    if (this.#count++) this.notify("Reconnected", {});
  }

  /**
   * @template {AnyRequest} Asked
   * @param {Asked} request
   * @param {OnNumber} [onNumber]
   * @returns {Promise<Results[Asked["kind"]]>}
   */
  #send(request, onNumber) {
    const ask = this.#next++;
    onNumber?.(ask);
    return new Promise((resolve, reject) => {
      this.#asked.set(ask, { resolve, reject });
      this.#socket.send(JSON.stringify({ ...request, ask }));
    });
  }

  /** @param {Answer | Refusal | Pushes[keyof Pushes]} message */
  #receive(message) {
    if (message.kind !== "Answer" && message.kind !== "Refusal") {
      if (message.kind === "Farewell") this.#ended = true;
      return this.notify(message.kind, message);
    }
    const waiting = this.#asked.get(message.ask);
    this.#asked.delete(message.ask);
    if (message.kind === "Answer") waiting?.resolve(message.result);
    else if (waiting) waiting.reject(new Error(message.text));
    else this.notify("Refusal", message); // What was answered and went on has ended badly.
  }

  #lose() {
    const lost = [...this.#asked.values()];
    this.#asked.clear();
    for (const { reject } of lost) reject(new Error(this.lostText()));
    this.#expectGreeting();
    this.notify("Offline", { ended: this.#ended });
    this.#timer = setTimeout(() => this.open(), this.#wait * (0.75 + Math.random() / 2));
    this.#wait = Math.min(LONGEST_WAIT_MS, this.#wait * 2);
  }

  #expectGreeting() {
    this.#greeted = new Promise((resolve) => (this.#greet = resolve));
  }
}
