"use strict";

function filled(one, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) one.setAttribute(name, value);
  one.append(...children.flat(Infinity).filter((child) => child || child === 0));
  return one;
}

/** Creates an element; strings become text nodes, so that no name can become markup. */
const el = (tag, attributes, ...children) =>
  filled(document.createElement(tag), attributes, children);

/** Creates an element of a drawing. */
const svg = (tag, attributes, ...children) =>
  filled(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);

/** The width of a chart: a phone's 360 points without the margins. */
const chartWidth = 330;

const context = document.createElement("canvas").getContext("2d");
context.font = "11px system-ui, sans-serif";
const textWidth = (text) => context.measureText(text).width;

/** Returns text that fits a width, with "…" if truncated, and that has at most two accents per letter. */
function fitted(long, width) {
  const text = long.replace(/(\p{M}{2})\p{M}+/gu, "$1");
  if (textWidth(text) <= width) return text;
  const scalars = [...text.slice(0, 400)];
  while (scalars.length > 0 && textWidth(`${scalars.join("")}…`) > width) scalars.pop();
  return `${scalars.join("")}…`;
}

const round = (value) => Math.round(value * 100) / 100;
const move = (x, y) => `M${round(x)} ${round(y)}`;
/** A path without length, which a round line cap makes a dot. */
const dot = (x, y) => `${move(x, y)}h0`;

/**
 * A drawing as an SVG element, with a title and a description for people who cannot see it.
 *
 * Coordinates are in the drawing's own units, y downwards; colours come from the page's style sheet by
 * class.
 */
class Drawing {
  constructor(width, height, title, summary, style = "") {
    this.width = width;
    this.svg = svg("svg", {
      class: `chart ${style}`.trim(), role: "img", viewBox: `0 0 ${round(width)} ${round(height)}`,
      "aria-label": title,
    }, svg("title", {}, title), svg("desc", {}, summary));
  }

  add(...parts) { this.svg.append(svg(...parts)); }

  path(d, style) {
    if (d) this.add("path", { d, class: style });
  }

  line(x1, y1, x2, y2, style) {
    this.path(`${move(x1, y1)}L${round(x2)} ${round(y2)}`, style);
  }

  rectangle(x, y, width, height, attributes) {
    const sides = { x: round(x), y: round(y), width: round(width), height: round(height) };
    this.add("rect", { ...sides, ...attributes });
  }

  text(text, x, y, anchor, style) {
    this.add("text", { x: round(x), y: round(y), "text-anchor": anchor, class: style }, text);
  }

  /** Draws lines at values, and labels below them except those that would overlap the previous one. */
  ticks(values, label, x, top, bottom, style) {
    let end = -Infinity;
    for (const value of values) {
      this.line(x(value), top, x(value), bottom, style);
      const half = textWidth(label(value)) / 2;
      // The outermost labels must stay inside the drawing.
      const middle = Math.min(Math.max(x(value), half + 2), this.width - half - 2);
      if (middle - half <= end + 6) continue;
      this.text(label(value), middle, bottom + 12, "middle", "tick");
      end = middle + half;
    }
  }
}

/** A scale for numbers along a line, with its ticks. */
class Axis {
  /** A logarithmic axis ignores numbers that are not positive; equal numbers get an axis of some length. */
  constructor(values, isLogarithmic = false) {
    const usable = values.filter((one) => Numbers.isKnown(one) && (!isLogarithmic || one > 0));
    let low = usable.reduce((one, other) => Math.min(one, other), Infinity);
    let high = usable.reduce((one, other) => Math.max(one, other), -Infinity);
    if (usable.length === 0) [low, high] = isLogarithmic ? [1, 1] : [0, 1];
    if (isLogarithmic) {
      // A shorter axis is too short for two ticks.
      if (high / low < 1.15) [low, high] = [low / 1.08, high * 1.08];
    } else if (high - low <= 1e-9 * Math.max(Math.abs(low), Math.abs(high))) {
      const room = Math.max(0.005, Math.abs(low) * 0.05);
      [low, high] = [low - room, high + room];
    }
    Object.assign(this, { low, high, isLogarithmic });
    this.place =
      (value) => isLogarithmic ? Math.log(Math.max(value, Number.MIN_VALUE)) : value;
    this.value = isLogarithmic ? Math.exp : (place) => place;
  }

  /** Returns the axis extended by a share of its length on both sides. */
  padded(share) {
    const [low, high] = [this.place(this.low), this.place(this.high)];
    const room = (high - low) * share;
    return new Axis([this.value(low - room), this.value(high + room)], this.isLogarithmic);
  }

  /** Returns a number's position along the axis, from zero to one; numbers outside are clamped. */
  share(value) {
    const [low, high] = [this.place(this.low), this.place(this.high)];
    const share = (this.place(value) - low) / (high - low);
    return Number.isNaN(share) ? 0 : Math.min(Math.max(share, 0), 1);
  }

  /** Returns at most `count` round numbers within the axis. */
  ticks(count) {
    return this.isLogarithmic ? this.logarithmicTicks(count) : this.linearTicks(count);
  }

  linearTicks(count) {
    const magnitude = 10 ** Math.floor(Math.log10((this.high - this.low) / Math.max(1, count)));
    for (const factor of [1, 2, 5, 10, 20]) {
      const step = factor * magnitude;
      const [first, last] = [Math.ceil(this.low / step), Math.floor(this.high / step)];
      // Dividing by the reciprocal of a small step gives 0.3 for 3 × 0.1.
      if (first <= last && last - first < count) {
        return Array.from({ length: last - first + 1 }, (_, index) =>
          step < 1 ? (first + index) / Math.round(1 / step) : (first + index) * step);
      }
    }
    return [this.low];
  }

  logarithmicTicks(count) {
    // Over less than two octaves, round numbers are denser than powers.
    if (this.high / this.low < 4) return this.linearTicks(count);
    const [first, last] = [Math.floor(Math.log10(this.low)), Math.ceil(Math.log10(this.high))];
    // The densest that fits: parts of each decade, or else powers, then every second power, and so on.
    const choices = [[1, 1.5, 2, 3, 4, 5, 6, 8], [1, 2, 3, 5], [1, 2, 5], [1, 3]];
    for (let index = 0; ; index += 1) {
      const step = Math.max(1, index - choices.length + 1);
      const values = [];
      for (let exponent = Math.ceil(first / step) * step; exponent <= last; exponent += step) {
        values.push(...(choices[index] ?? [1]).map((factor) => factor * 10 ** exponent));
      }
      const within = values.filter((one) => one >= this.low * 0.999999 && one <= this.high * 1.000001);
      if (within.length <= count) return within.length > 0 ? within : this.linearTicks(count);
    }
  }
}

/** A drawing with axes around a plot. */
class Frame extends Drawing {
  /** `x` and `y` are `{ axis, label, name, isWhole }`; the plot starts further right if y's numbers need it. */
  constructor({ title, summary, x, y }) {
    super(chartWidth, 196, title, summary);
    const numbers = y.axis.ticks(6).map((value) => ({ value, label: y.label(value) }));
    Object.assign(this, { top: 12, right: chartWidth - 12, bottom: 162 });
    this.left = Math.max(44, ...numbers.map(({ label }) => textWidth(label) + 8));
    [this.horizontal, this.vertical] = [x.axis, y.axis];
    for (const { value, label } of numbers) {
      this.line(this.left, this.y(value), this.right, this.y(value), "grid");
      this.text(label, this.left - 5, this.y(value) + 4, "end", "tick");
    }
    const places = x.axis.ticks(5).filter((value) => !x.isWhole || Number.isInteger(value));
    this.ticks(places, x.label, (value) => this.x(value), this.top, this.bottom + 3, "grid");
    this.line(this.left, this.bottom, this.right, this.bottom, "axis");
    this.text(x.name, (this.left + this.right) / 2, this.bottom + 30, "middle", "axis-name");
  }

  x(value) { return this.left + this.horizontal.share(value) * (this.right - this.left); }
  y(value) { return this.bottom - this.vertical.share(value) * (this.bottom - this.top); }
}
