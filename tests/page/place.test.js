import assert from "node:assert/strict";
import { test } from "node:test";

import { placeIn, queryOf, queryOfNode, specWith, tableOf, triedIn } from "../../src/palabre/web/static/place.js";
import { Tree } from "../../src/palabre/web/static/tree.js";
import { game, ply } from "./samples.js";

const read = (query) => placeIn(new URLSearchParams(query));

test("a place comes back from its query", () => {
  for (const place of [
    { game: "awele", start: null, moves: [] },
    { game: "awele:stop=4,first=2", start: "4 4 4/é&=?", moves: ["C", "d+", "e-f"] },
  ])
    assert.deepEqual(read(queryOf(place)), place);
});

test("a query says only what a place has", () => {
  assert.equal(queryOf({ game: "awele" }), "?game=awele");
  assert.equal(queryOf({ game: "awele", start: "x", moves: ["C", "c"] }), "?game=awele&start=x&moves=C+c");
});

test("a list of values is one name several times, and an empty one is left out", () => {
  const more = { name: ["Awa", "Binta"], seat: 1, review: [] };
  assert.equal(queryOf({ game: "awele" }, more), "?game=awele&name=Awa&name=Binta&seat=1");
});

test("a query that names no game is no place", () => {
  assert.equal(read("?moves=C"), null);
  assert.equal(read("?game=&moves=C"), null);
});

test("a node of the game has the query of the whole game", () => {
  const tree = new Tree(game("a", "b"));
  assert.equal(queryOfNode(tree, tree.main[1]), "?game=sample&moves=a+b");
});

test("a node of a variation also has the ply that it leaves the game, and its moves to their end", () => {
  const tree = new Tree(game("a", "b"));
  const now = { paths: [], labels: {}, is_over: false, shares: null, why: "" };
  const first = tree.add(tree.main[1], { plies: [ply("x", 1)], now });
  tree.add(first, { plies: [ply("y", 0)], now });
  const query = queryOfNode(tree, first, { name: ["Awa"] });
  assert.equal(query, "?game=sample&moves=a+b&name=Awa&tried=1+x+y");
  assert.deepEqual(triedIn(new URLSearchParams(query)), { ply: 1, moves: ["x", "y"] });
});

test("a query without a variation has none", () => {
  assert.deepEqual(triedIn(new URLSearchParams("?game=awele")), { ply: 0, moves: [] });
  assert.deepEqual(triedIn(new URLSearchParams("?tried=nonsense")), { ply: 0, moves: [] });
});

test("of a table, the seat is kept of a reader who has one", () => {
  assert.deepEqual(tableOf(["Awa", "Binta"], [1]), { name: ["Awa", "Binta"], seat: [1] });
  assert.deepEqual(tableOf(["Awa", "Binta"], [0, 1]), { name: ["Awa", "Binta"], seat: [] });
});

test("parameters are added to a spec", () => {
  assert.equal(specWith("awele", {}), "awele");
  assert.equal(specWith("awele", { stop: 4, first: 2 }), "awele:stop=4,first=2");
  assert.equal(specWith("awele:abapa", { stop: 4 }), "awele:abapa,stop=4");
});
