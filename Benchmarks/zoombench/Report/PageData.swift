internal import Foundation
internal import Measurement
internal import MeasurementHistory
internal import SystemPackage
internal import ZoomPipeline

/// The data in a page, reduced until they fit.
struct PageData: Encodable {
  var schema = "zoombench.page/1"
  var files: [ReportInput.File]
  var history: [History]
  /// Sentences about what the page lacks.
  var leftOut: [String] = []

  /// Returns JSON of at most `limit` bytes that is safe in a script element: it contains no `<`.
  static func json(_ input: ReportInput, limit: Int) throws -> String {
    let whole = PageData(input)
    // Samples are dropped first: they are most of a result, and the rows already have their figures.
    // If the rows alone, of some hundred bytes each, exceed the limit, only fewer rows help.
    let count = whole.files.reduce(0) { $0 + $1.result.rows.count }
    let steps: [Int] = count > limit / 100 ? [] : [0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 1024]
    let cuts = [1000, 300, 100, 30, 10]
    for (step, rows) in steps.map({ ($0, Int.max) }) + cuts.map({ (1024, $0) }) {
      let reduced = whole.reduced(step: step, rows: rows)
      if let json = try reduced.encoded(limit: limit) { return json }
    }
    let none = PageData(
      files: [], history: [],
      leftOut: ["The results do not fit into this page; open their files in it."])
    return try none.encoded(limit: limit) ?? "null"
  }

  /// Returns the data with every `step`-th sample and at most `rows` rows and series; step 0 keeps all.
  private func reduced(step: Int, rows: Int) -> PageData {
    guard step > 0 else { return self }
    var data = self
    for index in data.files.indices {
      data.files[index].result.thin(step)
      if rows < .max { data.files[index].result.cut(to: rows) }
    }
    data.history = Array(history.prefix(rows))
    data.leftOut = [
      "This page stays below 2 MB. It lacks counters and single CPU times of benchmarks"
        + (step > 1 ? ", has only one in \(step) launches and rounds" : "")
        + (rows < .max ? ", and at most \(rows) rows of a result, the failed ones first" : "")
        + ". The result files have everything."
    ]
    return data
  }

  /// Returns JSON of at most `limit` bytes; nil if it would be longer.
  private func encoded(limit: Int) throws -> String? {
    let encoder = JSONEncoder.compact
    // Results made in memory may contain numbers that JSON cannot; files cannot.
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "", negativeInfinity: "", nan: "")
    let data = try encoder.encode(self)
    guard data.count <= limit else { return nil }
    // In JSON, these characters occur only in strings, where the escapes are equivalent.
    let json = Escape.replacing(String(decoding: data, as: UTF8.self)) {
      $0 == "<" ? "\\u003c" : nil
    }
    let safe = TerminalText.safe(json)
    return safe.utf8.count <= limit ? safe : nil
  }
}

extension PageData {
  fileprivate init(_ input: ReportInput) {
    // The bytes left for drawings of broken laws.
    var room = 400_000
    // A result may come from others and name any file, so only PNG files are embedded; other paths stay.
    func embedded(_ path: String) -> String? {
      if path.hasPrefix(VerifyReport.drawingPrefix) {
        guard path.utf8.count <= room else { return nil }
        room -= path.utf8.count
        return path
      }
      guard !path.utf8.contains(0), (try? FileVersion(of: FilePath(path))) != nil,
        let data = try? ResultFile.contents(of: path, limit: room),
        data.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
      else { return path }
      room -= data.count
      return VerifyReport.drawingPrefix + data.base64EncodedString()
    }
    let files = input.files.map { file in
      var file = file
      // The folder's name is meaningless to the page's readers.
      file.name = Format.oneLine(FilePath(file.name).lastComponent?.string ?? file.name, limit: 100)
      for row in file.result.rows.indices {
        guard var law = file.result.rows[row].law else { continue }
        for breach in law.breaches.indices {
          law.breaches[breach].picture = law.breaches[breach].picture.flatMap(embedded)
        }
        file.result.rows[row].law = law
      }
      return file
    }
    self.init(files: files, history: input.history.map { History($0) })
  }

  /// The newest runs of a series, as its chart needs them.
  struct History: Encodable {
    struct Point: Encodable {
      let value: Double
      let lower, upper: Double?
      let commit, date: String
    }

    let name, measure: String
    let points: [Point]
    /// For each level, the index of its first point and of the first after it.
    let levels: [[Int]]
    /// The number of runs before those in `points`.
    let older: Int

    init(_ report: SeriesReport) {
      let all = report.series.segments.last?.points ?? []
      // A phone can show three hundred separate dots.
      let newest = all.suffix(300)
      let dropped = all.count - newest.count
      older = dropped
      name = Format.oneLine(report.series.name, limit: 300)
      measure = report.series.measure
      points = newest.map { point in
        let date = point.revision.committedAt ?? point.startedAt
        return Point(
          value: point.value, lower: point.lower, upper: point.upper,
          commit: Format.oneLine(String(point.revision.commit.prefix(8))),
          date: Format.oneLine(String(date.prefix(10))))
      }
      let steps = (report.changes.last ?? []).map { $0.index - dropped }
      let ends = [0] + steps.filter { $0 > 0 } + [newest.count]
      levels = zip(ends, ends.dropFirst()).filter { $0 < $1 }.map { [$0, $1] }
    }
  }
}

extension RunResult {
  /// Keeps every `step`-th round of each group and launch of each comparison, and drops the numbers of
  /// benchmarks that the page does not show.
  fileprivate mutating func thin(_ step: Int) {
    for name in groups.keys { groups[name]?.regions.keep(every: step) }
    for index in rows.indices {
      // All launches together, like the regions of a group.
      var wall = Array(rows[index].wall.joined())
      wall.keep(every: step)
      rows[index].wall = [wall]
      rows[index].comparison?.launches.keep(every: step)
      rows[index].comparison?.confirmation.keep(every: step)
      guard kind == .bench else { continue }
      (rows[index].cpu, rows[index].counters) = ([], [:])
      (rows[index].figures.p50Lower, rows[index].figures.p50Upper) = (nil, nil)
      (rows[index].figures.cpuP50, rows[index].figures.seconds) = (nil, nil)
    }
  }

  /// Keeps the most important rows, and the groups and pictures that they need.
  fileprivate mutating func cut(to count: Int) {
    let order = rows.indices.sorted {
      rows[$0].verdict.standing.rank < rows[$1].verdict.standing.rank
    }
    rows = order.prefix(count).sorted().map { rows[$0] }
    let kept = (groups: Set(rows.map(\.group)), pictures: Set(rows.map(\.picture)))
    groups = groups.filter { kept.groups.contains($0.key) }
    pictures = pictures.filter { kept.pictures.contains($0.name) }
    contenders = Array(contenders.prefix(count))
    contamination = contamination.map { Array($0.prefix(count)) }
    onlyInBase = onlyInBase.map { Array($0.prefix(count)) }
    onlyInCandidate = onlyInCandidate.map { Array($0.prefix(count)) }
    leftOut = leftOut.map { Array($0.prefix(count)) }
    notes = notes.map { Array($0.prefix(count)) }
  }
}

extension Array {
  fileprivate mutating func keep(every step: Int) {
    self = stride(from: 0, to: count, by: step).map { self[$0] }
  }
}
