import assert from "node:assert/strict";
import { test } from "node:test";

import { full, Line } from "../../src/palabre/web/static/line.js";
import { game, ply } from "./samples.js";

const CHANGED = [[1, "<b/>", "a stone"]];

test("a ply shows what it changes on top of the ply before it", () => {
  const line = new Line(game());
  line.replace(1, [ply("a", 0, CHANGED)], null);
  assert.deepEqual(line.contents(0)[1], [1, "<g>1</g>", "cell 1"]);
  assert.deepEqual(line.contents(1), [[0, "<g>0</g>", "cell 0"], CHANGED[0], [2, "<g>2</g>", "cell 2"]]);
  assert.equal(line.last, 1);
});

test("the place has the moves of the line", () => {
  const line = new Line(game("a", "b", "c"));
  assert.deepEqual(line.place, { game: "sample", start: null, moves: ["a", "b", "c"] });
  const now = { is_over: true };
  line.replace(2, [ply("x", 1)], now);
  assert.deepEqual(line.place.moves, ["a", "x"]);
  assert.equal(line.now, now);
  line.replace(1, [], now);
  assert.deepEqual(line.place.moves, []);
});

test("what is replaced is forgotten", () => {
  const line = new Line(game());
  line.replace(1, [ply("a", 0, CHANGED), ply("b", 1)], null);
  line.replace(1, [ply("c", 0)], null);
  assert.equal(line.last, 1);
  assert.deepEqual(line.contents(1), line.contents(0));
});

test("what the server leaves out is filled in, and nothing else is changed", () => {
  const bare = { contents: [], scores: [1], counted: ["1"], to_move: 0, status: "", move: "a", told: "it moves" };
  const filled = { mover: -1, steps: [], origins: [], targets: [], seconds: null };
  assert.deepEqual(full(bare), { ...bare, ...filled });
});
