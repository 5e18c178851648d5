import assert from "node:assert/strict";
import { test } from "node:test";

import { Tree } from "../../src/palabre/web/static/tree.js";
import { game, ply } from "./samples.js";

const NOW = { paths: [], labels: {}, is_over: false, shares: null, why: "" };

/** Try moves from a node, one after another; the last node. */
function tried(tree, node, ...moves) {
  for (const move of moves) node = tree.add(node, { plies: [ply(move, node.depth % 2)], now: NOW });
  return node;
}

const movesOf = (nodes) => nodes.map((node) => node.ply.move);

test("the game is the way from the root to the last node", () => {
  const tree = new Tree(game("a", "b"));
  assert.deepEqual(movesOf(tree.last.path), ["", "a", "b"]);
  assert.deepEqual(tree.main, tree.last.path);
  assert.deepEqual(movesOf(tree.leafOf(tree.root).path), ["", "a", "b"]);
  assert.deepEqual(tree.placeOf(tree.main[1]).moves, ["a"]);
  assert.equal(tree.lineThrough(tree.root), tree.line);
});

test("moves that are tried out leave the game as it is", () => {
  const tree = new Tree(game("a", "b"));
  const leaf = tried(tree, tree.main[1], "x", "y");
  assert.deepEqual(movesOf(tree.main), ["", "a", "b"]);
  assert.equal(tree.isMain(leaf), false);
  assert.deepEqual(tree.placeOf(leaf).moves, ["a", "x", "y"]);
  assert.deepEqual(movesOf(tree.othersOf(tree.main[1])), ["x"]);
  assert.deepEqual(tree.lineThrough(leaf.parent).place.moves, ["a", "x", "y"]);
  assert.equal(tree.lineThrough(leaf).now, NOW);
  assert.equal(tree.after(tree.main[1], "x"), leaf.parent);
  assert.equal(tree.after(tree.main[1], "z"), null);
});

test("of several moves that are tried in a variation, the first goes on", () => {
  const tree = new Tree(game("a"));
  const first = tried(tree, tree.root, "x", "y");
  const second = tried(tree, first.parent, "z");
  assert.equal(tree.leafOf(first.parent), first);
  assert.deepEqual(tree.othersOf(first.parent), [second]);
});

test("only where a game may grow, a move at its end is part of it", () => {
  const grown = new Tree(game("a"), { grows: true });
  assert.notEqual(grown.last.now, null, "what can be done at the end is known");
  assert.equal(tried(grown, grown.last, "b"), grown.last);
  assert.deepEqual(grown.line.place.moves, ["a", "b"]);
  const fixed = new Tree(game("a"));
  tried(fixed, fixed.last, "b");
  assert.deepEqual(fixed.line.place.moves, ["a"]);
});

test("a move that was tried out and is then played keeps its node and what hangs on it", () => {
  const tree = new Tree(game("a"));
  const leaf = tried(tree, tree.last, "b", "c");
  tree.replace(2, [ply("b", 1)], NOW);
  assert.equal(tree.last, leaf.parent);
  assert.equal(tree.isMain(leaf), false);
  assert.equal(tree.has(leaf), true);
});

test("what hangs on moves that are taken back goes with them", () => {
  const tree = new Tree(game("a", "b", "c"));
  const kept = tried(tree, tree.main[1], "x");
  const lost = tried(tree, tree.main[2], "y");
  tree.replace(2, [], NOW);
  assert.deepEqual(movesOf(tree.main), ["", "a"]);
  assert.equal(tree.has(kept), true);
  assert.equal(tree.has(lost), false);
  assert.deepEqual(movesOf(tree.root.children[0].children), ["x"]);
});

test("a game that is told again from its first position keeps its nodes", () => {
  const tree = new Tree(game("a", "b"));
  const before = [...tree.main];
  const leaf = tried(tree, tree.root, "x");
  tree.replace(0, game("a", "b").plies, NOW);
  assert.deepEqual(tree.main, before);
  assert.equal(tree.has(leaf), true);
});
