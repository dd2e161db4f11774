"use strict";

/** Draws lines over logarithmic axes; a series is `{ name, colour, points }`, and a point is `[x, y]`. */
function linesChart(series, { title, x, y }) {
  const all = series.flatMap(({ points }) => points);
  const text = (point) => point && `${y.label(point[1])} at ${x.label(point[0])}`;
  const axis = (index) => new Axis(all.map((point) => point[index]), true).padded(0.05);
  const frame = new Frame({
    title,
    summary: series.map(({ name, points }) =>
      `${name}: from ${text(points[0])} to ${text(points.at(-1))}.`).join(" "),
    x: { axis: axis(0), ...x }, y: { axis: axis(1), ...y },
  });
  for (const { colour, points } of series) {
    const places = points.map((point) => [frame.x(point[0]), frame.y(point[1])]);
    frame.path(`M${places.map((place) => place.map(round).join(" ")).join("L")}`, `line s${colour}`);
    frame.path(places.map((place) => dot(...place)).join(""), `dot mid s${colour}`);
  }
  return frame.svg;
}

const loadColumns = [
  words("Subject", ({ subject }) => subject), words("Step", ({ purpose }) => purpose),
  number("Views/s", ({ rate }) => rate, Numbers.trimmed), number("Viewers", ({ viewers }) => viewers),
  number("Full/s", ({ full, seconds }) => full / seconds, Numbers.trimmed),
  ...["p50", "p95", "p99"].map((name) =>
    number(name, ({ views }) => views[name] * 1e6, Numbers.duration)),
  number("Request p95", ({ requests }) => requests.p95 * 1e6, Numbers.duration),
  number("Wrong", ({ checks }) => Object.values(checks.faults).reduce((sum, one) => sum + one, 0)),
  words("Bound", ({ verdict }) => verdict),
];

/** The view of a load. */
function loadView(result) {
  // The figures of a late generator would be taken for the subject's.
  const refused = { full: undefined, views: {}, requests: {} };
  const loads = result.rows.flatMap(({ load }, index) => load ? [{ ...load, colour: index % 9, steps: load.steps.map(
    (step) => ({ ...step, subject: load.subject, ...(step.verdict === "late" && refused) })) }] : []);
  const steps = loads.flatMap((load) => load.steps);
  const pace = steps.some(({ rate }) => rate) ? "wanted views per second" : "viewers";
  const overLoad = (name, colour, load, value) => ({
    name, colour, points: load.steps.map((step) => [step.rate ?? step.viewers, value(step)])
      .filter(([, one]) => one > 0).sort(([one], [other]) => one - other),
  });
  const chart = (title, detail, all, x, y) => {
    const series = all.filter(({ points }) => points.length > 1);
    return series.length > 0
      && figure(title, detail, linesChart(series, { title, x, y }), legend(series));
  };
  const [loadAxis, time] = [
    { label: Numbers.trimmed, name: `${pace} (log scale)` }, { label: Numbers.durationTick }];
  return [
    list(loads.flatMap(({ subject, lines }) => lines.map((line) => `${subject}: ${line}`)), "answers"),
    el("div", { class: "charts" },
      chart("Latency by percentile", "time to full view in the last step that holds the bound",
        loads.map((load) => ({ name: load.subject, colour: load.colour,
          points: (load.steps.findLast(({ verdict }) => verdict === "holds")?.curve ?? [])
            .map(({ fraction, milliseconds }) => [1 / (1 - fraction), milliseconds * 1e6]) })),
        { label: (value) => Numbers.percent(1 - 1 / value), name: "percentile (log scale)" }, time),
      chart("Throughput", "views that become full per second",
        loads.map((load) => overLoad(load.subject, load.colour, load,
          ({ full, seconds }) => full / seconds)), loadAxis, { label: Numbers.trimmed }),
      loads.map((load) => chart("Time to full view", load.subject,
        ["p50", "p95", "p99"].map((name, index) => overLoad(name, index, load,
          ({ views }) => views[name] * 1e6)), loadAxis, time))),
    table("Steps", loadColumns, steps, "Figures of steps whose generator was late are refused."),
  ];
}
