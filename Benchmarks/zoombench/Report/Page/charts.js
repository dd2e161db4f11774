"use strict";

/**
 * Draws the share of samples up to each time; it uses no bins.
 *
 * A series is `{ name, colour, samples }` with ascending nanoseconds.
 */
function ecdfChart(series, title) {
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
 * narrow, otherwise beside them.
 */
function estimateChart(rows, { title, summary, axis, label, bands = [], sides, isNarrow }) {
  const [width, height] = isNarrow ? [chartWidth, 48] : [1080, 24];
  const [left, right] = isNarrow ? [12, chartWidth - 12] : [300, 870];
  const top = 22;
  const bottom = top + height * rows.length;
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
  rows.forEach((row, index) => {
    const middle = top + height * index + (isNarrow ? 38 : 12);
    if (isNarrow) {
      drawing.text(fitted(row.name, width - 24), 12, middle - 24, "start", "label");
      drawing.text(fitted(row.text, width - 24), 12, middle - 11, "start", "tick");
    } else {
      drawing.text(fitted(row.name, left - 16), left - 10, middle + 4, "end", "label");
      drawing.text(fitted(row.text, width - right - 14), right + 12, middle + 4, "start", "label");
    }
    drawing.path((row.dots ?? []).map((one) => dot(x(one), middle)).join(""), `dot mid ${row.tone}`);
    if (Numbers.hasInterval(row)) {
      // An end beyond the axis is drawn without a cap.
      const caps = [row.lower, row.upper].filter((end) => end >= axis.low && end <= axis.high);
      drawing.path(
        `${move(x(row.lower), middle)}H${round(x(row.upper))}`
        + caps.map((end) => `${move(x(end), middle - 4)}v8`).join(""), `interval ${row.tone}`);
    }
    drawing.path(dot(x(row.ratio), middle), `estimate ${row.tone}`);
  });
  return drawing.svg;
}

/** Draws changes with their intervals between the margins of the decision. */
function changesChart(rows, margins, options) {
  const same = 1 + margins.same;
  const usable = [...rows.map(({ ratio }) => ratio), 1 / same, same]
    .filter((one) => Numbers.isKnown(one) && one > 0);
  const [low, high] = [Math.min(...usable), Math.max(...usable)];
  // An interval is clipped if it extends to more than twice the range of the estimates.
  const ends = rows.flatMap(({ lower, upper }) => [lower, upper])
    .filter((end) => end >= 1 - 2 * (1 - low) && end <= 1 + 2 * (high - 1));
  const bands = [[margins.same, "margin-same"], [margins.margin, "margin-slower"]]
    .filter(([margin]) => margin >= 0)
    .map(([margin, style]) => [1 / (1 + margin), 1 + margin, style]);
  return estimateChart(rows, {
    axis: new Axis([...usable, ...ends]).padded(0.03), label: Numbers.changeTick, bands,
    sides: ["faster", "slower"], ...options,
  });
}

/** Draws how many times faster than naive each contender is: a dot for each picture, and the range. */
function gainsChart(rows, options) {
  const values = rows.flatMap(({ dots, ratio }) => [...dots, ratio]);
  return estimateChart(rows, {
    axis: new Axis([...values, 1], true).padded(0.03), label: (value) => `${Numbers.trimmed(value)}×`,
    sides: ["slower than naive", "faster"], ...options,
  });
}

/**
 * Draws the ratio of each pair over time, which shows drift, outliers and effects of the order.
 *
 * A launch is `{ ratios, candidateRanFirst }`.
 */
function pairsChart(launches, estimate, title) {
  const pairs = launches.flatMap(({ ratios, candidateRanFirst }) => ratios.map((ratio, index) =>
    ({ ratio, isFirst: index === 0, colour: candidateRanFirst?.[index] ? 1 : 0 })));
  const all = Numbers.sorted(pairs.map(({ ratio }) => ratio));
  // The axis has the middle 96 % of the ratios; other ratios are drawn at the edge.
  const ends = [Numbers.quantile(all, 0.02), Numbers.quantile(all, 0.98)];
  const axis = new Axis([...ends, 1, estimate.ratio, estimate.lower, estimate.upper]);
  const frame = new Frame({
    title,
    summary: `${pairs.length} pairs; the estimated change is ${Numbers.estimate(estimate)}; single `
      + `pairs are between ${Numbers.change(all[0])} and ${Numbers.change(all.at(-1))}.`,
    x: {
      axis: new Axis([0, Math.max(1, pairs.length - 1)]), label: Numbers.trimmed,
      name: "pair, in time order; a line at each launch",
    },
    y: { axis: axis.padded(0.06), label: Numbers.changeTick },
  });
  const { left, right, top, bottom } = frame;
  if (Numbers.hasInterval(estimate)) {
    const [upper, lower] = [frame.y(estimate.upper), frame.y(estimate.lower)];
    frame.rectangle(left, upper, right - left, lower - upper, { class: "band" });
  }
  frame.line(left, frame.y(1), right, frame.y(1), "zero");
  // More dots merge at the width of a chart.
  const step = Math.ceil(pairs.length / 700);
  const dots = ["", ""];
  let borders = "";
  pairs.forEach(({ ratio, isFirst, colour }, index) => {
    if (isFirst && index > 0) borders += `${move(frame.x(index - 0.5), top)}V${bottom}`;
    if (index % step === 0 && Numbers.isKnown(ratio)) {
      dots[colour] += dot(frame.x(index), frame.y(ratio));
    }
  });
  frame.path(borders, "grid");
  dots.forEach((d, colour) => frame.path(d, `dot s${colour}`));
  frame.line(left, frame.y(estimate.ratio), right, frame.y(estimate.ratio), "median-line");
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

/** Draws the colours of a scale with values. */
function colourScale(axis) {
  const summary =
    `From ${Numbers.duration(axis.low)} to ${Numbers.duration(axis.high)}, logarithmic.`;
  const drawing = new Drawing(chartWidth, 34, "Colour scale", summary);
  const [left, width] = [12, chartWidth - 24];
  const cell = width / viridis.length;
  viridis.forEach((fill, index) =>
    drawing.rectangle(left + cell * index, 2, cell + 0.4, 12, { fill }));
  const x = (value) => left + width * axis.share(value);
  drawing.ticks(axis.ticks(5), Numbers.durationTick, x, 14, 18, "axis");
  return drawing.svg;
}

/**
 * Draws for each cell of a picture the median of the peeks that overlap it.
 *
 * A peek is `{ left, top, right, bottom, time }` in shares of the picture.
 */
function heatMap(peeks, aspect, axis, title) {
  // About three peeks per cell, so that most cells have one.
  const cells = Math.min(16 * 12, Math.max(1, Math.floor(peeks.length / 3)));
  const columns = Math.max(1, Math.round(Math.sqrt(cells * Math.min(Math.max(aspect, 0.25), 4))));
  const lines = Math.max(1, Math.round(cells / columns));
  // The indices of the cells between two shares of a side.
  const covered = (start, end, count) => {
    const index = (share) => Math.min(count - 1, Math.max(0, Math.floor(share * count)));
    const first = index(start);
    return Array.from(
      { length: Math.max(first, index(end - 1e-9)) - first + 1 }, (_, offset) => first + offset);
  };
  const samples = Map.groupBy(
    peeks.flatMap(({ left, top, right, bottom, time }) =>
      covered(top, bottom, lines).flatMap((row) => covered(left, right, columns).map((column) =>
        ({ cell: row * columns + column, time })))),
    ({ cell }) => cell);
  const medians = [...samples]
    .map(([cell, own]) => ({ cell, time: Numbers.median(own.map(({ time }) => time)) }))
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
    const colour = Math.min(viridis.length - 1, Math.floor(axis.share(time) * viridis.length));
    // Slightly larger than the cell, to avoid visible seams.
    drawing.rectangle(
      x, y, width / columns + 0.2, height / lines + 0.2, { fill: viridis[colour] });
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
function historyChart(points, levels, title) {
  const medians = levels.map(([start, end]) =>
    Numbers.median(points.slice(start, end).map(({ value }) => value)));
  const summary = `${points.length} runs; levels: ` + levels.map(([start, end], index) =>
    `${Numbers.significant(medians[index])} over ${end - start} runs`).join(", then ") + ".";
  const values = points.flatMap(({ value, lower, upper }) => [value, lower, upper]);
  const frame = new Frame({
    title, summary,
    x: {
      axis: new Axis([-0.5, points.length - 0.5]), label: (value) => Numbers.trimmed(value + 1),
      name: "run", isWhole: true,
    },
    y: { axis: new Axis(values).padded(0.08), label: Numbers.trimmed },
  });
  const drawn = points.map((point, index) => ({ ...point, x: frame.x(index) }))
    .filter(({ value }) => Numbers.isKnown(value));
  frame.path(drawn.filter(Numbers.hasInterval).map(({ x, lower, upper }) =>
    `${move(x, frame.y(lower))}V${round(frame.y(upper))}`).join(""), "line thin s0");
  levels.forEach(([start, end], index) => {
    const [left, y] = [frame.x(start - 0.5), frame.y(medians[index])];
    frame.line(left, y, frame.x(end - 0.5), y, "level");
    if (index === 0) return;
    frame.line(left, frame.top, left, frame.bottom, "step");
    const isRight = left > frame.right - 70;
    frame.text(
      fitted(points[start].commit, 64), left + (isRight ? -4 : 4), frame.top + 10,
      isRight ? "end" : "start", "label");
  });
  frame.path(drawn.map(({ x, value }) => dot(x, frame.y(value))).join(""), "dot mid s0");
  return frame.svg;
}
