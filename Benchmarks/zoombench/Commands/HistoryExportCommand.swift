internal import ArgumentParser
internal import MeasurementHistory
internal import SystemPackage

/// `zoombench history export`.
struct HistoryExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Write the whole history as JSON lines, one run a line.")

  @Option(name: .shortAndLong, help: "A file for the lines instead of stdout.")
  var output: String?

  @OptionGroup var location: HistoryLocation

  func validate() throws {
    if output?.isEmpty == true { throw ValidationError("-o needs a file's name") }
  }

  func run() throws {
    let target = output.map { FilePath($0) }
    try Output.checkWritable(target)
    try Output.write(try location.with { try $0.exported() }, to: target)
  }
}
