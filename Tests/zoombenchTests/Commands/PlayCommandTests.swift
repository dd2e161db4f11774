import ForeignPipelines
import Foundation
import SystemPackage
import Testing
import ZoomGeometry
import ZoomLaws
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
      let entry = PlayCommand.entry(NamedPicture(name: "a", path: path), opener, limits)
      let size = try entry.open("sequential").size
      #expect(try entry.open("automatic").size == size)
      #expect(throws: (any Error).self) { try entry.open("broken").size }
      // For peek and replay, the user names only the program.
      let picture = try Picture(path, limits: limits)
      #expect(throws: (any Error).self) {
        try opener.openPreferringForeign(picture, by: "automatic")
      }
      let chosen = try opener.openPreferringForeign(picture, by: "sequential")
      #expect(chosen.name == "sequential")
    }
  }

  @Test func `a script never replaces a file, even of a name that is taken at the last moment`()
    async throws
  {
    try await TestFolder.with { folder in
      let path = folder.file("gestures")
      try FileManager.default.createDirectory(
        atPath: path.string, withIntermediateDirectories: false)
      let gestures = try GestureFolder(path)
      let script = try GestureScript(
        screen: try Screen(size: ViewSize(width: 375, height: 667)), events: [])
      // `fileExists` follows links, so it does not find a link without a target.
      let link = path.appending("link.json").string
      try FileManager.default.createSymbolicLink(
        atPath: link, withDestinationPath: path.appending("nowhere").string)
      #expect(throws: Failure.self) { try gestures.save(script, as: "link") }
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link).hasSuffix("nowhere"))
      let saved = await withTaskGroup(of: Bool.self) { group in
        for _ in 0..<8 {
          group.addTask { (try? gestures.save(script, as: "one")) != nil }
        }
        return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
      #expect(saved == 1)
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: path.string).sorted()
          == ["link.json", "one.json"])
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
