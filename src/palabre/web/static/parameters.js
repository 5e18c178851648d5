// Parameters of rules and bots as form fields: a list of choices, or a number from a range.

import { el, labelled, select } from "./dom.js";

const FEW = 6; // A range of so many numbers is shown as a list.

/** Whether a parameter is one that everybody should see, such as a layout or the number of players. */
export function isPlain(parameter) {
  if (parameter.choices?.length > 0) return true;
  const isWhole = Number.isInteger(parameter.default) && !parameter.is_decimal;
  return isWhole && parameter.highest - parameter.lowest < FEW;
}

/** A field for a parameter. `values` holds what differs from the defaults; `onChange` is called after each change. */
export function parameterField(parameter, values, onChange) {
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

/** Only the values of parameters that exist, so that what was remembered for other rules does no harm. */
export function known(values, parameters) {
  const names = new Set(parameters.map((parameter) => parameter.name));
  return Object.fromEntries(Object.entries(values ?? {}).filter(([name]) => names.has(name)));
}

function list(parameter, shown, choose, attributes) {
  const numbers = () =>
    Array.from({ length: parameter.highest - parameter.lowest + 1 }, (_, at) => [
      parameter.lowest + at,
      String(parameter.lowest + at),
    ]);
  return select(parameter.choices?.length ? parameter.choices : numbers(), shown, choose, attributes);
}

function numberInput(parameter, shown, choose, attributes) {
  const isNumber = typeof parameter.default === "number";
  const step = parameter.is_decimal ? "any" : 1;
  const input = el("input", {
    type: isNumber ? "number" : "text",
    min: parameter.lowest,
    max: parameter.highest,
    step: isNumber ? step : null,
    value: shown,
    ...attributes,
  });
  input.addEventListener("change", () => input.reportValidity() && choose(input.value));
  return input;
}
