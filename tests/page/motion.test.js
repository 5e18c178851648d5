import assert from "node:assert/strict";
import { afterEach, test } from "node:test";

import { pretendBrowser } from "./samples.js";

const browser = pretendBrowser();
const { duration, Motion } = await import("../../src/palabre/web/static/motion.js");
const { choose } = await import("../../src/palabre/web/static/settings.js");

const steps = (...weights) => weights.map((weight) => ({ lift: [], flights: [], then: [], weight }));
const sowing = (seeds) => steps(...Array(seeds).fill(1));

afterEach(() => {
  choose("speed", "normal");
  browser.media.matches = false;
  browser.document.hidden = false;
});

test("a move takes longer the more happens in it, within limits", () => {
  assert.equal(duration(steps(2)), 260);
  assert.equal(duration(steps(2, 1, 1)), 520);
  assert.equal(duration(steps(0.5)), 220, "nothing is faster than this");
  assert.equal(duration(sowing(40)), 1500, "and nothing slower");
});

test("the reader chooses the speed", () => {
  for (const [speed, expected] of Object.entries({ slow: 520, normal: 260, fast: 130, off: 0 })) {
    choose("speed", speed);
    assert.equal(duration(steps(2)), expected, speed);
  }
});

test("nothing moves for those who want no motion, in a tab that is hidden, or where nothing happens", () => {
  assert.equal(duration([]), 0);
  browser.media.matches = true;
  assert.equal(duration(steps(2)), 0);
  browser.media.matches = false;
  browser.document.hidden = true;
  assert.equal(duration(steps(2)), 0);
});

/** A run of two steps on cells 0 and 1, and what is put on them in which order. */
async function played(during = () => {}) {
  const put = [];
  const motion = new Motion(null, null, (cell, markup) => put.push(`${cell} ${markup}`));
  const run = [
    { lift: [[0, "lifted"]], flights: [], then: [[0, "landed"]], weight: 1 },
    { lift: [[1, "lifted"]], flights: [], then: [[1, "landed"]], weight: 1 },
  ];
  let landings = 0;
  const done = motion.play(run, () => landings++);
  during(motion);
  await done;
  return { put, landings };
}

test("steps follow each other, and each landing is told", async () => {
  const { put, landings } = await played();
  assert.deepEqual(put, ["0 lifted", "0 landed", "1 lifted", "1 landed"]);
  assert.equal(landings, 2);
});

test("where nothing is seen to move, one landing is told", async () => {
  choose("speed", "off");
  const { put, landings } = await played();
  assert.deepEqual(put, ["0 lifted", "0 landed", "1 lifted", "1 landed"]);
  assert.equal(landings, 1);
});

test("a run that is skipped comes to its end at once", async () => {
  const { put } = await played((motion) => motion.skip());
  assert.equal(put.at(-1), "1 landed");
});

test("a run that is stopped changes nothing any more", async () => {
  const { put, landings } = await played((motion) => motion.stop());
  assert.deepEqual(put, ["0 lifted"]);
  assert.equal(landings, 0);
});
