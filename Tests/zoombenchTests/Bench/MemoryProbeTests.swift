import SystemPackage
import Testing

@testable import zoombench

@Suite struct MemoryProbeTests {
  @Test func `the probe prints the peak of a process that makes one peek`() async throws {
    try await TestFolder.with { folder in
      try await folder.place("jpeg-444", as: "a.jpg")
      let run = try await folder.zoombench(
        "memory-probe", "--source", "naive", "--region", "1,2,30,40", "--", "a.jpg")
      #expect(run.code == 0)
      let bytes = try #require(UInt64(run.output.dropLast()))
      // The peak exceeds the decoded raster.
      #expect(bytes > 613 * 457 * 3)
    }
  }

  @Test(arguments: ["", "1,2,3", "1,2,3,4,5", "a,b,c,d"])
  func `a region is four numbers`(text: String) async throws {
    try await TestFolder.with { folder in
      try await folder.place("tiny-1x1", as: "a.jpg")
      let run = try await folder.zoombench(
        "memory-probe", "--source", "naive", "--region", text, "--", "a.jpg")
      #expect(run.code == 64)
      #expect(run.output.isEmpty)
    }
  }
}
