import Foundation
import SystemPackage
import TestSupport
import Testing
import ZoomPipeline

/// A test's working folder and a folder for temporary files, both removed after the test.
struct TestFolder {
  let path: FilePath
  /// The folder for commands' temporary files.
  let temporary: FilePath

  static func with<Result>(_ body: (TestFolder) async throws -> Result) async throws -> Result {
    let root = FilePath(FileManager.default.temporaryDirectory.path)
      .appending("zoombench-tests-\(UUID().uuidString)")
    let folder = TestFolder(path: root.appending("work"), temporary: root.appending("tmp"))
    defer { try? FileManager.default.removeItem(atPath: root.string) }
    for path in [folder.path, folder.temporary] {
      try FileManager.default.createDirectory(
        atPath: path.string, withIntermediateDirectories: true)
    }
    return try await body(folder)
  }

  func file(_ name: String) -> FilePath { path.appending(name) }

  /// Writes a file, and creates its folder if missing.
  func write(_ bytes: some Sequence<UInt8>, to name: String) throws {
    let target = file(name)
    try FileManager.default.createDirectory(
      atPath: target.removingLastComponent().string, withIntermediateDirectories: true)
    try Data(bytes).write(to: URL(filePath: target.string))
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
