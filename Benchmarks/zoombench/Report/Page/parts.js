"use strict";

// Parts of the views of results.

const list = (lines, style = "") => lines.length > 0
  && el("ul", { class: style }, lines.map((line) => el("li", {}, line)));

const openers = new WeakMap();

/** Creates a part that is drawn when it is opened, so that large results are shown without delay. */
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
  for (let closed; (closed = document.querySelector("details:not([open])"));) {
    openers.get(closed)?.();
    closed.open = true;
  }
});

const narrow = matchMedia("(max-width: 700px)");

const figure = (title, detail, chart, ...caption) => el(
  "figure", {}, el("h4", {}, title, " ", el("small", {}, detail)), chart,
  caption.length > 0 && el("figcaption", {}, caption));

/** Creates a figure whose chart is drawn again when the width of the screen changes its layout. */
function adaptingFigure(title, detail, draw, ...caption) {
  const place = el("div", {}, draw(narrow.matches));
  narrow.addEventListener("change", () => place.replaceChildren(draw(narrow.matches)));
  return figure(title, detail, place, ...caption);
}

const legend = (keys) => el("div", { class: "legend" }, keys.map(({ name, colour, note }) =>
  el("span", { class: `key s${colour}` }, name, note && el("small", {}, ` ${note}`))));

function series(name, colour, nanoseconds) {
  // A clock that did not advance gives zero, whose logarithm is undefined.
  const times = nanoseconds.map((one) => Math.max(one, 1));
  return { name, colour, times, samples: Numbers.sorted(times) };
}

const ecdfFigure = (shown, name, detail) => figure(
  "ECDF", detail, ecdfChart(shown, `ECDF of ${name}`),
  legend(shown.map(({ name: key, colour, samples }) => ({
    name: key, colour, note: `p50 ${Numbers.duration(Numbers.median(samples))}, n ${samples.length}`,
  }))));

const order = new Intl.Collator("en", { numeric: true });

/**
 * Creates a table that its headings sort, without empty columns; it is open if it is short.
 *
 * A column is `{ title, cell, key, isLeft }`; the first names its rows.
 */
const table = (title, columns, rows, caption) => rows.length > 0 && details(
  `${title} (${Numbers.grouped(rows.length)})`, () => [
    caption && el("p", { class: "soft" }, caption),
    el("div", { class: "scroll" }, sortable(columns, rows)),
  ], rows.length <= (narrow.matches ? 10 : 40));

function sortable(columns, rows) {
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
    const sorted = [...body.rows].sort(shown[index].key
      ? (one, other) => key(one) - key(other)
      : (one, other) => order.compare(key(one), key(other)));
    body.append(...(descends ? sorted.reverse() : sorted));
  }
  return el("table", { class: "sortable" }, el("thead", {}, el("tr", {}, heads)), body);
}

const pair = (ratio) => ratio && [
  `${Numbers.significant(ratio.ratio)} `,
  Numbers.hasInterval(ratio) && el(
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

/** Rounds numbers of more than six decimals; the result file has all digits. */
const readable = (text) => text?.replace(/-?\d+\.\d{7,}(?![\de])/g, (number) =>
  String(Number(Number(number).toFixed(6))));

const good = ["agrees", "alike", "faster", "held", "indexed", "current", "readable"];
const tones = { failed: "bad", undecided: "doubt", unmeasured: "doubt" };
const tone = ({ word, standing }) => tones[standing] ?? (good.includes(word) ? "good" : "calm");

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
    && el("small", {}, readable(verdict.reason)),
]);

/** Returns the first items as a list, and the others in details. */
const shortList = (items, few, draw = list) => [
  draw(items.slice(0, few)),
  items.length > few && details(`${items.length - few} more`, () => draw(items.slice(few))),
];

/** Returns the failed rows with their reasons. */
const findings = (rows) => shortList(
  rows.map(({ name, verdict }) => {
    // An error names its file, which may be the row.
    const reason = readable(verdict.reason ?? verdict.word);
    const start = `${name}: `;
    return [
      el("strong", {}, name),
      `: ${reason.startsWith(start) ? reason.slice(start.length) : reason}`];
  }),
  narrow.matches ? 2 : 5);

/** Creates the conclusion in words, which every section begins with. */
function banner({ conclusion = {}, rows, partial, contamination }) {
  const tally = Object.entries(conclusion.tally ?? {});
  const verdict = (word) => rows.find((row) => row.verdict.word === word)?.verdict ?? { word };
  const { title, explanation } = conclusion;
  // "Broken: 2 of 9 laws" needs no "2 of 9 laws are broken".
  const isSaid = explanation?.startsWith(title.slice(title.indexOf(": ") + 2));
  return el(
    "div", { class: `banner ${tone(conclusion)}` }, el("strong", {}, title),
    partial && el("p", {}, `Partial: ${partial}.`),
    explanation && !isSaid && el("p", {}, `${explanation}.`),
    (contamination ?? []).slice(1).map((reason) => el("p", {}, `Also: ${reason}.`)),
    tally.length > 1 && el("ul", { class: "tally" }, tally.map(([word, count]) =>
      el("li", {}, badge(verdict(word), count)))));
}

function remarks({ notes = [], leftOut = [] }) {
  const lines = [...notes, ...leftOut.map((line) => `Not tried: ${line}`)];
  return lines.length > 0 && details(
    `Remarks (${lines.length})`, () => list(lines), lines.length <= 5);
}
