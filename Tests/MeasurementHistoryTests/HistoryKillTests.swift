import Foundation
import Measurement
import Testing

/// A short form of `ci/history-kill`.
@Suite struct HistoryKillTests {
  /// Returns the writer built with these tests, which is in the folder of the test bundle.
  private static func writer() throws -> URL {
    let bundles = ([Bundle.main] + Bundle.allBundles).map(\.bundleURL)
    let folders = bundles + bundles.map { $0.deletingLastPathComponent() }
    return try #require(
      folders.map { $0.appendingPathComponent("history-writer") }
        .first { FileManager.default.isExecutableFile(atPath: $0.path) },
      "the folder of the test bundle lacks history-writer")
  }

  private static func start(_ words: [String]) throws -> SpawnedProcess {
    try SpawnedProcess.start(
      WorkerCommand(label: "writer", executable: try writer().path, arguments: words))
  }

  /// Returns the output of a process up to its end.
  private static func text(from descriptor: Int32) -> String {
    var buffer = LineBuffer(limit: .max)
    while buffer.fill(from: descriptor) {}
    close(descriptor)
    return buffer.takeAll()
  }

  @Test func `killed writers lose nothing they promised and leave nothing by half`() throws {
    let folder = try HistoryFolder()
    let database = folder.file("history.sqlite")
    var promised = ""
    for _ in 0..<5 {
      for process in try (0..<2).map({ _ in try Self.start(["write", database]) }) {
        Thread.sleep(forTimeInterval: Double.random(in: 0...0.3))
        _ = LiveWorkers.end(process.identifier, patience: 0)
        // A line that the end cut off promises nothing.
        let text = Self.text(from: process.output)
        promised += text[..<(text.lastIndex(of: "\n").map(text.index(after:)) ?? text.startIndex)]
        for descriptor in [process.input, process.log] { close(descriptor) }
      }
    }
    let lines = promised.split(separator: "\n")
    #expect(!lines.isEmpty && lines.allSatisfy { UUID(uuidString: String($0)) != nil })
    let check = try Self.start(["check", database])
    #expect(PipeWriting.sendQuietly(promised, to: check.input))
    close(check.input)
    let (answer, errors) = (Self.text(from: check.output), Self.text(from: check.log))
    let ending = LiveWorkers.end(check.identifier, patience: 10_000_000_000)
    #expect(ending == .exited(status: 0), "\(errors)")
    #expect(answer.hasSuffix("each whole\n"))
  }
}
