"use strict";

/** The view of laws tried on subjects. */
function lawsView(result) {
  const laws = result.rows.filter(({ law }) => law);
  const remarkable = laws.filter(({ law, verdict }) =>
    verdict.word !== "held" || law.breaches.length > 0);
  const rank = ({ verdict }) => ["failed", "undecided", "passed"].indexOf(verdict.standing);
  const sorted = remarkable.sort((one, other) => rank(one) - rank(other));
  const subjects = [...Map.groupBy(laws, ({ law }) => law.subject)].map(([name, own]) => ({
    name, own, broken: own.filter(({ verdict }) => verdict.word === "broken").length,
  }));
  return [
    sorted.length === 0 && el("p", {}, "Nothing is broken."),
    shortList(sorted, 20, (some) => some.map(lawArticle)),
    table("Subjects", [
      words("Subject", ({ name }) => name), number("Laws", ({ own }) => own.length),
      number("Broken", ({ broken }) => broken),
    ], subjects),
    table("All laws", [
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
  shortList(law.breaches, 3, (some) => some.map((breach) => breachPart(law, breach))));

function breachPart(law, breach) {
  const facts = [
    breach.stage && `step: ${breach.stage}`, breach.cause && `cause: ${breach.cause}`,
    breach.foundAfter && `first seen after ${Numbers.count(breach.foundAfter, "request")}`,
  ].filter(Boolean).join("; ");
  const address = new URLSearchParams({ law: law.law, subject: law.subject });
  if (breach.token) address.set("replay", breach.token);
  const isDrawn = breach.picture?.startsWith("data:image/png;base64,");
  return el("div", {},
    el("pre", {}, breach.input), el("p", {}, readable(breach.complaint)),
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

/** The view of `index` and `inspect`. */
function collectionView(result) {
  const share = (pixels, all) => all > 0 ? Math.min(1, pixels / all) : undefined;
  const kindShare = (title, name) => number(title, (kind) =>
    kind.measured < kind.pictures ? undefined : share(kind[name], kind.pixels), Numbers.percent);
  const fact = (title, name, format) => number(title, ({ file }) => file?.[name], format);
  const fileShare = (title, name) => number(title, ({ file }) =>
    file?.[name] === undefined ? undefined : share(file[name], file.width * file.height),
  Numbers.percent);
  return [
    findings(result.rows.filter(({ verdict }) => verdict.standing !== "passed")),
    table("Kinds of pictures", [
      words("Kind", ({ kind }) => kind), number("Pictures", ({ pictures }) => pictures),
      words("Source", ({ source }) => source), number("Bytes", ({ bytes }) => bytes, Numbers.bytes),
      kindShare("First peek", "firstPeeks"), kindShare("Later peeks", "laterPeeks"),
      number("Gain by index", ({ indexable }) => indexable),
    ], result.kinds ?? [], "First peek, later peeks: the share of a picture's pixels that a peek of "
      + "375 x 375 in its middle processes. Gain by index: the pictures whose first peek an index would "
      + "make as cheap as later ones."),
    remarks(result),
    table("All files", [
      words("File", ({ name }) => name), fact("Width", "width"), fact("Height", "height"),
      words("Kind", ({ file }) => file?.kind), words("Source", ({ file }) => file?.source),
      fact("Bytes", "bytes", Numbers.bytes), fileShare("First peek", "firstPeek"),
      fileShare("Later peeks", "laterPeek"), fact("Points", "points"), verdictColumn,
      words("Index", ({ file }) => file?.where),
    ], result.rows),
  ];
}
