internal import Measurement

/// Go's benchmark format, a line a sample, which benchstat reads: `benchstat -col /build FILE`.
enum BenchfmtExport {
  static func rendered(_ input: ReportInput) -> String {
    let cases = ExportedCase.all(of: input)
    var text = "Unit ns/op better=lower\nUnit cpu-ns/op better=lower\n"
    let counters = Set(cases.flatMap { $0.counters.keys }).union(
      cases.flatMap { ($0.baseCounters ?? [:]).keys })
    for unit in Set(counters.map(unit)).sorted() {
      text += "Unit \(unit) better=lower assume=exact\n"
    }
    let names = ExportText.unique(cases.map { word($0.name) }).map(word)
    for (one, name) in zip(cases, names) {
      if let wall = one.baseWall, let cpu = one.baseCPU {
        text += lines(name, "base", wall, cpu, one.baseCounters ?? [:])
      }
      let build = one.comparison == nil ? "measured" : "candidate"
      text += lines(name, build, one.wall, one.cpu, one.counters)
    }
    return text
  }

  private static func lines(
    _ words: String, _ build: String, _ wall: [[Double]], _ cpu: [[Double]],
    _ counters: [String: Int]
  ) -> String {
    // A name's parts are split at slashes and read as key=value; "-1" is one thread, so that a
    // number at the name's end is not taken for it.
    let name = "BenchmarkPeek/case=\(words)/build=\(build)-1"
    var text = ""
    for (wall, cpu) in zip(wall.joined(), cpu.joined()) {
      text += "\(name) 1 \(Shown.plain(wall)) ns/op \(Shown.plain(cpu)) cpu-ns/op\n"
    }
    // Once a build: the same on every run.
    var seen: Set<String> = []
    let values = counters.sorted { $0.key < $1.key }.filter { seen.insert(unit($0.key)).inserted }
      .map { " \($0.value) \(unit($0.key))" }
    if !values.isEmpty { text += "\(name) 1\(values.joined())\n" }
    return text
  }

  /// A counter's name as a unit: no space, and none of the suffixes that benchstat rescales.
  private static func unit(_ name: String) -> String { "\(word(name))-count" }

  /// Text without what separates fields, parts of names, or keys from values.
  private static func word(_ text: String) -> String {
    let word = ExportText.replacing(text) { scalar in
      let isPlain =
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil
        || "@.,_+#%()".unicodeScalars.contains(scalar)
      return isPlain ? nil : scalar == " " ? "_" : "-"
    }
    return word.isEmpty ? "-" : word
  }
}
