"use strict";

function fixed(value, digits) {
  const text = Math.abs(value).toFixed(digits);
  return (value < 0 && /[1-9]/.test(text) ? "−" : "") + text;
}

function scaled(value, units, format) {
  if (!Numbers.isKnown(value)) return Numbers.nothing;
  const [divisor, unit] = units.find(([least]) => Math.abs(value) >= least) ?? units.at(-1);
  return `${format(value / divisor)} ${unit}`;
}

const timeUnits = [[1e9, "s"], [1e6, "ms"], [1e3, "µs"], [1, "ns"]];

/** Formats numbers for people, in the same way as `Format.swift`; `ci/check-report` compares both. */
const Numbers = {
  /** The dash for a missing number. */
  nothing: "–",

  isKnown: (value) => typeof value === "number" && Number.isFinite(value) && Math.abs(value) < 1e15,

  /** Returns three significant digits without an exponent: "0.300", "12.5", "1250". */
  significant(value) {
    if (!Numbers.isKnown(value)) return Numbers.nothing;
    if (value === 0) return "0";
    // The exponent after rounding, because 9.996 becomes 10.0, not 10.00.
    const exponent = Number(Math.abs(value).toExponential(2).split("e")[1]);
    return fixed(value, Math.min(9, Math.max(0, 2 - exponent)));
  },

  /** Returns significant digits without trailing zeros, "0.3". */
  trimmed(value) {
    const text = Numbers.significant(value);
    return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
  },

  /** Returns a whole number with commas between thousands. */
  grouped: (value) => Numbers.isKnown(value)
    ? Math.trunc(value).toString().replace(/\B(?=(\d{3})+$)/g, ",") : Numbers.nothing,

  /** Returns a count with its noun: "1 case", "2 cases". */
  count: (value, noun, plural = `${noun}s`) =>
    `${Numbers.grouped(value)} ${value === 1 ? noun : plural}`,

  /** Returns nanoseconds in a suitable unit, and for ticks without trailing zeros. */
  duration: (value) => scaled(value, timeUnits, Numbers.significant),
  durationTick: (value) => scaled(value, timeUnits, Numbers.trimmed),

  bytes: (value) => Numbers.isKnown(value) && Math.abs(value) < 1e3
    ? `${Math.trunc(value)} B`
    : scaled(value, [[1e9, "GB"], [1e6, "MB"], [1e3, "kB"]], Numbers.significant),

  percent: (fraction) =>
    Numbers.isKnown(fraction) ? `${Numbers.trimmed(100 * fraction)} %` : Numbers.nothing,

  /** Returns a ratio as a signed change in per cent: 1.05 is "+5.00 %". */
  change(ratio) {
    if (!Numbers.isKnown(ratio)) return Numbers.nothing;
    const value = 100 * (ratio - 1);
    const rounded = Math.round(Math.abs(value) * 100) / 100;
    const text = fixed(value, rounded < 10 ? 2 : rounded < 100 ? 1 : 0);
    return `${value > 0 && /[1-9]/.test(text) ? "+" : ""}${text} %`;
  },

  /** Returns a round change without trailing zeros; digits beyond a millionth are rounding errors. */
  changeTick(ratio) {
    const value = Math.round(100 * (ratio - 1) * 1e6) / 1e6;
    return `${value > 0 ? "+" : ""}${Numbers.trimmed(value)} %`;
  },

  /** Whether a ratio has an interval. */
  hasInterval: (ratio) => Numbers.isKnown(ratio?.lower) && Numbers.isKnown(ratio?.upper),

  /** Returns the ends of a ratio's interval as changes, or an empty text. */
  interval: (ratio) => Numbers.hasInterval(ratio)
    ? `[${Numbers.change(ratio.lower)}, ${Numbers.change(ratio.upper)}]` : "",

  /** Returns a change with its interval. */
  estimate: (ratio) => `${Numbers.change(ratio?.ratio)} ${Numbers.interval(ratio)}`.trim(),

  /** Returns numbers in ascending order. */
  sorted: (values) => values.filter(Numbers.isKnown).sort((one, other) => one - other),

  /** Returns a quantile of ascending numbers, interpolated; undefined without numbers. */
  quantile(ascending, fraction) {
    if (ascending.length === 0) return undefined;
    const place = (ascending.length - 1) * fraction;
    const [low, high] = [ascending[Math.floor(place)], ascending[Math.ceil(place)]];
    return low + (high - low) * (place - Math.floor(place));
  },

  median: (values) => Numbers.quantile(Numbers.sorted(values), 0.5),
};
