"use strict";

// Shows results: first the answer, then a chart, the table, the details of each case, and the machine.

function environment(result) {
  const { machine = {}, ...software } = result.environment ?? {};
  const builds = result.contenders.filter(({ kind }) => kind === "build").map((build, index) => [
    ["Base", "Candidate"][index] ?? build.name,
    [
      build.name, build.commit && `commit ${build.commit}`, build.isDirty && "with changes",
      // The worker of a program names the program, too.
      build.tool?.replace(` with ${build.name}`, ""),
    ].filter(Boolean).join(", "),
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
    ["Machines", software.machines?.join(", ")],
  ].filter(([, fact]) => fact);
  return details("Environment", () => el("dl", {}, facts.map(([name, fact]) =>
    [el("dt", {}, name), el("dd", {}, `${fact}`)])));
}

const historySection = (all) => el("section", { id: "history" }, el("h2", {}, "History"),
  el("p", { class: "soft" }, "A dot is a run, with its interval; a level is the median between two "
    + "steps; a step names the first commit of its level."),
  el("div", { class: "charts" }, all.map(({ name, measure, points, levels, older }) => {
    const clock = measure.startsWith("wall") ? "Wall" : "CPU";
    const other = measure.endsWith("Baseline") ? "the baseline" : "the control";
    const ends = [points[0], points.at(-1)].map(({ commit, date }) => `${commit} (${date})`);
    return figure(
      name, `${clock} time over ${other}`, historyChart(points, levels, `History of ${name}`),
      `${Numbers.count(points.length, "run")}, ${ends.join(" to ")}`,
      older > 0 && `; ${Numbers.count(older, "older run")} not drawn`);
  })));

const views = {
  bench: benchView, compare: compareView, verify: lawsView, index: collectionView,
  inspect: collectionView, load: loadView,
};

const titles = {
  bench: ({ pictures }) => `Benchmark of ${Numbers.count(pictures.length, "picture")}`,
  compare: ({ contenders: [base, candidate] }) => `${candidate.name} against ${base.name}`,
  verify: ({ rows }) => `${Numbers.count(rows.length, "law")} tried`,
  load: ({ rows }) => `Load of ${rows.map(({ name }) => name).join(", ")}`,
};

function section({ name, result }, id, heading) {
  const view = views[result.kind];
  if (!view) throw new Error(`no view of ${result.kind}`);
  const title = titles[result.kind]?.(result) ?? `zoombench ${result.kind}`;
  return el("section", { id }, el(heading, {}, title, " ", el("small", {}, name)),
    banner(result), view(result), environment(result));
}

const page = document.getElementById("page");
const failure = (text) => el("p", { class: "banner bad" }, text);

/** Shows a page's data; of several files, it shows a list of all answers first. */
function show({ files, history = [] }) {
  const isOne = files.length + (history.length > 0 ? 1 : 0) === 1;
  const sections = files.map((file, index) => {
    try {
      return section(file, `part-${index + 1}`, isOne ? "h1" : "h2");
    } catch (error) {
      return failure(`${file.name} cannot be shown: ${error.message}`);
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
  page.replaceChildren(...[
    !isOne && el("h1", {}, "zoombench report"), !isOne && list(answers, "answers"), ...sections,
    history.length > 0 && historySection(history),
  ].filter(Boolean));
  const [first] = files;
  if (first) document.title = `${first.result.conclusion?.title ?? first.name} · zoombench`;
}

/** Parses the data of a page, or a result, which becomes the data of a page. */
function parsed(text, name) {
  const value = JSON.parse(text);
  if (value?.schema === "zoombench.result/1") return { files: [{ name, result: value }] };
  if (value && value.schema !== "zoombench.page/1") throw new Error("it has another schema");
  return value;
}

const embedded = document.getElementById("data").textContent;
const pageData = parsed(embedded, "");
if (pageData) {
  show(pageData);
  const address = URL.createObjectURL(new Blob([embedded], { type: "application/json" }));
  document.getElementById("raw").append(
    ...(pageData.leftOut ?? []).map((line) => `${line} `),
    el("a", { id: "download", href: address, download: "zoombench-report.json" },
      "Download the data of this page"), ". This file loads nothing.");
}
document.getElementById("files").addEventListener("change", async ({ target }) => {
  try {
    const parts = await Promise.all(
      [...target.files].map(async (file) => parsed(await file.text(), file.name)));
    show({ files: parts.flatMap(({ files }) => files) });
  } catch (error) {
    page.replaceChildren(failure(`The file is not a result of zoombench: ${error.message}`));
  }
});
