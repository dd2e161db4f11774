"use strict";

/** Formats numbers for people, in the same way as `Format.swift`; `ci/check-report` compares both. */
const Numbers = (() => {
  /** The dash for a missing number. */
  const nothing = "–";

  const isKnown = (value) => typeof value === "number" && Number.isFinite(value)
    && Math.abs(value) < 1e15;

  function fixed(value, digits) {
    const text = Math.abs(value).toFixed(digits);
    return (value < 0 && /[1-9]/.test(text) ? "−" : "") + text;
  }

  /** Returns three significant digits without an exponent: "0.300", "12.5", "1250". */
  function significant(value) {
    if (!isKnown(value)) return nothing;
    if (value === 0) return "0";
    // The exponent after rounding, because 9.996 becomes 10.0, not 10.00.
    const exponent = Number(Math.abs(value).toExponential(2).split("e")[1]);
    return fixed(value, Math.min(9, Math.max(0, 2 - exponent)));
  }

  /** Returns significant digits without trailing zeros, "0.3". */
  function trimmed(value) {
    const text = significant(value);
    return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
  }

  /** Returns a whole number with commas between thousands. */
  function grouped(value) {
    if (!isKnown(value)) return nothing;
    return Math.trunc(value).toString().replace(/\B(?=(\d{3})+$)/g, ",");
  }

  /** Returns a count with its noun: "1 case", "2 cases". */
  const count = (value, noun, plural = `${noun}s`) =>
    `${grouped(value)} ${value === 1 ? noun : plural}`;

  function scaled(value, units, format) {
    if (!isKnown(value)) return nothing;
    const [divisor, unit] = units.find(([least]) => Math.abs(value) >= least) ?? units.at(-1);
    return `${format(value / divisor)} ${unit}`;
  }

  const times = [[1e9, "s"], [1e6, "ms"], [1e3, "µs"], [1, "ns"]];

  /** Returns nanoseconds in a suitable unit. */
  const duration = (value) => scaled(value, times, significant);

  /** Returns a round duration, without trailing zeros. */
  const durationTick = (value) => scaled(value, times, trimmed);

  function bytes(value) {
    if (isKnown(value) && Math.abs(value) < 1e3) return `${Math.trunc(value)} B`;
    return scaled(value, [[1e9, "GB"], [1e6, "MB"], [1e3, "kB"]], significant);
  }

  const percent = (fraction) => isKnown(fraction) ? `${trimmed(100 * fraction)} %` : nothing;

  /** Returns a ratio as a signed change in per cent: 1.05 is "+5.00 %". */
  function change(ratio) {
    if (!isKnown(ratio)) return nothing;
    const value = 100 * (ratio - 1);
    const rounded = Math.round(Math.abs(value) * 100) / 100;
    const text = fixed(value, rounded < 10 ? 2 : rounded < 100 ? 1 : 0);
    return `${value > 0 && /[1-9]/.test(text) ? "+" : ""}${text} %`;
  }

  /** Returns a round change without trailing zeros; digits beyond a millionth are rounding errors. */
  function changeTick(ratio) {
    const value = Math.round(100 * (ratio - 1) * 1e6) / 1e6;
    return `${value > 0 ? "+" : ""}${trimmed(value)} %`;
  }

  /** Returns the ends of a ratio's interval as changes, or an empty text. */
  function interval(ratio) {
    return isKnown(ratio?.lower) && isKnown(ratio?.upper)
      ? `[${change(ratio.lower)}, ${change(ratio.upper)}]` : "";
  }

  /** Returns a change with its interval. */
  const estimate = (ratio) => `${change(ratio?.ratio)} ${interval(ratio)}`.trim();

  /** Returns numbers in ascending order. */
  const sorted = (values) => values.filter(isKnown).sort((one, other) => one - other);

  /** Returns a quantile of ascending numbers, interpolated; undefined without numbers. */
  function quantile(ascending, fraction) {
    if (ascending.length === 0) return undefined;
    const place = (ascending.length - 1) * fraction;
    const [low, high] = [ascending[Math.floor(place)], ascending[Math.ceil(place)]];
    return low + (high - low) * (place - Math.floor(place));
  }

  const median = (values) => quantile(sorted(values), 0.5);

  return {
    nothing, isKnown, significant, trimmed, grouped, count, duration, durationTick, bytes,
    percent, change, changeTick, interval, estimate, sorted, quantile, median,
  };
})();
