// The connection: requests with numbers, answers with the same numbers, pushes to whoever listens for their kind.
//
// A lost connection is opened again, after a second at first and then more and more rarely. Requests wait until the
// server has been greeted; those that were under way when the connection broke are refused, since nobody knows whether
// they were heard. After a new greeting the kind `Reconnected` is told, so that views enter their rooms again.

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15_000;

/** Why a request was not done, in words for people, and the id of the message. */
export class Refused extends Error {
  constructor(id, text) {
    super(text);
    this.id = id;
  }
}

export class Net {
  #socket = null;
  #asked = new Map(); // number of a request: {resolve, reject}
  #listeners = new Map(); // kind: a set of handlers
  #next = 1;
  #wait = FIRST_WAIT_MS;
  #ended = false;
  #timer = null; // of the next attempt
  #greeted;
  #greet;
  #count = 0; // connections that have been greeted
  known = {}; // what has been learned since the last greeting, and holds until the next

  /** `greeting()` gives the Hello to begin with; `lostText()` what to tell those whose request was lost. */
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
    socket.addEventListener("message", (event) => this.#hear(JSON.parse(event.data)));
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

  /** Ask the server: a promise of the result. `onNumber` is told the number, to which pushes may refer. */
  async ask(request, onNumber = null) {
    await this.#greeted;
    return this.#send(request, onNumber);
  }

  /** Listen for pushes of a kind: `handler(message)`. Returns a function that ends it. */
  on(kind, handler) {
    if (!this.#listeners.has(kind)) this.#listeners.set(kind, new Set());
    this.#listeners.get(kind).add(handler);
    return () => this.#listeners.get(kind).delete(handler);
  }

  /** Greet again on the same connection: the language has changed. */
  async greet() {
    await this.#greeted;
    this.tell("Welcome", await this.#send(this.greeting()));
  }

  /** Tell all who listen for a kind. */
  tell(kind, message) {
    if (kind === "Welcome") this.known = {};
    for (const handler of [...(this.#listeners.get(kind) ?? [])]) handler(message);
  }

  async #hello() {
    const welcome = await this.#send(this.greeting());
    this.#wait = FIRST_WAIT_MS;
    this.#ended = false;
    this.tell("Welcome", welcome);
    this.#greet();
    this.tell("Online", {});
    if (this.#count++) this.tell("Reconnected", {});
  }

  #send(request, onNumber = null) {
    const ask = this.#next++;
    onNumber?.(ask);
    return new Promise((resolve, reject) => {
      this.#asked.set(ask, { resolve, reject });
      this.#socket.send(JSON.stringify({ ...request, ask }));
    });
  }

  #hear(message) {
    if (message.kind !== "Answer" && message.kind !== "Refusal") {
      if (message.kind === "Farewell") this.#ended = true;
      return this.tell(message.kind, message);
    }
    const waiting = this.#asked.get(message.ask);
    if (!waiting) return this.tell(message.kind, message); // What was answered and went on has ended badly.
    this.#asked.delete(message.ask);
    if (message.kind === "Answer") waiting.resolve(message.result);
    else waiting.reject(new Refused(message.id, message.text));
  }

  #lose() {
    const lost = [...this.#asked.values()];
    this.#asked.clear();
    for (const { reject } of lost) reject(new Refused("net.lost", this.lostText()));
    this.#expectGreeting();
    this.tell("Offline", { ended: this.#ended });
    this.#timer = setTimeout(() => this.open(), this.#wait * (0.75 + Math.random() / 2));
    this.#wait = Math.min(LONGEST_WAIT_MS, this.#wait * 2);
  }

  #expectGreeting() {
    this.#greeted = new Promise((resolve) => (this.#greet = resolve));
  }
}
