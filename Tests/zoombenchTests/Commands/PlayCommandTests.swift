import ForeignPipelines
import Subprocess
import SystemPackage
import Testing
import ZoomPipeline
import ZoomPlay

@testable import zoombench

@Suite struct PlayCommandTests {
  @Test func `another program reads what it is chosen for, and automatic is our own`() async throws
  {
    try await TestFolder.with { folder in
      try await folder.place("jpeg-444", as: "a.jpg")
      let limits = PictureLimits.standard
      let program = try ForeignPipeline("broken=worker:false", limits: limits)
      let opener = PictureOpener(StandardPipelines(limits: limits), [program])
      let path = folder.file("a.jpg")
      let entry = PlayCommand.entry(BenchPlan.Subject(name: "a", path: path), opener, limits)
      let size = try entry.open("sequential").size
      #expect(try entry.open("automatic").size == size)
      #expect(throws: (any Error).self) { try entry.open("broken").size }
      // Of peek and replay the user names no other source than the program.
      let picture = try Picture(path, limits: limits)
      #expect(throws: (any Error).self) {
        try opener.openPreferringForeign(picture, by: "automatic")
      }
      let chosen = try opener.openPreferringForeign(picture, by: "sequential")
      #expect(chosen.name == "sequential")
    }
  }

  @Test(arguments: ["too-short-a-word", "abc", "abcdefghijklmnop&x"])
  func `a token of the environment is as long and as plain as one of the command line`(
    token: String
  ) async throws {
    try await TestFolder.with { folder in
      let run = try await folder.zoombench(["play"], environment: ["ZOOMBENCH_TOKEN": token])
      #expect(run.code == 64)
      #expect(run.errors.contains("ZOOMBENCH_TOKEN takes at least 16 letters and digits"))
    }
  }
}
