import SystemPackage
import Testing
import ZoomPipeline

@Suite struct OutputErrorTests {
  @Test(arguments: ["missing/out.json", "taken"])
  func `a report that cannot be written exits with 73 before any work`(
    target: String
  ) async throws {
    try await TestFolder.with { folder in
      try await folder.place("tiny-17x3", as: "a.jpg")
      try folder.write([], to: "taken/file")
      let before = try folder.names()
      let run = try await folder.zoombench("a.jpg", "--rounds", "1", "--output", target)
      #expect(run.code == 73)
      #expect(run.errorLines.count == 1)
      #expect(run.errors.hasPrefix("zoombench: \(target): "))
      #expect(run.output.isEmpty)
      #expect(try folder.names() == before)
    }
  }

  @Test(arguments: ["missing/out.png", "taken", "out.xyz", "out", "out.png[compression=9]"])
  func `a peek that cannot be written exits with 73`(target: String) async throws {
    try await TestFolder.with { folder in
      try await folder.place("tiny-17x3", as: "a.jpg")
      try folder.write([], to: "taken/file")
      let before = try folder.names()
      let run = try await folder.zoombench(
        "peek", "a.jpg", "--touch", "1,1", "--viewport", "9x9", "-o", target)
      #expect(run.code == 73)
      #expect(run.errorLines.count == 1)
      #expect(run.errors.contains(target))
      #expect(run.output.isEmpty)
      #expect(try folder.names() == before)
    }
  }

  @Test func `a device is written to, not replaced`() async throws {
    try await TestFolder.with { folder in
      try await folder.place("tiny-1x1", as: "a.jpg")
      let run = try await folder.zoombench(
        ["a.jpg", "--rounds", "1", "--sources", "naive", "-o", "/dev/null"])
      #expect(run.code == 0)
      #expect((try? FileVersion(of: "/dev/null")) == nil, "no regular file may stand there")
      let peek = try await folder.zoombench(
        ["peek", "a.jpg", "--touch", "1,1", "--viewport", "9x9", "-o", "/dev/null"])
      #expect(peek.code == 73)
    }
  }
}
