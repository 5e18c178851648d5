// @ts-check
// What the page says, in the reader's language: texts by id from /words/LANGUAGE.json.
//
// A text has parameters in braces; a text in two forms, `one` and `many`, is chosen by the parameter `count`. French
// speaks of 0 and 1 in the singular. Numbers are written as the language writes them.

/** @typedef {{ [name: string]: unknown, count?: number }} Params */

/** @type {Record<string, string | { one: string, many: string }>} */
let texts = {};
let language = "en";

/**
 * Load the texts of a language and use them from now on.
 *
 * @param {string} wanted
 */
export async function speak(wanted) {
  const answer = await fetch(`/words/${wanted}.json`);
  if (!answer.ok) throw new Error(`/words/${wanted}.json: ${answer.status}`);
  use(await answer.json(), wanted);
}

/**
 * Use the texts of a language from now on.
 *
 * @param {typeof texts} known
 * @param {string} wanted
 */
export function use(known, wanted) {
  texts = known;
  language = wanted;
  document.documentElement.lang = wanted;
}

/**
 * The text of an id with its parameters filled in; the id itself where there is none, so that a gap is seen.
 *
 * @param {string} id
 * @param {Params} params
 */
export function t(id, params = {}) {
  const found = texts[id];
  if (found === undefined) return id;
  const text = typeof found === "string" ? found : found[isOne(params.count) ? "one" : "many"];
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in params ? shown(params[name]) : whole));
}

/**
 * A number with a fixed count of decimals.
 *
 * @param {number} value
 */
export function number(value, decimals = 0) {
  return value.toLocaleString(language, { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
}

/**
 * A large number in short: 17 M.
 *
 * @param {number} value
 */
export function short(value) {
  return value.toLocaleString(language, { notation: "compact", maximumFractionDigits: 1 });
}

/**
 * A share of 0 to 1 in percent.
 *
 * @param {number} share
 */
export function percent(share) {
  return t("unit.percent", { number: number(Math.round(share * 100)) });
}

/**
 * A remark as a sentence: with a capital letter, and a full stop unless it ends otherwise. One of these names stays as it
 * is.
 *
 * @param {string} text
 * @param {string[]} names
 */
export function sentence(text, names = []) {
  if (!text) return text;
  const first = names.some((name) => text.startsWith(name)) ? text[0] : text[0].toLocaleUpperCase(language);
  return `${first}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
}

/** @param {number} [count] */
function isOne(count) {
  return count === 1 || (language === "fr" && count === 0);
}

/** @param {unknown} value */
function shown(value) {
  return typeof value === "number" ? value.toLocaleString(language) : String(value);
}
