internal import Foundation
internal import Measurement

/// The raw data embedded in a page, thinned if it would not fit.
struct PageData {
  /// JSON that is safe in a script element: it contains no `<`.
  let json: String
  /// A sentence that describes the thinning.
  let note: String

  private struct Content: Encodable {
    var schema = "zoombench.report-data/1"
    /// The data keep every n-th launch or round.
    var thinning: Int
    var comparisons: [BuildComparison]
    var benches: [BenchReport]
    var history: [SeriesReport]
  }

  /// Encodes the input in at most `limit` bytes.
  init(_ input: ReportInput, limit: Int) {
    // If 1024 is not enough, something other than samples makes the file large.
    for thinning in [1, 2, 4, 8, 16, 32, 64, 128, 256, 1024] {
      let content = Content(
        thinning: thinning, comparisons: input.comparisons.map { $0.thinned(thinning) },
        benches: input.benches.map { $0.thinned(thinning) }, history: input.history)
      guard let json = Self.encoded(content), json.utf8.count <= limit else { continue }
      self.json = json
      note =
        thinning == 1
        ? "Every sample is in this file."
        : "Only every \(thinning)th launch and round is in this file, for it stays below 2 MB;"
          + " the result files have all."
      return
    }
    json = "null"
    note =
      "The raw data would take this file beyond 2 MB and is left out; the result files have it."
  }

  private static func encoded(_ content: Content) -> String? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Results made in memory may contain numbers that JSON cannot; files cannot.
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "", negativeInfinity: "", nan: "")
    guard let data = try? encoder.encode(content) else { return nil }
    // In JSON, this character occurs only in strings, where the escape is equivalent.
    return ExportText.replacing(String(decoding: data, as: UTF8.self)) {
      $0 == "<" ? "\\u003c" : nil
    }
  }
}

extension BuildComparison {
  /// Returns every n-th launch of every case.
  fileprivate func thinned(_ step: Int) -> BuildComparison {
    guard step > 1 else { return self }
    var result = self
    for index in result.cases.indices {
      result.cases[index].launches = result.cases[index].launches.every(step)
      result.cases[index].confirmation = result.cases[index].confirmation.every(step)
    }
    return result
  }
}

extension BenchReport {
  /// Returns every n-th round of every group; counts over all rounds are unchanged.
  fileprivate func thinned(_ step: Int) -> BenchReport {
    guard step > 1 else { return self }
    var report = self
    for group in report.groups.indices {
      report.groups[group].rounds = report.groups[group].rounds.every(step)
      for arm in report.groups[group].arms.indices {
        let full = report.groups[group].arms[arm]
        report.groups[group].arms[arm].wallNanoseconds = full.wallNanoseconds.every(step)
        report.groups[group].arms[arm].cpuNanoseconds = full.cpuNanoseconds.every(step)
        let kept = full.disagreements.filter { $0.key.isMultiple(of: step) }
        report.groups[group].arms[arm].disagreements = Dictionary(
          uniqueKeysWithValues: kept.map { ($0.key / step, $0.value) })
      }
    }
    return report
  }
}

extension Array {
  fileprivate func every(_ step: Int) -> [Element] {
    stride(from: 0, to: count, by: step).map { self[$0] }
  }
}
