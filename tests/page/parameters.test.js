import assert from "node:assert/strict";
import { test } from "node:test";

import { isPlain, known } from "../../src/palabre/web/static/parameters.js";

const parameter = (changes) => ({
  name: "depth",
  choices: [],
  default: 3,
  lowest: null,
  highest: null,
  is_decimal: false,
  ...changes,
});

test("a list of choices and a short range are for everybody", () => {
  assert.equal(isPlain(parameter({ default: "long", choices: [["long", "Long"]] })), true);
  assert.equal(isPlain(parameter({ lowest: 2, highest: 7 })), true);
  assert.equal(isPlain(parameter({ lowest: 2, highest: 8 })), false);
});

test("texts, fractions and ranges without an end are for experts", () => {
  assert.equal(isPlain(parameter({ default: "file.json" })), false);
  assert.equal(isPlain(parameter({ default: 1, lowest: 0, highest: 2, is_decimal: true })), false);
  assert.equal(isPlain(parameter({ default: 0.5, lowest: 0, highest: 1 })), false);
  assert.equal(isPlain(parameter({ lowest: 0 })), false);
  assert.equal(isPlain(parameter({})), false);
});

test("what was chosen for other rules is not kept", () => {
  assert.deepEqual(known({ depth: 4, width: 2 }, [parameter({})]), { depth: 4 });
  assert.deepEqual(known(undefined, [parameter({})]), {});
});
