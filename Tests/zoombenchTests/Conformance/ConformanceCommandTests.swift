import Foundation
import Measurement
import SystemPackage
import TestSupport
import Testing

@testable import zoombench

@Suite struct ConformanceCommandTests {
  /// Whether the machine can run the set's script.
  private static let hasPython: Bool = {
    let command = WorkerCommand(
      label: "python3", executable: "/usr/bin/env",
      arguments: ["python3", "-c", "import sys; sys.exit(sys.version_info < (3, 9))"])
    return (try? ChildProcess.run(command))?.0 == .exited(status: 0)
  }()

  private func python(_ arguments: [String], in folder: TestFolder) async throws -> CommandRun {
    var command = WorkerCommand(
      label: "python3", executable: "/usr/bin/env", arguments: ["python3", "-B"] + arguments)
    command.folder = folder.path.string
    return try await CommandRun.of(command)
  }

  @Test func `the set is written once, into a folder that is free`() async throws {
    let folder = try TestFolder()
    let run = try await folder.zoombench("conformance", "set")
    #expect(run.code == 0 && run.errors.isEmpty)
    #expect(run.output.contains("version   1, SHA-256 "))
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.file("set").string)
    #expect(
      names.sorted() == [
        "README.md", "expected", "pictures", "regions.json", "run.py", "samples.py", "traps.json",
      ])
    #expect(FileManager.default.isExecutableFile(atPath: folder.file("set/run.py").string))
    let again = try await folder.zoombench("conformance", "set")
    #expect(again.code == 73)
    #expect(again.errorLines.count == 1)
  }

  @Test(arguments: [("", 64), ("nowhere/set", 73)])
  func `a folder that cannot be written is refused before the set is made`(
    _ folder: String, _ code: Int
  ) async throws {
    let run = try await TestFolder().zoombench("conformance", folder)
    #expect(run.code == Int32(code))
    #expect(run.errorLines.count == 1)
  }

  @Test(.enabled(if: hasPython))
  func `the script passes right answers and names the trap of a wrong one`()
    async throws
  {
    let folder = try TestFolder()
    #expect(try await folder.zoombench("conformance", "set").code == 0)
    // The expected files are the answers; the PNGs of inks and floats only show them.
    let names = try FileManager.default.contentsOfDirectory(
      atPath: folder.file("set/expected").string)
    for name in names {
      let isShownOnly = name.hasSuffix(".png") && names.contains(String(name.dropLast(3)) + "raw")
      guard !isShownOnly else { continue }
      try folder.write(try folder.bytes(of: "set/expected/\(name)"), to: "answers/\(name)")
    }
    let sound = try await python(["set/run.py", "answers", "--junit", "sound.xml"], in: folder)
    #expect(sound.code == 0, "\(sound.output) \(sound.errors)")
    #expect(!sound.output.contains("\n  FAILED"))
    let other = try folder.bytes(of: "answers/filters-all.2.png")
    try folder.write(other, to: "answers/filters-all.1.png")
    let wrong = try await python(["set/run.py", "answers", "--junit", "wrong.xml"], in: folder)
    #expect(wrong.code == 1)
    #expect(wrong.output.contains("FAILED filters-all.1"))
    let report = String(decoding: try folder.bytes(of: "wrong.xml"), as: UTF8.self)
    #expect(report.contains(#"failures="1""#))
  }

  @Test(.enabled(if: hasPython)) func `a damaged picture and wrong usage end the script at once`()
    async throws
  {
    let folder = try TestFolder()
    #expect(try await folder.zoombench("conformance", "set").code == 0)
    #expect(try await python(["set/run.py", "nowhere"], in: folder).code == 64)
    #expect(try await python(["set/run.py", "cat {fil}"], in: folder).code == 64)
    #expect(
      try await python(["set/run.py", "cat {file}", "--traps", "nothing"], in: folder).code == 64)
    #expect(
      try await python(["set/run.py", "false {file}", "--traps", "pnm"], in: folder).code == 2)
    try folder.write([1, 2, 3], to: "set/pictures/chroma-420.jpg")
    #expect(try await python(["set/run.py", "cat {file}"], in: folder).code == 65)
  }

  @Test(.enabled(if: hasPython))
  func `planted faults are found, and sound decoding passes`() async throws {
    let folder = try TestFolder()
    #expect(try await folder.zoombench("conformance", "set").code == 0)
    let script = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Decoder/faults.py").path
    // All hundred faults take minutes.
    let some = [
      "no-chroma-left", "numbering-without-wrap", "orientation-5-as-7", "no-rows-above",
      "codes-grow-late", "padding-not-stored", "buffer-end-loses-row", "dnl-ignored",
    ]
    let run = try await python([script, "set"] + Thoroughness.pick(some, full: []), in: folder)
    #expect(run.code == 0, "\(run.output) \(run.errors)")
  }
}
