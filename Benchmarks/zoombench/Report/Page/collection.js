"use strict";

/** The view of `index` and `inspect`. */
const collectionView = (() => {
  const { findings, number, remarks, tableDetails, verdictColumn, words } = Parts;

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

  return collection;
})();
