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

  @Test func `killed writers lose no reported run and leave none incomplete`() throws {
    let folder = try HistoryFolder()
    let script = """
      for part in 02 10 20 35 50; do
        "$0" write history >>promised & one=$!
        "$0" write history >>promised & other=$!
        sleep "0.$part"
        kill -KILL $one $other
        wait
      done
      test -s promised && "$0" check history <promised
      """
    var shell = WorkerCommand(
      label: "shell", executable: "/bin/sh", arguments: ["-c", script, try Self.writer().path])
    shell.folder = folder.path
    let (ending, output, errors) = try ChildProcess.run(shell)
    #expect(ending == .exited(status: 0), "\(errors)")
    #expect(String(decoding: output, as: UTF8.self).hasSuffix("each whole\n"))
  }
}
