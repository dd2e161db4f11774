internal import ArgumentParser
internal import MeasurementHistory

/// `zoombench history check`.
struct HistoryCheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Read every run, and say whether the file is sound.")

  @OptionGroup var location: HistoryLocation

  func run() throws {
    let count = try location.with { try $0.check() }
    try Output.write("\(location.path): \(count) runs, each whole\n", to: nil)
  }
}
