"use strict";

/** The charts of results. */
const Charts = (() => {
  const { Axis, Drawing, Frame, chartWidth, dot, fitted, move, round, textWidth } = Drawings;

  /**
   * Draws the share of samples up to each time; it uses no bins.
   *
   * A series is `{ name, colour, samples }` with ascending nanoseconds.
   */
  function ecdf(series, title) {
    const shown = series.filter(({ samples }) => samples.length > 0);
    const summary = shown.map(({ name, samples }) =>
      `${name}: half of ${samples.length} samples took at most `
      + `${Numbers.duration(Numbers.quantile(samples, 0.5))}, nine in ten `
      + `${Numbers.duration(Numbers.quantile(samples, 0.9))}.`).join(" ");
    // The axis ends at the 99th percentiles, because the slowest samples would compress the rest.
    const ends = shown.flatMap(({ samples }) => [samples[0], Numbers.quantile(samples, 0.99)]);
    const frame = new Frame({
      title, summary,
      x: {
        axis: new Axis(ends, true).padded(0.04), label: Numbers.durationTick,
        name: "wall time of one peek (log scale)",
      },
      y: { axis: new Axis([0, 1]), label: Numbers.percent },
    });
    for (const { colour, samples } of shown) {
      // More steps than pixels would only make the path longer.
      const count = Math.min(samples.length, 160);
      let d = move(frame.x(samples[0]), frame.y(0));
      for (let index = 0; index < count; index += 1) {
        const rank = count === 1 ? 0 : Math.floor(index * (samples.length - 1) / (count - 1));
        d += `H${round(frame.x(samples[rank]))}V${round(frame.y((index + 1) / count))}`;
      }
      // Colour distinguishes two curves; more than two may overlap, so they are dashed.
      frame.path(`${d}H${frame.right}`, `line s${colour} ${shown.length > 2 ? "dashed" : ""}`);
    }
    return frame.svg;
  }

  /**
   * Draws rows of estimates with their intervals or ranges, and perhaps single dots.
   *
   * A row is `{ name, text, ratio, lower, upper, dots, tone }`. Names are above the rows if the screen is
   * narrow, else beside them.
   */
  function rows(list, { title, summary, axis, label, bands = [], sides, isNarrow }) {
    const [width, height] = isNarrow ? [chartWidth, 48] : [1080, 24];
    const [left, right] = isNarrow ? [12, chartWidth - 12] : [300, 870];
    const top = 22;
    const bottom = top + height * list.length;
    const x = (value) => left + axis.share(value) * (right - left);
    const drawing = new Drawing(width, bottom + 24, title, summary, isNarrow ? "" : "wide");
    for (const [low, high, style] of bands) {
      drawing.rectangle(x(low), top, x(high) - x(low), bottom - top, { class: style });
    }
    drawing.ticks(axis.ticks(isNarrow ? 5 : 9), label, x, top, bottom + 3, "grid");
    drawing.line(x(1), top, x(1), bottom, "zero");
    // Near an end of the axis, only one of the two labels fits.
    const [before, after] = [`${sides[0]} ←`, `→ ${sides[1]}`];
    if (x(1) - 8 >= textWidth(before)) drawing.text(before, x(1) - 8, top - 8, "end", "tick");
    if (x(1) + 8 + textWidth(after) <= width) {
      drawing.text(after, x(1) + 8, top - 8, "start", "tick");
    }
    list.forEach((row, index) => {
      const middle = top + height * index + (isNarrow ? 38 : 12);
      if (isNarrow) {
        drawing.text(fitted(row.name, width - 24), 12, middle - 24, "start", "label");
        drawing.text(fitted(row.text, width - 24), 12, middle - 11, "start", "tick");
      } else {
        drawing.text(fitted(row.name, left - 16), left - 10, middle + 4, "end", "label");
        drawing.text(fitted(row.text, width - right - 14), right + 12, middle + 4, "start", "label");
      }
      for (const value of row.dots ?? []) {
        drawing.path(dot(x(value), middle), `dot mid ${row.tone}`);
      }
      if (Numbers.isKnown(row.lower) && Numbers.isKnown(row.upper)) {
        let d = `${move(x(row.lower), middle)}H${round(x(row.upper))}`;
        // An end beyond the axis is drawn without a cap.
        if (row.lower >= axis.low) d += `${move(x(row.lower), middle - 4)}v8`;
        if (row.upper <= axis.high) d += `${move(x(row.upper), middle - 4)}v8`;
        drawing.path(d, `interval ${row.tone}`);
      }
      drawing.path(dot(x(row.ratio), middle), `estimate ${row.tone}`);
    });
    return drawing.svg;
  }

  /** Draws changes with their intervals between the margins of the decision. */
  function forest(list, margins, options) {
    const same = 1 + margins.same;
    const usable = [...list.map(({ ratio }) => ratio), 1 / same, same]
      .filter((one) => Numbers.isKnown(one) && one > 0);
    const [low, high] = [Math.min(...usable), Math.max(...usable)];
    // An interval is clipped if it extends to more than twice the range of the estimates.
    const ends = list.flatMap(({ lower, upper }) => [lower, upper])
      .filter((end) => end >= 1 - 2 * (1 - low) && end <= 1 + 2 * (high - 1));
    const bands = [[margins.same, "margin-same"], [margins.margin, "margin-slower"]]
      .filter(([margin]) => margin >= 0)
      .map(([margin, style]) => [1 / (1 + margin), 1 + margin, style]);
    return rows(list, {
      axis: new Axis([...usable, ...ends]).padded(0.03), label: Numbers.changeTick, bands,
      sides: ["faster", "slower"], ...options,
    });
  }

  /** Draws how many times faster than naive each contender is: a dot for each picture, and the range. */
  function gains(list, options) {
    const values = list.flatMap(({ dots, ratio }) => [...dots, ratio]);
    return rows(list, {
      axis: new Axis([...values, 1], true).padded(0.03), label: (value) => `${Numbers.trimmed(value)}×`,
      sides: ["slower than naive", "faster"], ...options,
    });
  }

  /** Draws the ratio of each pair over time, which shows drift, outliers and effects of the order. */
  function pairs(launches, estimate, title) {
    const all = Numbers.sorted(launches.flatMap(({ ratios }) => ratios));
    const count = launches.reduce((sum, { ratios }) => sum + ratios.length, 0);
    // The axis has the middle 96 % of the ratios; other ratios are drawn at the edge.
    const ends = [Numbers.quantile(all, 0.02), Numbers.quantile(all, 0.98)];
    const axis = new Axis([...ends, 1, estimate.ratio, estimate.lower, estimate.upper]);
    const frame = new Frame({
      title,
      summary: `${count} pairs; the estimated change is ${Numbers.estimate(estimate)}; single pairs `
        + `are between ${Numbers.change(all[0])} and ${Numbers.change(all.at(-1))}.`,
      x: {
        axis: new Axis([0, Math.max(1, count - 1)]), label: Numbers.trimmed,
        name: "pair, in time order; a line at each launch",
      },
      y: { axis: axis.padded(0.06), label: Numbers.changeTick },
    });
    if (Numbers.isKnown(estimate.lower) && Numbers.isKnown(estimate.upper)) {
      const [top, bottom] = [frame.y(estimate.upper), frame.y(estimate.lower)];
      frame.rectangle(frame.left, top, frame.right - frame.left, bottom - top, { class: "band" });
    }
    frame.line(frame.left, frame.y(1), frame.right, frame.y(1), "zero");
    // More dots merge at the width of a chart.
    const step = Math.ceil(count / 700);
    const dots = ["", ""];
    let borders = "";
    let place = 0;
    for (const { ratios, candidateRanFirst } of launches) {
      if (place > 0) borders += `${move(frame.x(place - 0.5), frame.top)}V${frame.bottom}`;
      ratios.forEach((ratio, index) => {
        if (place % step === 0 && Numbers.isKnown(ratio)) {
          dots[candidateRanFirst?.[index] ? 1 : 0] += dot(frame.x(place), frame.y(ratio));
        }
        place += 1;
      });
    }
    frame.path(borders, "grid");
    dots.forEach((d, colour) => frame.path(d, `dot s${colour}`));
    const change = frame.y(estimate.ratio);
    frame.line(frame.left, change, frame.right, change, "median-line");
    return frame.svg;
  }

  /**
   * Viridis, whose lightness increases evenly, so that colour-blind people can read it.
   *
   * Twelve of its colours at equal distances (Smith and van der Walt, matplotlib 2.0, public domain).
   */
  const viridis = [
    "#440154", "#482173", "#433e85", "#38588c", "#2d708e", "#25858e", "#1e9b8a", "#2ab07f", "#52c569",
    "#86d549", "#c2df23", "#fde725",
  ];
  const colour = (share) =>
    viridis[Math.min(viridis.length - 1, Math.floor(share * viridis.length))];

  /** Draws the colours of a scale with values. */
  function scale(axis) {
    const summary =
      `From ${Numbers.duration(axis.low)} to ${Numbers.duration(axis.high)}, logarithmic.`;
    const drawing = new Drawing(chartWidth, 34, "Colour scale", summary);
    const [left, width] = [12, chartWidth - 24];
    viridis.forEach((fill, index) => {
      const cell = width / viridis.length;
      drawing.rectangle(left + cell * index, 2, cell + 0.4, 12, { fill });
    });
    const x = (value) => left + width * axis.share(value);
    drawing.ticks(axis.ticks(5), Numbers.durationTick, x, 14, 18, "axis");
    return drawing.svg;
  }

  /**
   * Draws for each cell of a picture the median of the peeks that overlap it.
   *
   * A peek is `{ left, top, right, bottom, time }` in shares of the picture.
   */
  function heat(peeks, aspect, axis, title) {
    // About three peeks per cell, so that most cells have one.
    const cells = Math.min(16 * 12, Math.max(1, Math.floor(peeks.length / 3)));
    const columns =
      Math.max(1, Math.round(Math.sqrt(cells * Math.min(Math.max(aspect, 0.25), 4))));
    const lines = Math.max(1, Math.round(cells / columns));
    const index = (share, count) => Math.min(count - 1, Math.max(0, Math.floor(share * count)));
    const samples = new Map();
    for (const { left, top, right, bottom, time } of peeks) {
      const lastRow = Math.max(index(top, lines), index(bottom - 1e-9, lines));
      const lastColumn = Math.max(index(left, columns), index(right - 1e-9, columns));
      for (let row = index(top, lines); row <= lastRow; row += 1) {
        for (let column = index(left, columns); column <= lastColumn; column += 1) {
          const cell = row * columns + column;
          if (!samples.has(cell)) samples.set(cell, []);
          samples.get(cell).push(time);
        }
      }
    }
    const medians = [...samples].map(([cell, times]) => ({ cell, time: Numbers.median(times) }))
      .sort((one, other) => one.time - other.time);
    const place = ({ cell, time }) => `${Numbers.duration(time)} in column ${cell % columns + 1}, row `
      + `${Math.floor(cell / columns) + 1}`;
    const summary = medians.length === 0 ? "No peek." : `${medians.length} of ${columns} x ${lines} `
      + `cells have peeks. Fastest: ${place(medians[0])}; slowest: ${place(medians.at(-1))}.`;
    // Clamped, because a panorama or a tower would become a line.
    const [width, height] = [150, Math.min(Math.max(150 / aspect, 60), 170)];
    const drawing = new Drawing(width, height, title, summary, "map");
    drawing.rectangle(0, 0, width, height, { class: "map-ground" });
    for (const { cell, time } of medians) {
      const [x, y] = [width * (cell % columns) / columns, height * Math.floor(cell / columns) / lines];
      // Slightly larger than the cell, to avoid visible seams.
      drawing.rectangle(
        x, y, width / columns + 0.2, height / lines + 0.2, { fill: colour(axis.share(time)) });
    }
    // The outline is needed because the darkest cells look like the background of a dark page.
    drawing.rectangle(0.5, 0.5, width - 1, height - 1, { class: "map-outline" });
    return drawing.svg;
  }

  /**
   * Draws values over runs with their intervals and levels.
   *
   * A point is `{ value, lower, upper, commit }`; a level is the index of its first point and of the first
   * after it.
   */
  function history(points, levels, title) {
    const medians = levels.map(([start, end]) =>
      Numbers.median(points.slice(start, end).map(({ value }) => value)));
    const summary = `${points.length} runs; levels: ` + levels.map(([start, end], index) =>
      `${Numbers.significant(medians[index])} over ${end - start} runs`).join(", then ") + ".";
    const values = points.flatMap(({ value, lower, upper }) => [value, lower, upper]);
    const frame = new Frame({
      title, summary,
      x: {
        axis: new Axis([-0.5, points.length - 0.5]), label: (value) => Numbers.trimmed(value + 1),
        name: "run",
      },
      y: { axis: new Axis(values).padded(0.08), label: Numbers.trimmed },
    });
    const drawn = points.map((point, index) => ({ ...point, x: frame.x(index) }))
      .filter(({ value }) => Numbers.isKnown(value));
    frame.path(drawn.filter(({ lower, upper }) => Numbers.isKnown(lower) && Numbers.isKnown(upper))
      .map(({ x, lower, upper }) => `${move(x, frame.y(lower))}V${round(frame.y(upper))}`)
      .join(""), "line thin s0");
    levels.forEach(([start, end], index) => {
      const [left, y] = [frame.x(start - 0.5), frame.y(medians[index])];
      frame.line(left, y, frame.x(end - 0.5), y, "level");
      if (index > 0) {
        frame.line(left, frame.top, left, frame.bottom, "step");
        const isRight = left > frame.right - 70;
        frame.text(
          fitted(points[start].commit, 64), left + (isRight ? -4 : 4), frame.top + 10,
          isRight ? "end" : "start", "label");
      }
    });
    frame.path(drawn.map(({ x, value }) => dot(x, frame.y(value))).join(""), "dot mid s0");
    return frame.svg;
  }

  /**
   * Draws median times against picture sizes, flat if the cost depends only on the region shown.
   *
   * A curve is `{ name, colour, points: [{ pixels, time }] }`.
   */
  function size(curves, title) {
    const sorted = curves.map((curve) => ({
      ...curve, points: [...curve.points].sort((one, other) => one.pixels - other.pixels),
    }));
    const points = sorted.flatMap((curve) => curve.points);
    const summary = sorted.map(({ name, points: own }) =>
      `${name}: ${Numbers.duration(own[0].time)} on the smallest picture, `
      + `${Numbers.duration(own.at(-1).time)} on the largest.`).join(" ");
    const frame = new Frame({
      title, summary, height: 190,
      x: {
        axis: new Axis(points.map(({ pixels }) => pixels), true).padded(0.05),
        label: (value) => `${Numbers.trimmed(value / 1e6)} Mpx`,
        name: "size of the picture (both log scale)",
      },
      y: {
        axis: new Axis(points.map(({ time }) => time), true).padded(0.05),
        label: Numbers.durationTick,
      },
    });
    for (const { colour: number, points: own } of sorted) {
      const places = own.map(({ pixels, time }) => [frame.x(pixels), frame.y(time)]);
      const line = places.map(([x, y], index) => `${index ? "L" : "M"}${round(x)} ${round(y)}`);
      frame.path(line.join(""), `line dashed s${number}`);
      frame.path(places.map(([x, y]) => dot(x, y)).join(""), `dot big s${number}`);
    }
    return frame.svg;
  }

  return { ecdf, forest, gains, heat, history, pairs, scale, size };
})();
