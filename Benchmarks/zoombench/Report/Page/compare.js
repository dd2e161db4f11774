"use strict";

const clockOf = ({ comparison }) => comparison?.clock ?? "cpu";
const changeOf = (row) => row.figures[`${clockOf(row)}Change`];

/** The view of a comparison of two builds. */
function compareView(result) {
  const gated = result.rows.filter(({ role }) => role === "gated");
  const checks = result.rows.filter(({ role }) => role !== "gated");
  const { margin = 0, sameMargin = 0, errorRate } = result.settings?.gate ?? {};
  const { overall } = result;
  const forest = (rows, title) => {
    // At most about two screens of rows; the table has the rest.
    const shown = rows.filter(changeOf)
      .sort((one, other) => changeOf(other).ratio - changeOf(one).ratio).slice(0, 80)
      .map((row) => ({ name: row.name, text: Numbers.estimate(changeOf(row)), ...changeOf(row),
        tone: tone(row.verdict) }));
    const counts = Map.groupBy(rows, ({ verdict }) => verdict.word);
    const summary = [...counts].map(([word, own]) => `${own.length} ${word}`).join(", ");
    return shown.length > 0 && adaptingFigure(
      title, "estimates with their intervals", (isNarrow) => changesChart(
        shown, { margin, same: sameMargin }, { title, summary: `${summary}.`, isNarrow }),
      `Inner grey: up to ${Numbers.percent(margin)}, never called slower or faster. Outer grey: a `
      + `change within ${Numbers.percent(sameMargin)} is called the same.`);
  };
  const urgent = (row) => ["failed", "undecided"].includes(row.verdict.standing);
  return [
    overall && el("p", {}, `Over all cases the geometric mean changed by ${Numbers.change(overall)}.`),
    findings(gated.filter(({ verdict }) => verdict.standing === "failed")),
    forest(gated, "Change of each case"),
    table("Cases", compareColumns, gated,
      "Medians are of the first measurement, in CPU time unless the program waits. The change of a "
      + "case that was measured again is of the second. Detectable: the least change that this many "
      + "pairs find nine times in ten."),
    table("Checks of the run itself", compareColumns, checks,
      "Cases with a known result; they show whether the run can be trusted."),
    forest(checks, "Change of each check"),
    el("h3", {}, "Each case"),
    [...gated.filter(urgent), ...gated.filter((row) => !urgent(row)), ...checks]
      .filter(({ comparison }) => comparison?.launches?.length > 0)
      .map((row) => details([`${row.name} `, badge(row.verdict)], () => caseDetails(row))),
    remarks(result),
    el("p", { class: "soft" }, `Changes up to ${Numbers.percent(margin)} are never called slower or `
      + "faster. A case whose true change equals the margin is called slower with a chance of at most "
      + `${Numbers.percent(errorRate)}. Slower and faster cases must be confirmed by new processes.`,
      result.settings?.claim && ` Verdicts are about this: ${result.settings.claim}.`),
  ];
}

/** Returns the steady counters that differ between the builds, at most six. */
function counters({ comparison }) {
  const { base = {}, candidate = {}, unsteady = [] } = comparison?.counters ?? {};
  const names = Object.keys(base).filter((name) =>
    name in candidate && base[name] !== candidate[name] && !unsteady.includes(name));
  const lines = names.slice(0, 6).map((name) =>
    `${name} ${Numbers.grouped(base[name])} → ${Numbers.grouped(candidate[name])}`);
  return [...lines, names.length > 6 && `and ${names.length - 6} more`].filter(Boolean).join("; ");
}

const onClock = (title, names) =>
  number(title, (row) => row.figures[names[clockOf(row)]], Numbers.duration);
const compareColumns = [
  words("Case", ({ name }) => name), verdictColumn,
  { title: "Change", key: (row) => changeOf(row)?.ratio, cell: (row) => changed(changeOf(row)) },
  onClock("Base", { cpu: "baseCPUP50", wall: "baseP50" }),
  onClock("Candidate", { cpu: "cpuP50", wall: "p50" }),
  number("Pairs", (row) => changeOf(row)?.pairs),
  figureColumn("Detectable", "detectable", (value) => Numbers.changeTick(1 + value)),
  words("Counters", counters), ratioColumn("Wall time", "wallChange", changed),
  ratioColumn("p95", "p95Change", changed), ratioColumn("p99", "p99Change", changed),
];

function caseDetails(row) {
  const { launches, confirmation = [], confirmed, [clockOf(row)]: first } = row.comparison;
  const column = `${clockOf(row)}Nanoseconds`;
  const curve = (arm, colour) => series(arm, colour, launches.flatMap((launch) =>
    launch[arm].wallNanoseconds.map((time) => time / Math.max(1, launch.repeats))));
  const pairs = (some, estimate, title) => {
    const ordered = [...some].sort((one, other) => one.startNanoseconds - other.startNanoseconds)
      .map(({ base, candidate, candidateRanFirst }) => ({
        candidateRanFirst,
        ratios: candidate[column].map((time, index) => time > 0 ? time / base[column][index] : NaN),
      }));
    return ordered.some(({ ratios }) => ratios.some(Numbers.isKnown)) && figure(
      title, `candidate over base, ${clockOf(row) === "cpu" ? "CPU" : "wall"} time`,
      pairsChart(
        ordered, { ratio: estimate.ratio, ...estimate.interval }, `${title} of ${row.name}`),
      legend([{ name: "base ran first", colour: 0 }, { name: "candidate ran first", colour: 1 }]));
  };
  const facts = [
    `${Numbers.count(first.pairs, "pair")} from ${Numbers.count(first.launches, "launch", "launches")}`,
    `each sample ${[...new Set(launches.map(({ repeats }) => repeats))].join(" or ")} × the work`,
    `${Numbers.count(launches.reduce((sum, { warmUpPairs }) => sum + warmUpPairs, 0), "pair")}`
      + " of warm-up dropped",
    `robust spread of a pair ${Numbers.percent(first.spread)}`,
    confirmed && `first measurement ${Numbers.change(first.ratio)}, second `
      + Numbers.change(confirmed.ratio),
  ].filter(Boolean).join("; ");
  const shown = [curve("base", 0), curve("candidate", 1)].filter(({ samples }) => samples.length > 0);
  return [
    el("p", { class: "soft" }, `${facts}.`),
    el("div", { class: "charts" },
      shown.length > 0 && ecdfFigure(shown, row.name, "the share of peeks within a time"),
      pairs(launches, first, "Pairs in time order"),
      confirmed && pairs(confirmation, confirmed, "Confirmation")),
  ];
}
