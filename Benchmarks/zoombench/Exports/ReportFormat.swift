internal import ArgumentParser

/// What a report can be written as.
enum ReportFormat: String, ExpressibleByArgument, CaseIterable {
  case html, markdown, annotations, junit
  case smallerIsBetter = "custom-smaller-is-better"
  case openmetrics, csv

  func rendered(_ input: ReportInput) throws -> String {
    switch self {
    case .html: try ReportPage(input).rendered()
    case .markdown: MarkdownExport.rendered(input)
    case .annotations: AnnotationsExport.rendered(input)
    case .junit: JUnitExport.rendered(input)
    case .smallerIsBetter: try SmallerIsBetterExport.rendered(input)
    case .openmetrics: OpenMetricsExport.rendered(input)
    case .csv: CSVExport.rendered(input)
    }
  }
}
