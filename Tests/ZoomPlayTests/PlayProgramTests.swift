import ForeignPipelines
import Foundation
import SystemPackage
import TestSupport
import Testing
import ZoomGeometry
import ZoomPipeline
import ZoomPlay
import zoombench

@testable import zoombench_play

@Suite struct PlayProgramTests {
  @Test func `another program reads what it is chosen for, and automatic is our own`() async throws
  {
    let path = try await CorpusPictures.file("jpeg-444")
    let limits = PictureLimits.standard
    let program = try ForeignPipeline("broken=worker:false", limits: limits)
    let opener = PictureOpener(StandardPipelines(limits: limits), [program])
    let entry = PlayProgram.entry(NamedPicture(name: "a", path: path), opener, limits)
    let size = try entry.open("sequential").size
    #expect(try entry.open("automatic").size == size)
    #expect(throws: (any Error).self) { try entry.open("broken").size }
  }

  @Test func `a script never replaces a file, even of a name that is taken at the last moment`()
    async throws
  {
    let path = FilePath(FileManager.default.temporaryDirectory.path)
      .appending("zoombench-play-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      atPath: path.string, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: path.string) }
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
