"use strict";

/** The view of laws tried on subjects. */
const lawsView = (() => {
  const {
    badge, details, el, figureColumn, grouped, number, remarks, tableDetails, verdictColumn,
    words,
  } = Parts;

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
      breach.stage && `step: ${breach.stage}`, breach.cause && `cause: ${breach.cause}`,
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

  return verify;
})();
