import SystemPackage
import TestSupport
import Testing
import ZoomGeometry
import ZoomPipeline

@testable import ZoomFrames

struct FrameFilesTests {
  private func plain(_ shade: UInt8, _ width: Int = 16, _ height: Int = 12) throws -> Pixels {
    try Pixels(width: width, height: height) { _, _, _ in shade }
  }

  @Test(arguments: ["webp", "gif"])
  func `an animation is written whole and its first frame can be read`(_ suffix: String) throws {
    let folder = try TestFolder()
    let path = folder.path.appending("zoom.\(suffix)")
    let frames = try [UInt8(40), 120, 200].map {
      FrameAnimation.Picture(try plain($0), milliseconds: 40)
    }
    try FrameAnimation(frames, for: path).write(to: path)
    #expect(try folder.names() == ["zoom.\(suffix)"])
    let pixels = try Picture(path).storedPixels().forScreen()
    #expect(pixels.size == frames[0].pixels.size)
    #expect(pixels.largestDifference(from: frames[0].pixels) <= 3)
    let written = try bytes(of: path)
    // "ANMF" begins each frame of a WebP, 0x21 0xF9 0x04 the control block of each GIF frame.
    let mark: [UInt8] = suffix == "webp" ? Array("ANMF".utf8) : [0x21, 0xF9, 0x04]
    let marks = written.indices.count { written[$0...].starts(with: mark) }
    #expect(marks == 3)
  }

  @Test func `an animation that cannot be is refused before any work`() throws {
    let frame = FrameAnimation.Picture(try plain(9), milliseconds: 20)
    let other = FrameAnimation.Picture(try plain(9, 10, 10), milliseconds: 20)
    let instant = FrameAnimation.Picture(try plain(9), milliseconds: 0)
    let wide = FrameAnimation.Picture(try plain(9, 16384, 1), milliseconds: 20)
    for (frames, name, budget, code) in [
      ([frame], "zoom.png", 1 << 20, PipelineError.Code.unwritable),
      ([frame], "zoom", 1 << 20, .unwritable), ([], "zoom.webp", 1 << 20, .unsupported),
      ([frame, other], "zoom.webp", 1 << 20, .unsupported),
      ([instant], "zoom.webp", 1 << 20, .unsupported),
      ([wide], "zoom.webp", 1 << 20, .unwritable),
      ([frame, frame, frame], "zoom.webp", 16 * 12 * 3 * 2, .unwritable),
    ] {
      expectError(code, "\(name)") {
        try FrameAnimation(frames, for: FilePath(name), budget: budget)
      }
    }
    let missing = FilePath("/no such folder/zoom.webp")
    #expect(throws: PipelineError.self) {
      try FrameAnimation([frame], for: missing).write(to: missing)
    }
  }

  @Test func `a sheet lays frames out row by row`() throws {
    let frames = try [UInt8(10), 90, 170].map { try plain($0) }
    let sheet = try ContactSheet(columns: 2, cellWidth: 8, gap: 3, shade: 255).pixels(frames)
    #expect(sheet.size == (try PixelSize(width: 2 * 8 + 9, height: 2 * 6 + 9)))
    #expect(sheet[4, 4] == [10, 10, 10] && sheet[15, 5] == [90, 90, 90])
    #expect(sheet[4, 13] == [170, 170, 170] && sheet[15, 13] == [255, 255, 255])
    #expect(sheet[0, 0] == [255, 255, 255] && sheet[12, 5] == [255, 255, 255])
    let one = try ContactSheet(columns: 5, cellWidth: 16, gap: 0).pixels([frames[1]])
    #expect(one.difference(from: frames[1]) == nil)
    expectError(.unsupported) { try ContactSheet(columns: 2, cellWidth: 8).pixels([]) }
    expectError(.unwritable) { try ContactSheet(columns: 2, cellWidth: .max).pixels(frames) }
  }

  @Test func `a comparison finds what differs and where`() throws {
    let one = try Pixels.noise(20, 15)
    var bytes = one.bytes
    for (x, y) in [(4, 3), (9, 3), (6, 11)] { bytes[(y * 20 + x) * 3 + 1] ^= 128 }
    let other = Pixels(
      size: one.size, bands: 3, format: .uint8, interpretation: .srgb, bytes: bytes)
    let comparison = try Comparison(original: one, corrected: other)
    #expect(comparison.differingPixels == 3 && comparison.largestDifference == 128)
    #expect(comparison.bounds == (try PixelRegion(x: 4, y: 3, width: 6, height: 9)))
    #expect(comparison.share == 0.01)
    let marked = comparison.marked()
    #expect(marked[4, 3] == [192, 0, 192])
    #expect(marked[5, 3][0] == marked[5, 3][1] && marked[5, 3][0] < 86)
    let same = try Comparison(original: one, corrected: one)
    #expect(same.bounds == nil && same.share == 0)
    #expect(try Comparison(original: one, corrected: other, threshold: 128).differingPixels == 0)
    #expect(throws: PipelineError.self) {
      try Comparison(original: one, corrected: plain(3))
    }
  }
}
