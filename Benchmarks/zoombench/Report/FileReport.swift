internal import Foundation
internal import Measurement

/// The result of `index` or `inspect`, written row by row, so that memory use is bounded.
struct FileReport {
  /// The result without its rows.
  private(set) var result: RunResult
  private var sums: FileSums
  private let format: ResultFormat
  private let write: (String) throws -> Void
  private let start = Timestamps.monotonic()

  /// Begins a report, which is passed to `write` in parts.
  init(
    _ action: FileAction, _ format: ResultFormat,
    command: [String] = ["zoombench"] + GivenAddresses.arguments.dropFirst(),
    write: @escaping (String) throws -> Void
  ) throws {
    sums = FileSums(action)
    result = RunResult(
      kind: action == .inspect ? .inspect : .index, command: command,
      startedAt: Date().ISO8601Format(), seed: 0,
      environment: RunResult.Environment(machine: .current()))
    result.settings.action = action
    (self.format, self.write) = (format, write)
    if format == .json { try write("{\"rows\":[") }
  }

  mutating func add(_ row: Row) throws {
    if format == .json {
      let text = try Output.json(row, .compact).dropLast()
      try write("\(sums.fileCount == 0 ? "" : ",")\n\(text)")
    }
    sums.add(row)
  }

  /// Ends the report.
  /// - Returns: the conclusion, which sets the exit code.
  mutating func end() throws -> Conclusion {
    let seconds = Double(Timestamps.monotonic() - start) / 1e9
    let conclusion = sums.conclusion
    switch format {
    case .table: try write(TableWriter.rendered(sums.blocks(seconds: seconds)))
    case .json:
      (result.seconds, result.kinds, result.conclusion) = (seconds, sums.kinds, conclusion)
      // The rows are already written. Within a string, the quotes of the member would be escaped.
      let members = try Output.json(result, .compact).replacing("\"rows\":[],", with: "")
      try write("\n],\(members.dropFirst())")
    }
    return conclusion
  }
}
