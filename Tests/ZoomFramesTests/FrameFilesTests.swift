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
    let frames = try [UInt8(40), 120, 200].map { try plain($0) }
    try FrameAnimation.write(frames.map { (pixels: $0, milliseconds: 40) }, to: path)
    #expect(try folder.names() == ["zoom.\(suffix)"])
    let pixels = try Picture(path).storedPixels().forScreen()
    #expect(pixels.size == frames[0].size && pixels.largestDifference(from: frames[0]) <= 3)
    let written = try bytes(of: path)
    // "ANMF" begins each frame of a WebP, 0x21 0xF9 0x04 the control block of each GIF frame.
    let mark: [UInt8] = suffix == "webp" ? Array("ANMF".utf8) : [0x21, 0xF9, 0x04]
    let marks = written.indices.count { written[$0...].starts(with: mark) }
    #expect(marks == 3)
  }

  @Test func `an animation that a file cannot hold is refused before any work`() throws {
    let frame: FrameAnimation.Picture = (pixels: try plain(9), milliseconds: 20)
    let other: FrameAnimation.Picture = (pixels: try plain(9, 10, 10), milliseconds: 20)
    let instant: FrameAnimation.Picture = (pixels: frame.pixels, milliseconds: 0)
    let wide: FrameAnimation.Picture = (pixels: try plain(9, 16384, 1), milliseconds: 20)
    let refused: [([FrameAnimation.Picture], String, Int, PipelineError.Code)] = [
      ([frame], "zoom.png", 1 << 20, .unwritable), ([frame], "zoom", 1 << 20, .unwritable),
      ([], "zoom.webp", 1 << 20, .unsupported),
      ([frame, other], "zoom.webp", 1 << 20, .unsupported),
      ([instant], "zoom.webp", 1 << 20, .unsupported),
      ([wide], "zoom.webp", 1 << 20, .unwritable),
      ([frame, frame, frame], "zoom.webp", 16 * 12 * 3 * 2, .unwritable),
    ]
    for (frames, name, budget, code) in refused {
      expectError(code, "\(name)") {
        try FrameAnimation.write(frames, to: FilePath(name), budget: budget)
      }
    }
    #expect(throws: PipelineError.self) {
      try FrameAnimation.write([frame], to: FilePath("/no such folder/zoom.webp"))
    }
  }

  @Test func `a sheet lays frames out row by row`() throws {
    let frames = try [UInt8(10), 90, 170].map { try plain($0) }
    let sheet = try ContactSheet(columns: 2, cellWidth: 8).pixels(frames)
    #expect(sheet.size == (try PixelSize(width: 2 * 8 + 24, height: 2 * 6 + 24)))
    for (x, y, shade) in [
      (9, 9, 10), (25, 9, 90), (9, 23, 170), (25, 23, 64), (0, 0, 64), (20, 10, 64),
    ] {
      #expect(sheet[x, y].map(Int.init) == [shade, shade, shade], "\(x) \(y)")
    }
    let one = try ContactSheet(columns: 5, cellWidth: 16).pixels([frames[1]])
    let cell = one.crop(try PixelRegion(x: 8, y: 8, width: 16, height: 12))
    #expect(cell.difference(from: frames[1]) == nil)
    expectError(.unsupported) { try ContactSheet(columns: 2, cellWidth: 8).pixels([]) }
    expectError(.unwritable) { try ContactSheet(columns: 2, cellWidth: .max).pixels(frames) }
  }

  @Test func `padding keeps every pixel in the middle and shades the rest`() throws {
    let pixels = try Pixels.noise(5, 4)
    let padded = try ContactSheet.padded(pixels, to: PixelSize(width: 9, height: 7))
    let middle = padded.crop(try PixelRegion(x: 2, y: 1, width: 5, height: 4))
    #expect(middle.difference(from: pixels) == nil)
    #expect(padded.bytes.count { $0 == 64 } >= (9 * 7 - 5 * 4) * 3)
    #expect(padded[0, 0] == [64, 64, 64] && padded[8, 6] == [64, 64, 64])
    #expect(try ContactSheet.padded(pixels, to: pixels.size).difference(from: pixels) == nil)
  }

  @Test func `scaling gives the size asked for, and the same size the same pixels`() throws {
    let pixels = try Pixels.slopes(40, 30)
    for (width, height) in [(20, 15), (13, 40), (80, 7), (1, 1)] {
      let size = try PixelSize(width: width, height: height)
      #expect(try pixels.resampled(to: size).size == size)
    }
    #expect(try pixels.resampled(to: pixels.size).difference(from: pixels) == nil)
    // Scaling keeps a gradient: its middle has the same level.
    let half = try pixels.resampled(to: PixelSize(width: 20, height: 15))
    #expect(abs(Int(half[10, 7][0]) - Int(pixels[20, 15][0])) <= 5)
  }

  @Test func `a comparison marks what differs`() throws {
    let one = try Pixels.noise(20, 15)
    var bytes = one.bytes
    for (x, y) in [(4, 3), (9, 3), (6, 11)] { bytes[(y * 20 + x) * 3 + 1] ^= 128 }
    let other = Pixels(rgb: one.size, bytes)
    let comparison = try Comparison(original: one, corrected: other)
    #expect(comparison.share == 0.01)
    #expect(comparison.marked[4, 3] == [192, 0, 192])
    let beside = comparison.marked[5, 3]
    #expect(beside[0] == beside[1] && beside[0] < 86)
    #expect(try Comparison(original: one, corrected: one).share == 0)
    #expect(try Comparison(original: one, corrected: other, threshold: 128).share == 0)
    #expect(throws: PipelineError.self) {
      try Comparison(original: one, corrected: plain(3))
    }
  }
}
