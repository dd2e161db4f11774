internal import ArgumentParser
internal import Foundation
internal import Measurement
internal import MeasurementHistory

/// The file of the history, the same for every subcommand.
struct HistoryLocation: ParsableArguments {
  @Option(
    name: .customLong("history"),
    help: ArgumentHelp(
      "The history's file; .zoombench/history.sqlite by default. Also ZOOMBENCH_HISTORY.",
      valueName: "file"))
  var file: String?

  var path: String {
    file ?? ProcessInfo.processInfo.environment["ZOOMBENCH_HISTORY"]
      ?? ".zoombench/history.sqlite"
  }

  func validate() throws {
    if path.isEmpty { throw ValidationError("--history needs a file's name") }
  }

  /// Works with the history; what goes wrong with it becomes a line and an exit code.
  ///
  /// A file that was made for work that fails goes again, unless something was kept in it.
  ///
  /// - Parameters:
  ///   - createsFile: whether a file that is not there is made.
  ///   - body: the work.
  /// - Returns: what the work gives.
  /// - Throws: a `Failure`, or what the work throws.
  func with<Result>(
    createsFile: Bool = false, _ body: (HistoryStore) throws -> Result
  ) throws -> Result {
    do {
      let store = try HistoryStore(path: path, createsFile: createsFile)
      do {
        return try body(store)
      } catch {
        // That an empty file cannot be removed is not what went wrong.
        try? store.discardIfEmpty()
        throw error
      }
    } catch let error as HistoryError {
      throw Failure(Self.status(of: error), error.description)
    }
  }

  /// Fails before any work is done if nothing could be kept after it.
  func checkWritable() throws {
    let isThere = FileManager.default.fileExists(atPath: path)
    if isThere, !FileManager.default.isWritableFile(atPath: path) {
      throw Failure(.cannotCreate, "\(path): write: it cannot be written (check its permissions)")
    }
    try with(createsFile: true) { try $0.discardIfEmpty() }
  }

  private static func status(of error: HistoryError) -> ExitStatus {
    switch error {
    case .noDatabase, .noSuchRun, .noSuchCase: .noInput
    case .foreign, .newer, .damaged, .invalidRun, .conflict, .sameMeasurement, .badLine:
      .badInput
    case .ambiguousRun, .invalidDecision: .usage
    case .readOnly, .cannotOpen: .cannotCreate
    case .unwritable, .busy: .outputFailed
    case .failed: .fault
    }
  }
}

/// Whose runs are meant: this machine's, or those of another one.
struct MachineChoice: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A machine's fingerprint or its beginning; this machine and build by default.",
      valueName: "fingerprint"))
  var machine: String?

  /// The whole fingerprint.
  func fingerprint(in store: HistoryStore) throws -> String {
    guard let machine else { return MachineDescription.current().fingerprint }
    let matches = try store.machines().filter { $0.hasPrefix(machine.lowercased()) }
    guard let first = matches.first, !machine.isEmpty else {
      throw Failure(.noInput, "there is no machine \(machine) (see zoombench history list)")
    }
    guard matches.count == 1 else {
      throw ValidationError(
        "--machine \(machine) is the beginning of \(matches.count) fingerprints")
    }
    return first
  }
}

/// How much of long names people are shown.
enum Shortened {
  /// Enough to tell runs and machines apart.
  static func id(_ id: String) -> String { String(id.prefix(8)) }

  /// As long as git's own in a middling repository, with a mark where files were not committed.
  static func revision(_ revision: RunRecord.Revision) -> String {
    commit(revision.commit) + (revision.isDirty ? "+" : "")
  }

  static func commit(_ commit: String) -> String {
    Format.oneLine(RunRecord.isObjectName(commit) ? String(commit.prefix(10)) : commit)
  }
}
