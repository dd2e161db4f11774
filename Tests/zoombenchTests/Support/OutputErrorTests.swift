import Foundation
import SystemPackage
import Testing
import ZoomPipeline

@testable import zoombench

@Suite struct OutputErrorTests {
  private static let bench = ["a.jpg", "--rounds", "1"]
  private static let peek = ["peek", "a.jpg", "--touch", "1,1", "--viewport", "9x9"]
  private static let replay = ["replay", "peek", "a.jpg", "--system", "peek"]

  /// Outputs that each command cannot write, with the option before the name.
  static let outputs: [(command: [String], option: String, targets: [String])] = [
    (bench, "-o", ["missing/out.json", "taken"]),
    (peek, "-o", ["missing/out.png", "taken", "out.xyz", "out", "out.png[compression=9]"]),
    (replay, "-o", ["missing/out.png", "taken", "missing/out", "out.xyz", "taken/file/x"]),
    (replay + ["-o", "out"], "--states", ["missing/s.json"]),
  ]

  @Test(arguments: outputs)
  func `a result that cannot be written exits with 73 before any work`(
    command: [String], option: String, targets: [String]
  ) async throws {
    #expect(!targets.isEmpty)
    for target in targets {
      let folder = try TestFolder()
      try await folder.place("tiny-17x3", as: "a.jpg")
      try folder.write([], to: "taken/file")
      let before = try folder.names()
      let run = try await folder.zoombench(command + [option, target])
      #expect(run.code == 73, "\(target)")
      #expect(run.errorLines.count == 1)
      #expect(run.errors.hasPrefix("zoombench: \(target): "), "\(run.errors)")
      #expect(run.output.isEmpty)
      #expect(try folder.names() == before)
    }
  }

  @Test func `a place that can be written is accepted without touching it`() async throws {
    let folder = try TestFolder()
    try Output.checkWritable(nil)
    try Output.checkWritable(folder.file("new.json"))
    try folder.write("old".utf8, to: "old.json")
    try Output.checkWritable(folder.file("old.json"))
    #expect(try folder.bytes(of: "old.json") == Array("old".utf8))
    #expect(try folder.names() == ["work/old.json"])
  }

  @Test func `a device is written to, not replaced`() async throws {
    let folder = try TestFolder()
    try await folder.place("tiny-1x1", as: "a.jpg")
    let run = try await folder.zoombench(Self.bench + ["--sources", "naive", "-o", "/dev/null"])
    #expect(run.code == 0)
    #expect((try? FileVersion(of: "/dev/null")) == nil, "no regular file may be there")
    #expect(try await folder.zoombench(Self.peek + ["-o", "/dev/null"]).code == 73)
  }

  @Test func `a pipe gets all parts of a result without an end in between`() async throws {
    let folder = try TestFolder()
    let pipe = folder.file("pipe")
    try #require(mkfifo(pipe.string, 0o600) == 0)
    let reader = try FileDescriptor.open(pipe, .readOnly, options: .nonBlocking)
    defer { try? reader.close() }
    func read() throws -> String {
      var bytes = [UInt8](repeating: 0, count: 9)
      let count = try bytes.withUnsafeMutableBytes { try reader.read(into: $0) }
      return String(decoding: bytes.prefix(count), as: UTF8.self)
    }
    try await Output.stream(to: pipe) { write in
      try write("one")
      #expect(try read() == "one")
      // If the pipe were closed, there would be an end instead of an error.
      #expect(throws: Errno.wouldBlock) { try read() }
      try write("two")
    }
    #expect(try read() == "two" && folder.names() == ["work/pipe"])
  }
}
