"use strict";

/** The contenders of a benchmark with the numbers of their colours. */
const coloured = ({ contenders }) => contenders
  .map(({ name, kind }, index) => ({ name, kind, colour: index % 9 }));

const rangeText = ({ ratio, lower, upper }, pictures) => {
  const ends = pictures > 1 ? `${Numbers.significant(lower)} to ${Numbers.significant(upper)}, ` : "";
  return `${Numbers.significant(ratio)}× (${ends}${Numbers.count(pictures, "picture")})`;
};

/** Returns the gains of the contenders, except for references, in each state, the greatest first. */
function gainRows(result, rows) {
  const state = ({ group }) => result.groups[group]?.state ?? "";
  const rivals = coloured(result)
    .filter(({ name, kind }) => name !== "naive" && !["floor", "nothing", "viewer"].includes(kind));
  return rivals.flatMap(({ name, colour }) => {
    const own = rows.filter(({ contender, figures }) => contender === name && figures.gain);
    return [...Map.groupBy(own, state)].map(([condition, some]) => {
      // A picture's median over its peeks.
      const pictures = [...Map.groupBy(some, ({ picture }) => picture).values()];
      const dots = Numbers.sorted(pictures.map((same) =>
        Numbers.median(same.map(({ figures }) => figures.gain.ratio))));
      const range = { ratio: Numbers.median(dots), lower: dots[0], upper: dots.at(-1) };
      return { name: `${name}, ${condition}`, text: rangeText(range, dots.length), dots, ...range,
        tone: `s${colour}` };
    });
  }).sort((one, other) => other.ratio - one.ratio);
}

/** The view of a benchmark. */
function benchView(result) {
  const rows = result.rows.filter(({ bench }) => bench);
  const failed = result.rows.filter(({ verdict }) =>
    ["failed", "unmeasured"].includes(verdict.standing));
  const summary = result.summary ?? [];
  const answers = summary.filter(({ best, gain }) => best && gain)
    .sort((one, other) => other.pictures - one.pictures)
    .map(({ format, contender, gain, pictures }) => [
      `${format}: `, el("strong", {}, contender), ` ${rangeText(gain, pictures)}`,
    ]);
  const outliers = summary.flatMap(({ standsOut }) => standsOut);
  const gains = gainRows(result, rows);
  return [
    answers.length > 0 && el("h3", {}, "Fastest, against a full decode"),
    shortList(answers, 6, (some) => list(some, "answers")),
    findings(failed),
    outliers.length > 0 && details(
      `${Numbers.count(outliers.length, "picture")} unlike the others`, () => list(outliers)),
    gains.length > 0 && adaptingFigure(
      "Gain over naive", "a dot is a picture, the large one the median; log scale",
      (isNarrow) => gainsChart(gains, {
        title: "Gain over naive", isNarrow,
        summary: gains.map(({ name, text }) => `${name}: ${text}.`).join(" "),
      })),
    table("All measurements", benchColumns(result), rows,
      "Gain: how many times faster than naive, pair by pair, with a 98 % interval. × floor: time over "
      + "that of the decoder alone on a ready small file of the region. px / px, bytes / px: pixels "
      + "decoded and bytes read for each pixel shown."),
    el("h3", {}, "Each picture"),
    result.pictures.map((picture) => details(
      [`${picture.name} `, el("small", {}, (picture.facts ?? []).join(", "))],
      () => pictureDetails(result, picture), result.pictures.length === 1 && !narrow.matches)),
    remarks(result),
  ];
}

function peekName({ groups }, { group }) {
  const { peek = {}, state = "", script } = groups[group] ?? {};
  return script ?? `${Numbers.trimmed(peek.side)} pt @${Numbers.trimmed(peek.scale)}, ${state}`;
}

const benchColumns = (result) => [
  words("Picture", ({ picture, name }) => picture ?? name),
  words("Source", ({ contender }) => contender), words("Peek", (row) => peekName(result, row)),
  ratioColumn("Gain", "gain", pair), figureColumn("p50", "p50", Numbers.duration),
  figureColumn("p95", "p95", Numbers.duration), figureColumn("p99", "p99", Numbers.duration),
  ratioColumn("× floor", "timesFloor", pair),
  figureColumn("px / px", "pixelsPerPixel", Numbers.significant),
  figureColumn("bytes / px", "bytesPerPixel", Numbers.significant),
  figureColumn("Memory", "memory", Numbers.bytes), verdictColumn,
];

function pictureDetails(result, picture) {
  const own = result.rows.filter((row) => row.picture === picture.name && row.group);
  const colours = new Map(coloured(result).map(({ name, colour }) => [name, colour]));
  const measured = own.filter(({ bench, wall }) => bench && wall.flat().length > 0)
    .map(({ contender, group, wall }) =>
      ({ ...series(contender, colours.get(contender) ?? 0, wall.flat()), group }));
  const axis = new Axis(measured.flatMap(({ samples }) => samples), true);
  const charts = [...Map.groupBy(measured, ({ group }) => group)].flatMap(([group, shown]) => {
    const detail = peekName(result, { group });
    const name = `${picture.name}, ${detail}`;
    // A script shows all of the picture.
    const { script, regions = [] } = result.groups[group] ?? {};
    const maps = shown.map(({ name: contender, times }) => {
      const peeks = regions.map(([x, y, width, height], index) => ({
        left: x / picture.width, right: (x + width) / picture.width, top: y / picture.height,
        bottom: (y + height) / picture.height, time: times[index],
      })).filter(({ time }) => Numbers.isKnown(time));
      const title = `Latency by position: ${contender}, ${name}`;
      return el("figure", {}, heatMap(peeks, picture.width / picture.height, axis, title),
        el("figcaption", {}, contender));
    });
    return [
      ecdfFigure(shown, name, detail),
      !script && figure("Latency by position", detail, el("div", { class: "maps" }, maps)),
    ];
  });
  const lines = own.flatMap(({ contender, bench, verdict, group }) => [
    verdict.reason && `${contender}: ${verdict.reason}`,
    bench?.method && `${contender} reads it by ${bench.method}`,
    bench?.alike?.firstDifference && `${contender} differs: ${bench.alike.firstDifference}`,
    ...(result.groups[group]?.refusals ?? []).map(({ source, reason }) =>
      `${source} cannot read it: ${reason}`),
  ]).filter(Boolean);
  return [
    list([...new Set(lines)]),
    charts.length > 0 && figure(
      "Colours of the maps", "wall time, log scale", colourScale(axis),
      "A cell has the median of the peeks that showed a part of it; a grey one has none."),
    el("div", { class: "charts" }, charts),
  ];
}
