internal import ArgumentParser
internal import Foundation
internal import MeasurementHistory

/// `zoombench history list`.
struct HistoryListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List all runs, in the order of commits.")

  @Option(help: "How to write the result.")
  var format: HistoryFormat = .table

  @OptionGroup var location: HistoryLocation

  /// What `--format json` writes.
  struct Listing: Codable {
    static let currentSchema = "zoombench.runs/1"

    var schema = Listing.currentSchema
    var baseline: Baseline?
    var runs: [RunSummary]
  }

  func run() throws {
    let listing = try location.with { store in
      Listing(baseline: try store.baseline(), runs: try store.runs())
    }
    switch format {
    case .table:
      try Output.write(HistoryText.list(listing.runs, baseline: listing.baseline), to: nil)
    case .json: try Output.writeJSON(listing)
    }
  }
}

extension Output {
  /// Writes a value as JSON for people and for diffs to stdout.
  static func writeJSON(_ value: some Encodable) throws {
    try write(String(decoding: try JSONEncoder.report.encode(value), as: UTF8.self) + "\n", to: nil)
  }
}
