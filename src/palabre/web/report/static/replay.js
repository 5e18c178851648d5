// Steps through a recorded game. All drawing was done when the report was written: this page puts markup into cells.
// Nothing here knows a game. Names, moves and reasons are data of bots and are only ever set as text.
"use strict";

const SVG = "http://www.w3.org/2000/svg";
const AUTOPLAY_MS = 700;

const board = document.getElementById("board");
const slider = document.getElementById("ply");
let game = null;
let cells = [];
let rings = [];
let shown = 0;
let timer = null;

function say(id, params = {}) {
  return window.WORDS[id].replace(/\{(\w+)\}/g, (_, name) => params[name]);
}

function element(name, attributes, parent) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  parent.append(made);
  return made;
}

function drawGround(ground) {
  board.setAttribute("viewBox", `0 0 ${ground.width} ${ground.height}`);
  element("defs", {}, board).innerHTML = ground.defs;
  element("g", {}, board).innerHTML = ground.board;
  const place = ({ x, y }) => ({ transform: `translate(${x} ${y})` });
  cells = ground.cells.map((cell) => element("g", place(cell), board));
  rings = ground.cells.map((cell) => element("path", { d: cell.outline, class: "ring", ...place(cell) }, board));
}

// The looks of all cells at a ply: the first position has every cell, the others only what changes.
function looksAt(ply) {
  const looks = new Array(cells.length);
  for (let turn = 0; turn <= ply; turn++) {
    const change = game.changes[turn];
    for (let at = 0; at < change.length; at += 2) looks[change[at]] = change[at + 1];
  }
  return looks;
}

// Bring a move into sight without moving the page.
function scrollTo(item) {
  const list = item.parentNode;
  const above = item.offsetTop - list.offsetTop;
  if (above < list.scrollTop) list.scrollTop = above;
  const below = above + item.offsetHeight - list.clientHeight;
  if (below > list.scrollTop) list.scrollTop = below;
}

function show(ply) {
  shown = Math.max(0, Math.min(ply, game.moves.length));
  const touched = new Set(game.touched[shown]);
  looksAt(shown).forEach((look, cell) => {
    cells[cell].innerHTML = window.LOOKS[look];
    rings[cell].classList.toggle("touched", touched.has(cell));
  });
  slider.value = shown;
  document.getElementById("where").textContent = `${shown} / ${game.moves.length}`;
  document.getElementById("status").textContent =
    shown === game.moves.length ? game.ending : game.status[shown];
  game.players.forEach((_, seat) => {
    document.getElementById(`score-${seat}`).textContent = game.scores[shown][seat];
  });
  for (const item of document.querySelectorAll("#moves button")) {
    const isHere = Number(item.dataset.ply) === shown;
    item.toggleAttribute("aria-current", isHere);
    if (isHere) scrollTo(item);
  }
  history.replaceState(null, "", `#${game.number}@${shown}`);
}

function listPlayers() {
  const list = document.getElementById("players");
  game.players.forEach((name, seat) => {
    const row = list.insertRow();
    const label = say("seat", { number: seat + 1 });
    const shape = { width: 20, height: 20, viewBox: "-10 -10 20 20", role: "img", "aria-label": label };
    element("svg", shape, row.insertCell()).innerHTML = window.GROUND.players[seat].swatch;
    row.insertCell().textContent = name;
    row.insertCell().id = `score-${seat}`;
    row.insertCell().textContent = game.result[seat];
  });
}

function listMoves() {
  const list = document.getElementById("moves");
  game.moves.forEach((move, index) => {
    const button = document.createElement("button");
    button.type = "button";
    button.dataset.ply = index + 1;
    button.textContent = `${index + 1}. ${move}`;
    const seconds = game.seconds[index];
    button.title = game.players[game.movers[index]] + (seconds === null ? "" : `, ${seconds.toFixed(3)} s`);
    button.addEventListener("click", () => show(index + 1));
    list.append(button);
  });
}

function play() {
  const button = document.getElementById("play");
  if (timer !== null) {
    clearInterval(timer);
    timer = null;
  } else {
    if (shown === game.moves.length) show(0);
    timer = setInterval(() => (shown < game.moves.length ? show(shown + 1) : play()), AUTOPLAY_MS);
  }
  button.textContent = say(timer === null ? "play" : "pause");
  button.setAttribute("aria-label", button.textContent);
}

const ACTIONS = {
  first: () => show(0),
  back: () => show(shown - 1),
  play,
  next: () => show(shown + 1),
  last: () => show(game.moves.length),
};
const KEYS = { Home: "first", ArrowLeft: "back", " ": "play", ArrowRight: "next", End: "last" };

// Each file of games calls this once; a script can be loaded from a disk, where fetch is forbidden.
window.receive = function (games) {
  const [number, ply] = (location.hash.slice(1) || "1").split("@");
  const found = games[number];
  if (!found) {
    document.getElementById("status").textContent = say("missing", { number });
    return;
  }
  game = found;
  document.getElementById("title").textContent = say("title", { players: game.players.join(" – "), number: game.number });
  document.title = `${game.players.join(" – ")}`;
  drawGround(window.GROUND);
  listPlayers();
  listMoves();
  slider.max = game.moves.length;
  slider.addEventListener("input", () => show(Number(slider.value)));
  for (const [name, action] of Object.entries(ACTIONS)) {
    document.getElementById(name).addEventListener("click", action);
  }
  document.addEventListener("keydown", (event) => {
    if (event.target === slider && event.key.startsWith("Arrow")) return;
    if (event.target.tagName === "BUTTON" && event.key === " ") return;
    if (KEYS[event.key]) {
      ACTIONS[KEYS[event.key]]();
      event.preventDefault();
    }
  });
  show(ply === undefined ? 0 : Number(ply) || 0);
};

function load(file) {
  const script = document.createElement("script");
  script.src = file;
  document.head.append(script);
}

if (window.GAMES) {
  window.receive(window.GAMES); // the page has its one game in it
} else {
  const asked = Number(location.hash.slice(1).split("@")[0]);
  load(`games/${Math.floor((asked - 1) / window.GAMES_PER_FILE)}.js`);
}
window.addEventListener("hashchange", () => {
  if (game && !location.hash.startsWith(`#${game.number}@`)) location.reload();
});
