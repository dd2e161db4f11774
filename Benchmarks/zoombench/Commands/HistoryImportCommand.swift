internal import ArgumentParser
internal import MeasurementHistory

/// `zoombench history import`.
struct HistoryImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Merge exports of this or other machines into the history.",
    discussion: """
      Runs that are there already are left. Of a file with a line that cannot be taken nothing is \
      kept; files before it on the command line are.
      """)

  @Argument(help: "Files that zoombench history export wrote.")
  var files: [String]

  @OptionGroup var location: HistoryLocation

  func run() throws {
    for file in files {
      let bytes = [UInt8](try ResultFile.contents(of: file))
      let count = try location.with(createsFile: true) { store in
        try Self.merge(bytes, of: file, into: store)
      }
      try Output.write(
        "\(Format.oneLine(file)): \(count.added) runs added, \(count.known) known\n", to: nil)
    }
  }

  private static func merge(
    _ bytes: [UInt8], of file: String, into store: HistoryStore
  ) throws -> HistoryStore.ImportCount {
    do {
      return try store.importLines(bytes)
    } catch {
      guard case .badLine(let number, let reason) = error else { throw error }
      throw Failure(
        .badInput, "\(file): line \(number): \(reason) (nothing of this file is kept)")
    }
  }
}
