internal import Foundation
internal import Measurement

/// The raw data that a page carries along, thinned where it would not fit.
struct PageData {
  /// JSON that may stand in a script element: no `<` is in it.
  let json: String
  /// What was done to it, in a sentence.
  let note: String

  private struct Content: Encodable {
    var schema = "zoombench.report-data/1"
    /// Every n-th launch or round is there.
    var thinning: Int
    var comparisons: [BuildComparison]
    var benches: [BenchReport]
    var history: [SeriesReport]
  }

  /// Encodes the input in at most so many bytes.
  init(_ input: ReportInput, limit: Int) {
    // Beyond 1024 a file is so large for other reasons than its samples.
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
    // Results made in memory may hold what JSON cannot; files cannot.
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "", negativeInfinity: "", nan: "")
    guard let data = try? encoder.encode(content) else { return nil }
    // In JSON this character stands in strings only, where the escape means the same.
    return ExportText.replacing(String(decoding: data, as: UTF8.self)) {
      $0 == "<" ? "\\u003c" : nil
    }
  }
}

extension BuildComparison {
  /// Every n-th launch of every case.
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
  /// Every n-th round of every group; what is counted over all rounds stays as it was.
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
  /// The elements at multiples of a step.
  fileprivate func every(_ step: Int) -> [Element] {
    stride(from: 0, to: count, by: step).map { self[$0] }
  }
}
