import Foundation
import Testing

/// `ci/history-kill` in small.
@Suite struct HistoryKillTests {
  /// The writer that was built with these tests: it stands beside the test bundle.
  private static func writer() throws -> URL {
    let bundles = ([Bundle.main] + Bundle.allBundles).map(\.bundleURL)
    let folders = bundles + bundles.map { $0.deletingLastPathComponent() }
    return try #require(
      folders.map { $0.appendingPathComponent("history-writer") }
        .first { FileManager.default.isExecutableFile(atPath: $0.path) },
      "no history-writer stands beside the test bundle")
  }

  private static func start(_ words: [String], in: FileHandle?, out: FileHandle) throws -> Process {
    let process = Process()
    process.executableURL = try writer()
    process.arguments = words
    process.standardInput = `in` ?? FileHandle.nullDevice
    process.standardOutput = out
    process.standardError = out
    try process.run()
    return process
  }

  private static func emptyFile(_ path: String) throws -> FileHandle {
    try Data().write(to: URL(fileURLWithPath: path))
    return try #require(FileHandle(forWritingAtPath: path))
  }

  @Test func `killed writers lose nothing they promised and leave nothing by half`() throws {
    let folder = try HistoryFolder()
    let database = folder.file("history.sqlite")
    let promised = folder.file("promised")
    let (ids, answer) = (
      try Self.emptyFile(promised), try Self.emptyFile(folder.file("answer"))
    )
    _ = try ids.seekToEnd()
    var random = SystemRandomNumberGenerator()
    for _ in 0..<5 {
      // Two at a time share the file they promise in, whose end each write goes to.
      let pair = try (0..<2).map { _ in
        try Self.start(["write", database], in: nil, out: ids)
      }
      for process in pair {
        Thread.sleep(forTimeInterval: Double.random(in: 0...0.3, using: &random))
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
      }
    }
    let check = try Self.start(
      ["check", database], in: FileHandle(forReadingAtPath: promised), out: answer)
    check.waitUntilExit()
    let text = String(decoding: try folder.bytes("answer"), as: UTF8.self)
    #expect(check.terminationStatus == 0, "\(text)")
    #expect(text.hasSuffix("each whole\n"))
    let lines = String(decoding: try folder.bytes("promised"), as: UTF8.self).split(separator: "\n")
    #expect(!lines.isEmpty && lines.allSatisfy { UUID(uuidString: String($0)) != nil })
  }
}
