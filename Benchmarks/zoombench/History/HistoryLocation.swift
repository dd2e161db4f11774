internal import ArgumentParser
internal import Foundation
internal import Measurement
internal import MeasurementHistory
internal import SystemPackage

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

  /// Opens the history, creating it on request, and passes it to `body`.
  ///
  /// Git ignores the folder `.zoombench` of a new history. If `body` fails, a new file is removed, unless it
  /// has content.
  ///
  /// - Throws: a `Failure` for an error of the history, or the error of `body`.
  func with<Result>(
    createsFile: Bool = false, _ body: (HistoryStore) throws -> Result
  ) throws -> Result {
    let isNew = createsFile && !FileManager.default.fileExists(atPath: path)
    do {
      let store = try HistoryStore(path: path, createsFile: createsFile)
      do {
        let result = try body(store)
        if isNew { try HiddenFolder.hide(FilePath(path).removingLastComponent()) }
        return result
      } catch {
        // The error of `body` matters more than a failure to remove the empty file.
        try? store.discardIfEmpty()
        throw error
      }
    } catch let error as HistoryError {
      throw Failure(Self.status(of: error), error.description)
    }
  }

  /// Throws if no result could be stored, before any work is done.
  func checkWritable() throws {
    let exists = FileManager.default.fileExists(atPath: path)
    if exists, !FileManager.default.isWritableFile(atPath: path) {
      throw Failure(.cannotCreate, "\(path): write: it cannot be written (check its permissions)")
    }
    try with(createsFile: true) { try $0.discardIfEmpty() }
  }

  private static func status(of error: HistoryError) -> ExitStatus {
    switch error {
    case .noDatabase, .noSuchRun, .noSuchCase: .noInput
    case .foreign, .newer, .damaged, .invalidRun, .conflict, .sameMeasurement: .badInput
    case .ambiguousRun, .invalidDecision: .usage
    case .readOnly, .cannotOpen: .cannotCreate
    case .unwritable, .busy: .outputFailed
    case .failed: .fault
    }
  }
}

/// The machine whose runs a command shows: this one by default.
struct MachineChoice: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A machine's fingerprint or its beginning; this machine and build by default.",
      valueName: "fingerprint"))
  var machine: String?

  func fingerprint(in store: HistoryStore) throws -> String {
    guard let machine else { return MachineDescription.current().fingerprint }
    let matches = try store.machines().filter { $0.hasPrefix(machine.lowercased()) }
    guard let first = matches.first, !machine.isEmpty else {
      throw Failure(.noInput, "the history lacks machine \(machine) (see zoombench history list)")
    }
    guard matches.count == 1 else {
      throw ValidationError(
        "--machine \(machine) is the beginning of \(matches.count) fingerprints")
    }
    return first
  }
}

enum Shortened {
  /// Returns enough characters to distinguish runs and machines.
  static func id(_ id: String) -> String { String(id.prefix(8)) }

  /// Returns a commit as short as in git, with "+" if files were not committed.
  static func revision(_ revision: RunRecord.Revision) -> String {
    commit(revision.commit) + (revision.isDirty ? "+" : "")
  }

  static func commit(_ commit: String) -> String {
    Format.oneLine(RunRecord.isObjectName(commit) ? String(commit.prefix(10)) : commit)
  }
}
