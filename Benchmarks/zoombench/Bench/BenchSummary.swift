internal import Measurement

/// One contender's gains over the pictures of one format.
struct BenchSummary: Codable {
  var format: String
  var contender: String
  /// The number of pictures with a gain.
  var pictures: Int
  /// The median of the pictures' gains, with the least and the greatest as ends; with seven pictures or more,
  /// with a 98 % interval of the median.
  var gain: Row.Ratio?
  /// Whether it has the greatest median gain of the contenders that did not fail.
  var best: Bool
  /// Pictures whose gain is far from the median or below 1: "a.jpg: partial gains 0.80".
  var standsOut: [String]
  /// The numbers of pictures that it failed at, and that it refused.
  var failed: Int
  var refused: Int

  /// Summarises a benchmark; the formats are in the order of their first pictures.
  static func all(of result: RunResult) -> [BenchSummary] {
    let rivals = result.contenders.filter {
      $0.name != "naive" && ($0.kind == .source || $0.kind == .program)
    }.map(\.name)
    let rows = Dictionary(grouping: result.rows) { [$0.picture, $0.contender] }
    // Each group has one row of naive.
    func refuses(_ contender: String, _ picture: String) -> Bool {
      (rows[[picture, "naive"]] ?? []).compactMap(\.group).contains { group in
        result.groups[group]?.refusals.contains { $0.source == contender } == true
      }
    }
    let pictures = Dictionary(grouping: result.pictures) { $0.format ?? "" }
    return result.pictures.map { $0.format ?? "" }.unique
      .flatMap { format -> [BenchSummary] in
        let names = (pictures[format] ?? []).map(\.name)
        return best(
          of: rivals.compactMap { contender -> BenchSummary? in
            let own = names.map { (picture: $0, rows: rows[[$0, contender]] ?? []) }
            let refused = names.count { refuses(contender, $0) }
            guard refused > 0 || own.contains(where: { !$0.rows.isEmpty }) else { return nil }
            var line = BenchSummary(
              format: format, contender: contender, pictures: 0, best: false, standsOut: [],
              failed: 0, refused: refused)
            line.add(own)
            return line
          })
      }
  }

  /// Marks the line with the greatest gain of those without a failure.
  private static func best(of lines: [BenchSummary]) -> [BenchSummary] {
    var lines = lines
    let sound = lines.indices.filter { lines[$0].failed == 0 && lines[$0].gain != nil }
    let best = sound.max { (lines[$0].gain?.ratio ?? 0) < (lines[$1].gain?.ratio ?? 0) }
    if let best { lines[best].best = true }
    return lines
  }

  /// Adds the rows of each picture.
  private mutating func add(_ rows: [(picture: String, rows: [Row])]) {
    failed = rows.count { $0.rows.contains { $0.verdict.standing == .failed } }
    // The gain at a picture is the median of its conditions.
    let gains = rows.compactMap { picture, rows -> (picture: String, gain: Double)? in
      let samples = try? SortedSamples(rows.compactMap(\.figures.gain?.ratio))
      return samples.map { (picture, $0.median) }
    }
    guard let samples = try? SortedSamples(gains.map { $0.gain }) else { return }
    let interval = try? MedianInterval.narrowest(count: gains.count, confidence: 0.98)
    let rank = interval?.rank ?? 1
    var ratio = Row.Ratio(samples.median, nil, pairs: gains.count)
    ratio.lower = samples.values[rank - 1]
    ratio.upper = samples.values[gains.count - rank]
    ratio.level = interval?.coverage
    (pictures, gain) = (gains.count, ratio)
    standsOut = gains.filter {
      $0.gain < 1 || $0.gain < samples.median / 2 || $0.gain > samples.median * 2
    }.map { "\($0.picture): \(contender) gains \(Format.significant($0.gain))" }
  }
}

extension TextTable {
  /// Creates a table of the contenders' gains for each format.
  init(_ summary: [BenchSummary]) {
    self.init(columns: [
      .left("format"), .left("source"), .right("pictures"), .right("gain"), .right("from…to"),
      .left(""), .right("failed"), .right("refused"),
    ])
    for line in summary {
      append([
        Format.oneLine(line.format), Format.oneLine(line.contender), "\(line.pictures)",
        (line.gain?.ratio).map(Format.significant) ?? Format.nothing,
        Column.interval(line.gain) ?? Format.nothing,
        line.best ? "best" : "", "\(line.failed)", "\(line.refused)",
      ])
    }
  }
}
