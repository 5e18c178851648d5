// @ts-check
// Parameters of rules and bots as form fields: a list of choices, or a number from a range.

import { checkedInput, labelled, select } from "./dom.js";

/**
 * @import { Attributes } from "./dom.js"
 * @import { ParameterChoice } from "./protocol.d.ts"
 *
 * @typedef {Record<string, string | number>} Values of parameters, by name
 *
 * @typedef {(value: string) => unknown} OnChoice
 */

const FEW = 6; // A range of so many numbers is shown as a list.

/**
 * Whether a parameter is one that everyone should see, such as a layout or the number of players.
 *
 * @param {ParameterChoice} parameter
 */
export function isPlain({ choices, default: usual, is_decimal: isDecimal, lowest, highest }) {
  if (choices.length > 0) return true;
  const isWhole = Number.isInteger(usual) && !isDecimal;
  return isWhole && lowest !== null && highest !== null && highest - lowest < FEW;
}

/**
 * A field for a parameter. `values` holds what differs from the defaults; `onChange` is called after each change.
 *
 * @param {ParameterChoice} parameter
 * @param {Values} values
 * @param {() => unknown} onChange
 */
export function parameterField(parameter, values, onChange) {
  /** @param {string} value */
  const choose = (value) => {
    if (String(value) === String(parameter.default) || value === "") delete values[parameter.name];
    else values[parameter.name] = value;
    onChange();
  };
  const shown = values[parameter.name] ?? parameter.default;
  const attributes = { "data-id": `parameter-${parameter.name}` };
  return labelled(
    parameter.label,
    isPlain(parameter) ? list(parameter, shown, choose, attributes) : numberInput(parameter, shown, choose, attributes),
    parameter.about,
  );
}

/**
 * Only the values of parameters that exist, so that what was remembered for other rules does no harm.
 *
 * @param {Values} values
 * @param {ParameterChoice[]} parameters
 */
export function known(values, parameters) {
  const names = new Set(parameters.map((parameter) => parameter.name));
  return Object.fromEntries(Object.entries(values ?? {}).filter(([name]) => names.has(name)));
}

/**
 * @param {ParameterChoice} parameter
 * @param {string | number} shown
 * @param {OnChoice} choose
 * @param {Attributes} attributes
 */
function list({ choices, lowest, highest }, shown, choose, attributes) {
  const first = lowest ?? 0;
  const numbers = Array.from({ length: (highest ?? 0) - first + 1 }, (_, at) => String(first + at));
  return select(choices.length ? choices : numbers.map((each) => [each, each]), shown, choose, attributes);
}

/**
 * @param {ParameterChoice} parameter
 * @param {string | number} shown
 * @param {OnChoice} choose
 * @param {Attributes} attributes
 */
function numberInput(parameter, shown, choose, attributes) {
  const kind =
    typeof parameter.default === "number"
      ? { type: "number", step: parameter.is_decimal ? "any" : 1 }
      : { type: "text" };
  return checkedInput({ ...kind, min: parameter.lowest, max: parameter.highest, value: shown, ...attributes }, choose);
}
