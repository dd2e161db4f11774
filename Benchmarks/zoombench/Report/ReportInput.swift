internal import ArgumentParser
internal import Measurement

/// The input of a report: result files in the order they were named, and the history.
struct ReportInput {
  struct File {
    var name: String
    var result: ResultFile
  }

  /// Reads result files.
  ///
  /// - Throws: `Failure` for a file that cannot be read or is not a result.
  static func read(_ names: [String]) throws -> ReportInput {
    ReportInput(files: try names.map { File(name: $0, result: try ResultFile($0)) })
  }

  var files: [File] = []
  var history: [SeriesReport] = []

  var comparisons: [BuildComparison] {
    files.compactMap { if case .comparison(let result) = $0.result { result } else { nil } }
  }

  var benches: [BenchReport] {
    files.compactMap { if case .bench(let report) = $0.result { report } else { nil } }
  }
}

enum ReportFormat: String, ExpressibleByArgument, CaseIterable {
  case html, markdown, annotations, junit
  case smallerIsBetter = "custom-smaller-is-better"
  case openmetrics, csv

  func rendered(_ input: ReportInput) throws -> String {
    switch self {
    case .html: throw ResultPage.missing
    case .markdown: MarkdownExport.rendered(input)
    case .annotations: AnnotationsExport.rendered(input)
    case .junit: JUnit(input).rendered()
    case .smallerIsBetter: try SmallerIsBetterExport.rendered(input)
    case .openmetrics: OpenMetricsExport.rendered(input)
    case .csv: CSVExport.rendered(input)
    }
  }
}
