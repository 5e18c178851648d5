import assert from "node:assert/strict";
import { test } from "node:test";

import { Paths } from "../../src/palabre/web/static/paths.js";

// No path is the beginning of another. The third and the fourth differ in their second click only.
const PATHS = [
  { clicks: [1, 2], move: "short" },
  { clicks: [1, 3, 4], move: "long" },
  { clicks: [1, 5, 6], move: "left" },
  { clicks: [1, 7, 6], move: "right" },
  { clicks: [8, 9], move: "other" },
  { clicks: [10, "take"], move: "word" },
];
const FIRST = [1, 8, 10];

/** What a step returns, the clicks so far, and what may be clicked next. */
function after(paths, name, ...given) {
  const move = paths[name](...given) ?? null;
  return [move, paths.clicks, [...paths.next]];
}

test("a path is clicked to its end", () => {
  const paths = new Paths(PATHS);
  assert.deepEqual([...paths.next], FIRST);
  assert.deepEqual(after(paths, "click", 1), [null, [1], [2, 3, 5, 7]]);
  assert.deepEqual(after(paths, "click", 2), ["short", [1, 2], [undefined]]);
});

test("a word is a click", () => {
  const paths = new Paths(PATHS);
  assert.deepEqual(after(paths, "click", 10), [null, [10], ["take"]]);
  assert.equal(paths.click("take"), "word");
});

test("the last click again takes back that click alone", () => {
  const paths = new Paths(PATHS);
  paths.click(1);
  assert.deepEqual(after(paths, "click", 3), [null, [1, 3], [4]]);
  assert.deepEqual(after(paths, "click", 3), [null, [1], [2, 3, 5, 7]]);
  assert.deepEqual(after(paths, "click", 1), [null, [], FIRST]);
});

test("another first click begins anew, and one that leads nowhere gives up", () => {
  const paths = new Paths(PATHS);
  paths.click(1);
  assert.deepEqual(after(paths, "click", 8), [null, [8], [9]]);
  assert.deepEqual(after(paths, "click", 4), [null, [], FIRST]);
});

test("a click that enters nothing is a miss", () => {
  const paths = new Paths(PATHS);
  assert.equal(paths.misses(4), true);
  assert.equal(paths.misses(1), false);
  paths.click(1);
  assert.equal(paths.misses(9), true);
  for (const click of [1, 2, 8]) assert.equal(paths.misses(click), false, `click ${click}`);
  assert.equal(new Paths().misses(4), false, "where nothing can be entered, nothing is missed");
});

test("clicks are taken back one by one, until there are none", () => {
  const paths = new Paths(PATHS);
  paths.click(1);
  paths.click(5);
  assert.equal(paths.back(), true);
  assert.deepEqual(paths.clicks, [1]);
  assert.equal(paths.back(), true);
  assert.equal(paths.back(), false);
});

test("something dragged may be dropped on every cell of a path from there", () => {
  const paths = new Paths(PATHS);
  assert.deepEqual(paths.drops(1), new Set([2, 3, 4, 5, 6, 7]));
  assert.deepEqual(paths.drops(10), new Set());
});

test("a drag is the path of two clicks", () => {
  assert.deepEqual(after(new Paths(PATHS), "drag", 1, 2), ["short", [], FIRST]);
});

test("a drag is the only path that ends there", () => {
  assert.deepEqual(after(new Paths(PATHS), "drag", 1, 4), ["long", [1], [2, 3, 5, 7]]);
});

test("if several paths end there, the next click decides", () => {
  const paths = new Paths(PATHS);
  assert.deepEqual(after(paths, "drag", 1, 6), [null, [1], [5, 7]]);
  assert.equal(paths.isNarrowed, true);
  assert.deepEqual(after(paths, "click", 7), [null, [1, 7], [6]]);
  assert.equal(paths.click(6), "right");
});

test("a drag that is short of an end goes on to the only one beyond", () => {
  const paths = new Paths(PATHS);
  assert.equal(
    paths.drag(1, 3, (click) => click === 4),
    "long",
  );
  assert.equal(
    paths.drag(1, 5, (click) => click === 6),
    null,
    "two moves end there",
  );
  assert.deepEqual(paths.clicks, [1, 5]);
});
