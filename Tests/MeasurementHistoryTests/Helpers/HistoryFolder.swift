import Foundation
import MeasurementHistory

/// A folder for one test's histories; it goes when the last reference does.
final class HistoryFolder: Sendable {
  let path: String

  init() throws {
    path =
      FileManager.default.temporaryDirectory
      .appendingPathComponent("zoomtest.history.\(UUID())").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String) -> String { "\(path)/\(name)" }

  /// A history with some runs in it.
  func store(_ name: String = "history.sqlite", _ runs: [RunRecord] = []) throws -> HistoryStore {
    let store = try HistoryStore(path: file(name), createsFile: true)
    for run in runs { try store.append(run) }
    return store
  }

  func bytes(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: file(name))))
  }

  func write(_ bytes: [UInt8], to name: String) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: file(name)))
  }
}

extension HistoryStore {
  /// Every run, with its cases.
  func everything() throws -> [RunRecord] { try runs().map { try run(id: $0.id) } }
}
