import assert from "node:assert/strict";
import { test } from "node:test";

import { cutToPlay, isStraightOn, nearest, nearTo, placeBeside } from "../../src/palabre/web/static/geometry.js";

const [LEFT, RIGHT, UP, DOWN] = [
  [-1, 0],
  [1, 0],
  [0, -1],
  [0, 1],
];

test("an arrow key goes to the next cell in its direction", () => {
  const places = [
    [0, 0],
    [40, 0],
    [80, 0],
    [0, 40],
    [40, 40],
  ].map(([x, y]) => ({ x, y }));
  assert.equal(nearest(places, 0, RIGHT), 1);
  assert.equal(nearest(places, 0, DOWN), 3);
  assert.equal(nearest(places, 4, UP), 1);
  assert.equal(nearest(places, 2, LEFT), 1);
});

test("at the edge an arrow key stays", () => {
  const places = [
    { x: 0, y: 0 },
    { x: 40, y: 0 },
  ];
  assert.equal(nearest(places, 0, LEFT), 0);
  assert.equal(nearest(places, 0, UP), 0);
});

test("on a hexagon an arrow key does not skip the next row for a cell straight ahead", () => {
  const places = [
    { x: 20, y: 0 },
    { x: 0, y: 35 },
    { x: 40, y: 35 },
    { x: 20, y: 70 },
  ];
  assert.equal(nearest(places, 0, DOWN), 1);
  assert.equal(nearest(places, 3, UP), 1);
});

test("only what lies ahead on the line is straight on", () => {
  const [first, second] = [
    { x: 0, y: 0 },
    { x: 10, y: 10 },
  ];
  assert.equal(isStraightOn(first, second, { x: 30, y: 30 }), true);
  assert.equal(isStraightOn(first, second, { x: 30, y: 31 }), true, "a little aside");
  assert.equal(isStraightOn(first, second, { x: 30, y: 40 }), false, "aside");
  assert.equal(isStraightOn(first, second, { x: 5, y: 5 }), false, "between");
  assert.equal(isStraightOn(first, second, { x: -10, y: -10 }), false, "behind");
});

const box = (x, y, width, height) => ({ getBoundingClientRect: () => ({ x, y, width, height }) });

test("a tap beside some elements is meant for the nearest one, within a thumb", () => {
  const elements = [box(0, 0, 20, 20), box(40, 0, 20, 20)];
  assert.equal(nearTo(elements, 24, 10), 0);
  assert.equal(nearTo(elements, 36, 10), 1);
  assert.equal(nearTo(elements, 10, 35), -1, "25 pixels from the nearest middle");
  assert.equal(nearTo([box(0, 0, 100, 100)], 50, 107), 0, "large elements reach a little beyond their edge");
  assert.equal(nearTo([box(0, 0, 100, 100)], 50, 109), -1);
  assert.equal(nearTo([], 0, 0), -1);
});

test("only a wide board with stores is cut to what is played on", () => {
  const cells = [
    { x: 100, y: 50, radius: 10, is_store: false },
    { x: 300, y: 50, radius: 10, is_store: false },
    { x: 10, y: 50, radius: 10, is_store: true },
  ];
  const whereIs = (cell) => cells[cell];
  assert.equal(cutToPlay({ width: 400, height: 100, cells }, whereIs), "87 33 226 34");
  assert.equal(cutToPlay({ width: 150, height: 100, cells }, whereIs), null, "not wide");
  assert.equal(cutToPlay({ width: 400, height: 100, cells: cells.slice(0, 2) }, whereIs), null, "no stores");
});

/** Where the parts beside a cell of radius 30 stand afterwards, if they stood at these places. */
function beside(places, isFlipped, isUpright) {
  const moved = places.map(() => null);
  const parts = places.map(([e, f], at) => ({
    transform: { baseVal: { consolidate: () => ({ matrix: { e, f } }) } },
    setAttribute: (_, value) => (moved[at] = value),
  }));
  placeBeside({ querySelectorAll: () => parts }, 30, isFlipped, isUpright);
  return moved;
}

test("what stands beside a cell stays there on a board that is as it was drawn", () => {
  assert.deepEqual(beside([[0, -44]], false, false), [null]);
});

test("on a board that is flipped, what stood above stands below", () => {
  assert.deepEqual(
    beside(
      [
        [3, -44],
        [0, 10],
      ],
      true,
      false,
    ),
    ["translate(3 44)", "translate(0 -10)"],
  );
});

test("on a board that stands upright, what stood above stands at the side, larger, one below the other", () => {
  assert.deepEqual(
    beside(
      [
        [0, -44],
        [0, -60],
      ],
      false,
      true,
    ),
    ["translate(56 -10.5) scale(1.45)", "translate(56 10.5) scale(1.45)"],
  );
  assert.deepEqual(beside([[0, 44]], false, true), ["translate(-56 0) scale(1.45)"]);
  assert.deepEqual(beside([[0, -44]], true, true), ["translate(-56 0) scale(1.45)"]);
});
