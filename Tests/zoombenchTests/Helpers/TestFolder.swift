import Foundation
import Measurement
import SystemPackage
import TestSupport
import Testing
import ZoomPipeline

/// A test's working folder and a folder for temporary files, both removed when this is released.
final class TestFolder: Sendable {
  let path: FilePath
  /// The folder for commands' temporary files.
  let temporary: FilePath

  init() throws {
    let root = FilePath(FileManager.default.temporaryDirectory.path)
      .appending("zoombench-tests-\(UUID().uuidString)")
    (path, temporary) = (root.appending("work"), root.appending("tmp"))
    for folder in [path, temporary] {
      try FileManager.default.createDirectory(
        atPath: folder.string, withIntermediateDirectories: true)
    }
  }

  deinit { try? FileManager.default.removeItem(atPath: path.removingLastComponent().string) }

  func file(_ name: String) -> FilePath { path.appending(name) }

  func write(_ bytes: some Sequence<UInt8>, to name: String) throws {
    try Self.write(bytes, to: file(name))
  }

  /// Writes a file, and creates its folder if missing.
  static func write(_ bytes: some Sequence<UInt8>, to target: FilePath) throws {
    try FileManager.default.createDirectory(
      atPath: target.removingLastComponent().string, withIntermediateDirectories: true)
    try Data(bytes).write(to: URL(filePath: target.string))
  }

  /// Writes a program that can be run at once.
  func writeProgram(_ text: String, to name: String) throws {
    let draft = file("\(name).draft")
    try Self.write(text.utf8, to: draft)
    try Self.install(draft, as: file(name))
    try FileManager.default.removeItem(atPath: draft.string)
  }

  /// Copies a program into an existing folder.
  ///
  /// Another process does it, because a file that this one writes is open in each process that another
  /// test starts meanwhile, too, and cannot be run then ("Text file busy").
  static func install(_ program: FilePath, as target: FilePath) throws {
    let command = WorkerCommand(
      label: "install", executable: "install",
      arguments: ["-m", "755", program.string, target.string])
    let (ending, _, log) = try ChildProcess.run(command)
    try #require(ending == .exited(status: 0), "\(log)")
  }

  func bytes(of name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(filePath: file(name).string)))
  }

  func place(_ picture: String, as name: String) async throws {
    let source = try await CorpusPictures.file(picture)
    try write(try Data(contentsOf: URL(filePath: source.string)), to: name)
  }

  /// Returns all files and folders, including hidden and temporary ones.
  func names() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: path.removingLastComponent().string)
      .filter { $0 != "work" && $0 != "tmp" }.sorted()
  }
}
