"use strict";

/**
 * Shows results: first the answer, then a chart, the table, the details of each case, and the machine.
 *
 * Details are drawn when they are opened, so that a result of many pictures is shown at once.
 */
(() => {
  /** Creates an element; strings become text, never markup. */
  function el(tag, attributes, ...children) {
    const one = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) one.setAttribute(name, value);
    one.append(...children.flat(Infinity).filter((child) => child || child === 0));
    return one;
  }

  const list = (lines, style = "") => lines.length > 0
    && el("ul", { class: style }, lines.map((line) => el("li", {}, line)));

  /** Groups items by a key, in the order of first occurrence. */
  function grouped(items, key) {
    const groups = new Map();
    for (const item of items) {
      const name = key(item);
      if (!groups.has(name)) groups.set(name, []);
      groups.get(name).push(item);
    }
    return groups;
  }

  const unique = (items) => [...new Set(items)];

  const openers = new Map();

  /** Creates a part that is drawn when it is opened. */
  function details(summary, content, isOpen = false) {
    const one = el("details", {}, el("summary", {}, summary));
    openers.set(one, () => {
      openers.delete(one);
      one.append(...[content()].flat(Infinity).filter(Boolean));
    });
    one.addEventListener("toggle", () => one.open && openers.get(one)?.());
    if (isOpen) {
      openers.get(one)();
      one.open = true;
    }
    return one;
  }

  window.addEventListener("beforeprint", () => {
    // Details may contain others.
    while (openers.size > 0) {
      const [one, open] = openers.entries().next().value;
      open();
      one.open = true;
    }
  });

  const narrow = matchMedia("(max-width: 700px)");

  function figure(title, detail, chart, ...caption) {
    return el(
      "figure", {}, el("h4", {}, title, " ", el("small", {}, detail)), chart,
      caption.length > 0 && el("figcaption", {}, caption));
  }

  /** Creates a figure whose chart is drawn again when the width of the screen changes its layout. */
  function adaptingFigure(title, detail, draw, ...caption) {
    const place = el("div", {}, draw(narrow.matches));
    narrow.addEventListener("change", () => place.replaceChildren(draw(narrow.matches)));
    return figure(title, detail, place, ...caption);
  }

  const legend = (keys) => el("div", { class: "legend" }, keys.map(({ name, colour, note }) =>
    el("span", { class: `key s${colour}` }, name, note && el("small", {}, ` ${note}`))));

  const order = new Intl.Collator("en", { numeric: true });

  /**
   * Creates a table whose head sorts it, without the columns that have no cell.
   *
   * A column is `{ title, cell, key, isLeft }`; the first names its rows.
   */
  function table(columns, rows, caption) {
    const shown = columns.filter(({ cell }) => rows.some((row) => cell(row)));
    const body = el("tbody", {}, rows.map((row) => el("tr", {}, shown.map((column, index) => {
      const attributes = { "data-label": column.title };
      if (column.isLeft) attributes.class = "left";
      const key = column.key?.(row);
      if (column.key) attributes["data-sort"] = Numbers.isKnown(key) ? key : -1;
      if (index === 0) attributes.scope = "row";
      return el(
        index === 0 ? "th" : "td", attributes, el("span", {}, column.cell(row) || Numbers.nothing));
    }))));
    const heads = shown.map((column, index) => {
      const button = el("button", { type: "button" }, column.title);
      button.addEventListener("click", () => sort(index));
      return el("th", { scope: "col", class: column.isLeft ? "left" : "" }, button);
    });
    function sort(index) {
      const descends = heads[index].getAttribute("aria-sort") === "ascending";
      heads.forEach((head) => head.removeAttribute("aria-sort"));
      heads[index].setAttribute("aria-sort", descends ? "descending" : "ascending");
      const key = ({ cells }) => cells[index].dataset.sort ?? cells[index].textContent;
      const compare = shown[index].key
        ? (one, other) => key(one) - key(other)
        : (one, other) => order.compare(key(one), key(other));
      const sorted = [...body.rows].sort(compare);
      body.append(...(descends ? sorted.reverse() : sorted));
    }
    return [
      caption && el("p", { class: "soft" }, caption),
      el("div", { class: "scroll" }, el(
        "table", { class: "sortable" }, el("thead", {}, el("tr", {}, heads)), body)),
    ];
  }

  /** Creates a table that is open if it is short. */
  const tableDetails = (title, columns, rows, caption) => details(
    `${title} (${Numbers.grouped(rows.length)})`, () => table(columns, rows, caption),
    rows.length <= (narrow.matches ? 10 : 40));

  const pair = (ratio) => ratio && [
    `${Numbers.significant(ratio.ratio)} `,
    Numbers.isKnown(ratio.lower) && el(
      "small", {}, `[${Numbers.significant(ratio.lower)}, ${Numbers.significant(ratio.upper)}]`),
  ];
  const changed = (ratio) => ratio && [
    `${Numbers.change(ratio.ratio)} `, el("small", {}, Numbers.interval(ratio)),
  ];

  const words = (title, cell) => ({ title, isLeft: true, cell });
  const number = (title, key, format = Numbers.grouped) => ({
    title, key, cell: (row) => Numbers.isKnown(key(row)) && format(key(row)),
  });
  /** Returns a column of a number, or of a ratio, in the figures of rows. */
  const figureColumn = (title, name, format) => number(title, ({ figures }) => figures[name], format);
  const ratioColumn = (title, name, format) => ({
    title, key: ({ figures }) => figures[name]?.ratio, cell: ({ figures }) => format(figures[name]),
  });

  const good = ["agrees", "alike", "faster", "held", "indexed", "current", "readable"];
  const tones = { failed: "bad", undecided: "doubt", unmeasured: "doubt" };
  const tone = ({ word, standing }) =>
    tones[standing] ?? (good.includes(word) ? "good" : "calm");

  /** Creates a verdict with a sign, for readers who do not see the colour. */
  function badge(verdict, count) {
    const { word = "no verdict", standing } = verdict;
    const sign = { slower: "▲", faster: "▼", same: "=" }[word]
      ?? { failed: "✗", passed: "✓" }[standing] ?? "?";
    return el("span", { class: `badge ${tone(verdict)}` }, `${sign} ${word}`, count && ` ${count}`);
  }

  const verdictColumn = words("Verdict", ({ verdict }) => [
    badge(verdict), " ",
    // The change of a slower case is another column, and the banner has the cause of contamination.
    verdict.reason && !["slower", "contaminated"].includes(verdict.word)
      && el("small", {}, verdict.reason),
  ]);

  /** Returns the failed rows with their reasons, at most a few before the rest. */
  function findings(rows) {
    const lines = rows.map(({ name, verdict }) =>
      [el("strong", {}, name), `: ${verdict.reason ?? verdict.word}`]);
    const few = narrow.matches ? 2 : 5;
    return [
      list(lines.slice(0, few)),
      lines.length > few && details(`${lines.length - few} more`, () => list(lines.slice(few))),
    ];
  }

  /** Creates the conclusion in words, which every section begins with. */
  function banner({ conclusion = {}, rows, partial, contamination }) {
    const tally = Object.entries(conclusion.tally ?? {});
    const verdict = (word) => rows.find((row) => row.verdict.word === word)?.verdict ?? { word };
    return el(
      "div", { class: `banner ${tone(conclusion)}` }, el("strong", {}, conclusion.title),
      partial && el("p", {}, `Partial: ${partial}.`),
      conclusion.explanation && el("p", {}, `${conclusion.explanation}.`),
      (contamination ?? []).slice(1).map((reason) => el("p", {}, `Also: ${reason}.`)),
      tally.length > 1 && el("ul", { class: "tally" }, tally.map(([word, count]) =>
        el("li", {}, badge(verdict(word), count)))));
  }

  /* Benchmarks */

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

  const series = (name, colour, samples) => ({
    // A clock that did not advance gives zero, whose logarithm is undefined.
    name, colour, samples: Numbers.sorted(samples.map((one) => Math.max(one, 1))),
  });

  const ecdfFigure = (shown, name, detail) => figure(
    "ECDF", detail, Charts.ecdf(shown, `ECDF of ${name}`),
    legend(shown.map(({ name: key, colour, samples }) => ({
      name: key, colour, note: `p50 ${Numbers.duration(Numbers.median(samples))}, n ${samples.length}`,
    }))));

  function pictureDetails(result, picture) {
    const own = result.rows.filter((row) => row.picture === picture.name && row.group);
    const colour = (name) => Math.max(0, result.contenders.findIndex((one) => one.name === name)) % 9;
    const measured = own.filter(({ bench: answers, wall }) => answers && wall.flat().length > 0);
    const axis =
      new Charts.Axis(measured.flatMap(({ wall }) => wall.flat().map((one) => Math.max(one, 1))), true);
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

  /* Comparisons */

  const clockOf = ({ comparison }) => comparison?.decidingClock ?? "cpu";
  const changeOf = (row) => row.figures[`${clockOf(row)}Change`];

  function compare(result) {
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
      const counts = grouped(rows, ({ verdict }) => verdict.word);
      const summary = [...counts].map(([word, own]) => `${own.length} ${word}`).join(", ");
      return shown.length > 0 && adaptingFigure(
        title, "estimates with their intervals", (isNarrow) => Charts.forest(
          shown, { margin, same: sameMargin }, { title, summary: `${summary}.`, isNarrow }),
        `Inner grey: up to ${Numbers.percent(margin)}, never called slower or faster. Outer grey: a `
        + `change within ${Numbers.percent(sameMargin)} is called the same.`);
    };
    const urgent = (row) => ["failed", "undecided"].includes(row.verdict.standing);
    return [
      overall && el("p", {}, `Over all cases the geometric mean changed by ${Numbers.estimate({
        ratio: overall.ratio, ...overall.interval })}.`),
      findings(gated.filter(({ verdict }) => verdict.standing === "failed")),
      forest(gated, "Change of each case"),
      tableDetails("Cases", compareColumns, gated,
        "Medians are of the first measurement, in CPU time unless the program waits. The change of a "
        + "case that was measured again is of the second. Detectable: the least change that this many "
        + "pairs find nine times in ten."),
      checks.length > 0 && [
        tableDetails("Checks of the run itself", compareColumns, checks,
          "Cases with a known result; they show whether the run can be trusted."),
        forest(checks, "Change of each check"),
      ],
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
  function counters({ counters: candidate, baseCounters: base = {}, unsteady = [] }) {
    const names = Object.keys(base).filter((name) =>
      name in candidate && base[name] !== candidate[name] && !unsteady.includes(name));
    const lines = names.slice(0, 6).map((name) =>
      `${name} ${Numbers.grouped(base[name])} → ${Numbers.grouped(candidate[name])}`);
    return [...lines, names.length > 6 ? `and ${names.length - 6} more` : ""].filter(Boolean).join("; ");
  }

  const onClock = (title, names) =>
    number(title, (row) => row.figures[names[clockOf(row)]], Numbers.duration);
  const compareColumns = [
    words("Case", ({ name }) => name),
    { title: "Change", key: (row) => changeOf(row)?.ratio, cell: (row) => changed(changeOf(row)) },
    onClock("Base", { cpu: "baseCPUP50", wall: "baseP50" }),
    onClock("Candidate", { cpu: "cpuP50", wall: "p50" }),
    ratioColumn("Wall time", "wallChange", changed), ratioColumn("p95", "p95Change", changed),
    ratioColumn("p99", "p99Change", changed), verdictColumn,
    number("Pairs", (row) => changeOf(row)?.pairs),
    figureColumn("Detectable", "detectable", (value) => Numbers.changeTick(1 + value)),
    words("Counters", counters),
  ];

  function caseDetails(row) {
    const { comparison } = row;
    const { launches, confirmation = [], confirmed } = comparison;
    const clock = clockOf(row);
    const wall = (arm) => launches.flatMap((launch) =>
      launch[arm].wallNanoseconds.map((time) => time / Math.max(1, launch.repeats)));
    const pairs = (some, estimate, title) => {
      const ratios = [...some].sort((one, other) => one.startNanoseconds - other.startNanoseconds)
        .map((launch) => ({
          candidateRanFirst: launch.candidateRanFirst,
          ratios: launch.candidate[`${clock}Nanoseconds`].map((time, index) =>
            time > 0 ? time / launch.base[`${clock}Nanoseconds`][index] : NaN),
        }));
      const known = { ratio: estimate.ratio, ...estimate.interval };
      return ratios.some((launch) => launch.ratios.some(Numbers.isKnown)) && figure(
        title, `candidate over base, ${clock === "cpu" ? "CPU" : "wall"} time`,
        Charts.pairs(ratios, known, `${title} of ${row.name}`),
        legend([{ name: "base ran first", colour: 0 }, { name: "candidate ran first", colour: 1 }]));
    };
    const warmUp = launches.reduce((sum, launch) => sum + launch.warmUpPairs, 0);
    const first = comparison[clock];
    const facts = [
      `${Numbers.count(first.pairs, "pair")} from ${Numbers.count(first.launches, "launch", "launches")}`,
      `each sample ${unique(launches.map(({ repeats }) => repeats)).join(" or ")} × the work`,
      `${Numbers.count(warmUp, "pair")} of warm-up dropped`,
      `robust spread of a pair ${Numbers.percent(first.spread)}`,
      confirmed && `first measurement ${Numbers.change(first.ratio)}, second `
        + Numbers.change(confirmed.ratio),
    ].filter(Boolean).join("; ");
    const shown = [series("base", 0, wall("base")), series("candidate", 1, wall("candidate"))]
      .filter(({ samples }) => samples.length > 0);
    return [
      el("p", { class: "soft" }, `${facts}.`),
      el("div", { class: "charts" },
        shown.length > 0 && ecdfFigure(shown, row.name, "the share of peeks within a time"),
        pairs(launches, first, "Pairs in time order"),
        confirmed && pairs(confirmation, confirmed, "Confirmation")),
    ];
  }

  /* Laws */

  function verify(result) {
    const laws = result.rows.filter(({ law }) => law);
    const remarkable = laws.filter(({ law, verdict }) =>
      verdict.word !== "held" || law.breaches.length > 0);
    const rank = ({ verdict }) => ["failed", "undecided", "passed"].indexOf(verdict.standing);
    const sorted = [...remarkable].sort((one, other) => rank(one) - rank(other));
    const subjects = [...grouped(laws, ({ law }) => law.subject)].map(([name, own]) => ({
      name, own, broken: own.filter(({ verdict }) => verdict.word === "broken").length,
    }));
    return [
      sorted.length === 0 && el("p", {}, "Nothing is broken."),
      sorted.slice(0, 20).map(lawArticle),
      sorted.length > 20 && details(
        `${sorted.length - 20} more`, () => sorted.slice(20).map(lawArticle)),
      tableDetails("Subjects", [
        words("Subject", ({ name }) => name), number("Laws", ({ own }) => own.length),
        number("Broken", ({ broken }) => broken),
      ], subjects),
      tableDetails("All laws", [
        words("Law", ({ law }) => law.law), words("Subject", ({ law }) => law.subject),
        figureColumn("Cases", "cases"), figureColumn("Seconds", "seconds", Numbers.significant),
        verdictColumn, words("Statement", ({ law }) => law.statement),
      ], laws),
      remarks(result),
    ];
  }

  const lawArticle = ({ law, verdict }) => el("article", {},
    el("h3", {}, `${law.law} `, el("small", {}, `${law.subject} `), badge(verdict)),
    el("p", {}, `${law.statement} `, el("span", { class: "soft" }, law.source)),
    law.reason && el("p", {}, law.reason),
    law.breaches.slice(0, 3).map((breach) => breachPart(law, breach)),
    law.breaches.length > 3 && details(
      Numbers.count(law.breaches.length - 3, "more input"),
      () => law.breaches.slice(3).map((breach) => breachPart(law, breach))));

  function breachPart(law, breach) {
    const facts = [
      breach.isNew && "new", breach.stage && `step: ${breach.stage}`,
      breach.cause && `cause: ${breach.cause}`,
      breach.foundAfter && `first seen after ${Numbers.count(breach.foundAfter, "request")}`,
    ].filter(Boolean).join("; ");
    const address = new URLSearchParams({ law: law.law, subject: law.subject });
    if (breach.token) address.set("replay", breach.token);
    const isDrawn = breach.picture?.startsWith("data:image/png;base64,");
    return el("div", {},
      el("pre", {}, breach.input), el("p", {}, breach.complaint),
      facts && el("p", { class: "soft" }, facts),
      isDrawn && el("figure", {},
        el("img", { alt: "expected, got, difference", src: breach.picture }),
        el("figcaption", {}, "Expected, got, and the answer with its differences in magenta.")),
      el("p", { class: "soft" }, "Again: ", el("code", {}, breach.replay),
        breach.play && [
          el("br", {}), "Step by step: ", el("code", {}, breach.play), ", or, while it runs, ",
          el("a", { href: `http://127.0.0.1:8765/#${address}` }, "on its page"),
        ]));
  }

  /* Collections of pictures */

  function collection(result) {
    const share = (pixels, all) => all > 0 ? Math.min(1, pixels / all) : undefined;
    const kindShare = (title, name) => number(title, (kind) =>
      kind.measured < kind.pictures ? undefined : share(kind[name], kind.pixels), Numbers.percent);
    const fact = (title, name, format) => number(title, ({ file }) => file?.[name], format);
    const fileShare = (title, name) => number(title, ({ file }) =>
      file?.[name] === undefined ? undefined : share(file[name], file.width * file.height),
    Numbers.percent);
    const kinds = result.kinds ?? [];
    return [
      findings(result.rows.filter(({ verdict }) => verdict.standing !== "passed")),
      kinds.length > 0 && tableDetails("Kinds of pictures", [
        words("Kind", ({ kind }) => kind), number("Pictures", ({ pictures }) => pictures),
        words("Source", ({ source }) => source), number("Bytes", ({ bytes }) => bytes, Numbers.bytes),
        kindShare("First peek", "firstPeeks"), kindShare("Later peeks", "laterPeeks"),
        number("Gain by index", ({ indexable }) => indexable),
      ], kinds, "First peek, later peeks: the share of the pixels that must be decoded for 375 x 375 in "
        + "each picture's middle. Gain by index: pictures whose first peek an index makes as cheap as "
        + "later ones."),
      remarks(result),
      tableDetails("All files", [
        words("File", ({ name }) => name), fact("Width", "width"), fact("Height", "height"),
        words("Kind", ({ file }) => file?.kind), words("Source", ({ file }) => file?.source),
        fact("Bytes", "bytes", Numbers.bytes), fileShare("First peek", "firstPeek"),
        fileShare("Later peeks", "laterPeek"), fact("Points", "points"), verdictColumn,
        words("Index", ({ file }) => file?.where),
      ], result.rows),
    ];
  }

  /* Parts of every page */

  function remarks({ notes = [], leftOut = [] }) {
    const lines = [...notes, ...leftOut.map((line) => `Not tried: ${line}`)];
    return lines.length > 0 && details(
      `Remarks (${lines.length})`, () => list(lines), lines.length <= 5);
  }

  function environment(result) {
    const { machine = {}, ...software } = result.environment ?? {};
    const builds = result.contenders.filter(({ kind }) => kind === "build").map((build, index) => [
      ["Base", "Candidate"][index] ?? build.name,
      [build.name, build.commit && `commit ${build.commit}`, build.isDirty && "with changes", build.tool]
        .filter(Boolean).join(", "),
    ]);
    const facts = [
      ...builds, ["Command", (result.command ?? []).join(" ")], ["Tool", result.tool],
      ["Started", result.startedAt],
      ["Took", Numbers.isKnown(result.seconds) && `${Numbers.trimmed(result.seconds)} s`],
      ["Seed", Number.isSafeInteger(result.seed) && `${result.seed}`],
      ["Processor", machine.cpuModel], ["Logical cores", machine.logicalCores],
      ["Memory", machine.memoryBytes && Numbers.bytes(machine.memoryBytes)],
      ["System", machine.operatingSystem], ["Kernel", machine.kernel],
      ["Architecture", machine.architecture], ["Virtual machine", machine.isVirtualised && "yes"],
      ["Load", machine.loadAverages?.map(Numbers.trimmed).join(", ")],
      ["Swift", machine.swiftVersion], ["Build", machine.buildConfiguration],
      ["libvips", software.libvips], ["libvips threads", software.libvipsThreads],
      ["Cost of a timer", software.timerOverheadNanoseconds
        && Numbers.duration(software.timerOverheadNanoseconds)],
      ["Machines", software.machines?.join(", ")],
    ].filter(([, fact]) => fact);
    return details("Environment", () => el("dl", {}, facts.map(([name, fact]) =>
      [el("dt", {}, name), el("dd", {}, `${fact}`)])));
  }

  const historySection = (all) => el("section", { id: "history" }, el("h2", {}, "History"),
    el("p", { class: "soft" }, "A dot is a run, with its interval; a level is the median between two "
      + "steps; a step names the first commit of its level."),
    el("div", { class: "charts" }, all.map(({ name, measure, points, levels, older }) => {
      const title = `CPU time over ${measure.endsWith("Baseline") ? "the baseline" : "the control"}`;
      const ends = [points[0], points.at(-1)].map(({ commit, date }) => `${commit} (${date})`);
      return figure(
        name, measure.startsWith("wall") ? title.replace("CPU", "Wall") : title,
        Charts.history(points, levels, `History of ${name}`),
        `${Numbers.count(points.length, "run")}, ${ends.join(" to ")}`,
        older > 0 && `; ${Numbers.count(older, "older run")} not drawn`);
    })));

  const views = { bench, compare, verify, index: collection, inspect: collection };

  const titles = {
    bench: ({ pictures }) => `Benchmark of ${Numbers.count(pictures.length, "picture")}`,
    compare: ({ contenders: [base, candidate] }) => `${candidate.name} against ${base.name}`,
    verify: ({ rows }) => `${Numbers.count(rows.length, "law")} tried`,
  };

  function section({ name, result }, id, heading) {
    const view = views[result.kind];
    if (!view) throw new Error(`no view of ${result.kind}`);
    const title = titles[result.kind]?.(result) ?? `zoombench ${result.kind}`;
    return el("section", { id }, el(heading, {}, title, " ", el("small", {}, name)),
      banner(result), view(result), environment(result));
  }

  /** Shows a page's data: the answer of each file first if there are several. */
  function show({ files, history = [] }) {
    openers.clear();
    const isOne = files.length + (history.length > 0 ? 1 : 0) === 1;
    const sections = files.map((file, index) => {
      try {
        return section(file, `part-${index + 1}`, isOne ? "h1" : "h2");
      } catch (error) {
        return el("p", { class: "banner bad" }, `${file.name} cannot be shown: ${error.message}`);
      }
    });
    const answers = files.map(({ name, result }, index) => [
      badge(result.conclusion ?? {}), " ",
      el("a", { href: `#part-${index + 1}` }, result.conclusion?.title ?? name), " ",
      el("small", {}, name),
    ]);
    if (history.length > 0) {
      answers.push([el("a", { href: "#history" }, "History"), ` of ${history.length} series`]);
    }
    document.getElementById("page").replaceChildren(...[
      !isOne && el("h1", {}, "zoombench report"), !isOne && list(answers, "answers"), ...sections,
      history.length > 0 && historySection(history),
    ].filter(Boolean));
    const [first] = files;
    if (first) document.title = `${first.result.conclusion?.title ?? first.name} · zoombench`;
  }

  /** Returns the data of a page, or of a result in a page of its own. */
  function parsed(text, name) {
    const value = JSON.parse(text);
    if (value?.schema === "zoombench.result/1") return { files: [{ name, result: value }] };
    if (value && value.schema !== "zoombench.page/1") throw new Error("it has another schema");
    return value;
  }

  const text = document.getElementById("data").textContent;
  const data = parsed(text, "");
  if (data) {
    show(data);
    const address = URL.createObjectURL(new Blob([text], { type: "application/json" }));
    document.getElementById("raw").append(
      ...(data.leftOut ?? []).map((line) => `${line} `),
      el("a", { id: "download", href: address, download: "zoombench-report.json" },
        "Download the data of this page"), ". This file loads nothing.");
  }
  document.getElementById("files").addEventListener("change", async ({ target }) => {
    try {
      const parts = await Promise.all(
        [...target.files].map(async (file) => parsed(await file.text(), file.name)));
      show({ files: parts.flatMap(({ files }) => files) });
    } catch (error) {
      document.getElementById("page").replaceChildren(
        el("p", { class: "banner bad" }, `The file is not a result of zoombench: ${error.message}`));
    }
  });
})();
