"use strict";

/**
 * Drawings as SVG elements, each with a title and a description for people who cannot see it.
 *
 * Coordinates are in the drawing's own units, y downwards; colours come from the page's style sheet by
 * class. Text becomes text nodes, so that no name can become markup.
 */
const Drawings = (() => {
  /** The width of a chart: a phone's 360 points without the margins. */
  const chartWidth = 330;

  const context = document.createElement("canvas").getContext("2d");
  context.font = "11px system-ui, sans-serif";
  const textWidth = (text) => context.measureText(text).width;

  /** Returns text that fits a width, with "…" if it was truncated, and a height: of two accents per letter. */
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

  class Drawing {
    constructor(width, height, title, summary, style = "") {
      this.width = width;
      this.svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
      const attributes = {
        class: `chart ${style}`.trim(), role: "img", viewBox: `0 0 ${round(width)} ${round(height)}`,
        "aria-label": title,
      };
      for (const [name, value] of Object.entries(attributes)) this.svg.setAttribute(name, value);
      this.add("title", {}, title);
      this.add("desc", {}, summary);
    }

    add(tag, attributes, text) {
      const one = document.createElementNS(this.svg.namespaceURI, tag);
      for (const [name, value] of Object.entries(attributes)) one.setAttribute(name, value);
      if (text !== undefined) one.textContent = text;
      this.svg.append(one);
    }

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
      const attributes = { x: round(x), y: round(y), "text-anchor": anchor, class: style };
      this.add("text", attributes, text);
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
      const start = isLogarithmic ? 1 : 0;
      let low = usable.reduce((one, other) => Math.min(one, other), Infinity);
      let high = usable.reduce((one, other) => Math.max(one, other), -Infinity);
      if (usable.length === 0) [low, high] = [start, 1];
      if (isLogarithmic) {
        // A shorter axis is too short for two ticks.
        if (high / low < 1.15) [low, high] = [low / 1.08, high * 1.08];
      } else if (high - low <= 1e-9 * Math.max(Math.abs(low), Math.abs(high))) {
        const room = Math.max(0.005, Math.abs(low) * 0.05);
        [low, high] = [low - room, high + room];
      }
      Object.assign(this, { low, high, isLogarithmic });
    }

    /** Returns the axis extended by a share of its length on both sides. */
    padded(share) {
      const { low, high } = this;
      if (!this.isLogarithmic) {
        const room = (high - low) * share;
        return new Axis([low - room, high + room]);
      }
      const room = (high / low) ** share;
      return new Axis([low / room, high * room], true);
    }

    /** Returns a number's position along the axis, from zero to one; numbers outside are clamped. */
    share(value) {
      const share = this.isLogarithmic
        ? Math.log(Math.max(value, Number.MIN_VALUE) / this.low) / Math.log(this.high / this.low)
        : (value - this.low) / (this.high - this.low);
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
      const within = (factors, step) => {
        const values = [];
        for (let exponent = Math.ceil(first / step) * step; exponent <= last; exponent += step) {
          values.push(...factors.map((factor) => factor * 10 ** exponent));
        }
        return values.filter((one) => one >= this.low * 0.999999 && one <= this.high * 1.000001);
      };
      const choices = [[1, 1.5, 2, 3, 4, 5, 6, 8], [1, 2, 3, 5], [1, 2, 5], [1, 3]]
        .map((factors) => within(factors, 1));
      for (let step = 1; step <= last - first + 2; step += 1) choices.push(within([1], step));
      const chosen = choices.find((values) => values.length <= count);
      return chosen?.length > 0 ? chosen : this.linearTicks(count);
    }
  }

  /** A drawing with axes around a plot. */
  class Frame extends Drawing {
    /** `x` and `y` are `{ axis, label, name }`; the plot starts further right if y's numbers need it. */
    constructor({ title, summary, x, y, height = 150 }) {
      super(chartWidth, height + (x.name ? 46 : 32), title, summary);
      const numbers = y.axis.ticks(6).map((value) => ({ value, label: y.label(value) }));
      Object.assign(this, { top: 12, right: chartWidth - 12, bottom: 12 + height });
      this.left = Math.max(44, ...numbers.map(({ label }) => textWidth(label) + 8));
      [this.horizontal, this.vertical] = [x.axis, y.axis];
      for (const { value, label } of numbers) {
        this.line(this.left, this.y(value), this.right, this.y(value), "grid");
        this.text(label, this.left - 5, this.y(value) + 4, "end", "tick");
      }
      this.ticks(
        x.axis.ticks(5), x.label, (value) => this.x(value), this.top, this.bottom + 3, "grid");
      this.line(this.left, this.bottom, this.right, this.bottom, "axis");
      if (x.name) {
        this.text(
          x.name, (this.left + this.right) / 2, this.bottom + 30, "middle", "axis-name");
      }
    }

    x(value) { return this.left + this.horizontal.share(value) * (this.right - this.left); }
    y(value) { return this.bottom - this.vertical.share(value) * (this.bottom - this.top); }
  }

  return { Axis, Drawing, Frame, chartWidth, dot, fitted, move, round, textWidth };
})();
