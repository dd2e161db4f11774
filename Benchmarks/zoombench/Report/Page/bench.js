"use strict";

/** The view of a benchmark. */
const benchView = (() => {
  const {
    adaptingFigure, details, ecdfFigure, el, figure, figureColumn, findings, grouped, legend,
    list, narrow, pair, ratioColumn, remarks, series, tableDetails, unique, verdictColumn,
    words,
  } = Parts;

  /** The contenders of a benchmark whose speed is an answer, with the index of their colours. */
  const contenders = ({ contenders: all }) => all
    .map(({ name, kind }, index) => ({ name, kind, colour: index % 9 }))
    .filter(({ name, kind }) => name !== "naive" && !["floor", "nothing"].includes(kind));

  /** Returns each picture's median gain of a contender. */
  function gainsByPicture(rows, contender) {
    const own = rows.filter((row) => row.contender === contender && row.figures.gain);
    return [...grouped(own, ({ picture }) => picture).values()]
      .map((same) => Numbers.median(same.map(({ figures }) => figures.gain.ratio)));
  }

  const range = (values) => {
    const sorted = Numbers.sorted(values);
    return { ratio: Numbers.median(sorted), lower: sorted[0], upper: sorted.at(-1) };
  };
  const rangeText = ({ ratio: gain, lower, upper }, pictures) => {
    const ends = pictures > 1 ? `${Numbers.significant(lower)} to ${Numbers.significant(upper)}, ` : "";
    return `${Numbers.significant(gain)}× (${ends}${Numbers.count(pictures, "picture")})`;
  };

  function bench(result) {
    const rows = result.rows.filter(({ bench: answers }) => answers);
    const failed = result.rows.filter(({ verdict }) =>
      ["failed", "unmeasured"].includes(verdict.standing));
    const summary = result.summary ?? [];
    const answers = summary.filter(({ best, gain }) => best && gain)
      .sort((one, other) => other.pictures - one.pictures)
      .map(({ format, contender, gain, pictures }) => [
        `${format}: `, el("strong", {}, contender), ` ${rangeText(gain, pictures)}`,
      ]);
    const outliers = summary.flatMap(({ standsOut }) => standsOut);
    const condition = ({ group }) => result.groups[group]?.state ?? "";
    const gains = contenders(result).flatMap(({ name, colour }) =>
      [...grouped(rows.filter(({ contender }) => contender === name), condition)].map(
        ([state, own]) => {
          const dots = gainsByPicture(own, name);
          const all = range(dots);
          return { name: `${name}, ${state}`, text: rangeText(all, dots.length), dots, ...all,
            tone: `s${colour}` };
        })).filter(({ dots }) => dots.length > 0)
      .sort((one, other) => other.ratio - one.ratio);
    return [
      answers.length > 0 && el("h3", {}, "Fastest, against a full decode"),
      list(answers.slice(0, 6), "answers"),
      answers.length > 6 && details(
        Numbers.count(answers.length - 6, "more format"), () => list(answers.slice(6), "answers")),
      findings(failed),
      outliers.length > 0 && details(
        `${Numbers.count(outliers.length, "picture")} unlike the others`, () => list(outliers)),
      gains.length > 0 && adaptingFigure(
        "Gain over naive", "a dot is a picture, the large one the median; log scale",
        (isNarrow) => Charts.gains(gains, {
          title: "Gain over naive", isNarrow,
          summary: gains.map(({ name, text }) => `${name}: ${text}.`).join(" "),
        })),
      tableDetails("All measurements", benchColumns(result), rows,
        "Gain: how many times faster than naive, pair by pair, with a 98 % interval. × floor: time over "
        + "that of libjpeg-turbo alone on a ready JPEG of the region. px / px, bytes / px: pixels decoded "
        + "and bytes read for each pixel shown."),
      sizes(result, rows),
      el("h3", {}, "Each picture"),
      result.pictures.map((picture) => details(
        [`${picture.name} `, el("small", {}, (picture.facts ?? []).join(", "))],
        () => pictureDetails(result, picture),
        result.pictures.length === 1 && !narrow.matches)),
      remarks(result),
    ];
  }

  function peekName({ groups }, { group }) {
    const { peek = {}, state = "" } = groups[group] ?? {};
    return `${Numbers.trimmed(peek.side)} pt @${Numbers.trimmed(peek.scale)}, ${state}`;
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
    const colour = (name) => Math.max(0, result.contenders.findIndex((one) => one.name === name)) % 9;
    const measured = own.filter(({ bench: answers, wall }) => answers && wall.flat().length > 0);
    const axis =
      new Drawings.Axis(measured.flatMap(({ wall }) => wall.flat().map((one) => Math.max(one, 1))), true);
    const charts = [...grouped(measured, ({ group }) => group)].flatMap(([group, rows]) => {
      const detail = peekName(result, rows[0]);
      const name = `${picture.name}, ${detail}`;
      const regions = result.groups[group]?.regions ?? [];
      const maps = rows.map((row) => {
        const peeks = regions.map(([x, y, width, height], index) => ({
          left: x / picture.width, right: (x + width) / picture.width, top: y / picture.height,
          bottom: (y + height) / picture.height, time: Math.max(row.wall.flat()[index], 1),
        })).filter(({ time }) => Numbers.isKnown(time));
        const title = `Latency by position: ${row.contender}, ${name}`;
        return el("figure", {}, Charts.heat(peeks, picture.width / picture.height, axis, title),
          el("figcaption", {}, row.contender));
      });
      const shown = rows.map((row) => series(row.contender, colour(row.contender), row.wall.flat()));
      return [
        ecdfFigure(shown, name, detail),
        figure("Latency by position", detail, el("div", { class: "maps" }, maps)),
      ];
    });
    const lines = own.flatMap(({ contender, bench: answers, verdict }) => [
      verdict.reason && `${contender}: ${verdict.reason}`,
      answers?.method && `${contender} reads it by ${answers.method}`,
      answers?.alike?.firstDifference && `${contender} differs: ${answers.alike.firstDifference}`,
    ]).filter(Boolean);
    const refusals = Object.keys(result.groups).filter((name) => own.some((row) => row.group === name))
      .flatMap((name) => result.groups[name].refusals ?? [])
      .map(({ source, contender, reason }) => `${contender ?? source} cannot read it: ${reason}`);
    return [
      list(unique([...lines, ...refusals])),
      charts.length > 0 && figure(
        "Colours of the maps", "wall time, log scale", Charts.scale(axis),
        "A cell has the median of the peeks that showed a part of it; a grey one has none."),
      el("div", { class: "charts" }, charts),
    ];
  }

  /** Returns charts of time against picture size, one for each kind of peek. */
  function sizes(result, rows) {
    const pixels = new Map(result.pictures.map(({ name, width, height }) => [name, width * height]));
    if (new Set(pixels.values()).size < 2) return [];
    return details("Latency against picture size", () => el("div", { class: "charts" },
      [...grouped(rows, (row) => peekName(result, row))].map(([name, own]) => {
        const curves = result.contenders.map(({ name: contender }, index) => ({
          name: contender, colour: index % 9,
          points: own.filter((row) => row.contender === contender && row.figures.p50 > 0)
            .map(({ picture, figures }) => ({ pixels: pixels.get(picture), time: figures.p50 })),
        })).filter(({ points }) => points.length > 0);
        return curves.length > 0 && figure(
          name, "median wall time", Charts.size(curves, `Latency against picture size, ${name}`),
          legend(curves));
      })));
  }

  return bench;
})();
