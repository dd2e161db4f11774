import SystemPackage
import TestSupport
import Testing
import ZoomGeometry

@testable import ZoomPipeline

struct ImageTests {
  private let folder: TestFolder
  private let noise: Pixels

  init() throws {
    folder = try TestFolder()
    noise = try Pixels.noise(13, 11)
  }

  private func grey(_ width: Int, _ height: Int, _ bytes: [UInt8]) throws -> Pixels {
    try Pixels(width, height, 1, .uint8, .grey, bytes: bytes)
  }

  private func whole(_ image: Image) throws -> Pixels {
    try image.read(PixelRegion(whole: image.size))
  }

  @Test func `an image keeps its own copy of the pixels`() throws {
    var image: Image
    do {
      let pixels = try grey(2, 2, [1, 2, 3, 4])
      image = try Image(pixels)
    }
    #expect(try whole(image).bytes == [1, 2, 3, 4])
    #expect(image.bands == 1 && image.interpretation == .grey)
    image = try Image(grey(1, 1, [9]))
    #expect(try whole(image).bytes == [9])
  }

  @Test func `colours that libvips has no name for are refused`() throws {
    let pixels = try Pixels(
      1, 1, 1, .uint8, ColourInterpretation(rawValue: "no such colours"), bytes: [1])
    expectError(.fault) { try Image(pixels) }
  }

  @Test func `smearing repeats the edges on every side`() throws {
    let image = try Image(grey(3, 2, [1, 2, 3, 4, 5, 6]))
    let smeared = try image.smeared(onto: PixelSize(width: 7, height: 6), x: 2, y: 1)
    #expect(
      try whole(smeared)
        == grey(
          7, 6,
          [
            1, 1, 1, 2, 3, 3, 3,
            1, 1, 1, 2, 3, 3, 3,
            4, 4, 4, 5, 6, 6, 6,
            4, 4, 4, 5, 6, 6, 6,
            4, 4, 4, 5, 6, 6, 6,
            4, 4, 4, 5, 6, 6, 6,
          ]))
    #expect(try whole(image.smeared(onto: image.size, x: 0, y: 0)) == whole(image))
    // Cut off at the left and the bottom, and wholly outside.
    let two = try PixelSize(width: 2, height: 2)
    for (x, y, wanted) in [(-2, 1, [3, 3, 3, 3]), (-1, 0, [2, 3, 5, 6]), (9, -7, [4, 4, 4, 4])] {
      #expect(try whole(image.smeared(onto: two, x: x, y: y)).bytes == wanted.map { UInt8($0) })
    }
  }

  /// By the definition of the tag: it names the visual side of row 0 and column 0 (CIPA DC-008,
  /// 4.6.5, "Orientation").
  @Test(
    arguments: zip(
      1...8,
      [
        [1, 2, 3, 4, 5, 6], [3, 2, 1, 6, 5, 4], [6, 5, 4, 3, 2, 1], [4, 5, 6, 1, 2, 3],
        [1, 4, 2, 5, 3, 6], [4, 1, 5, 2, 6, 3], [6, 3, 5, 2, 4, 1], [3, 6, 2, 5, 1, 4],
      ] as [[UInt8]]))
  func `turning upright moves each pixel to the place that the tag says`(
    _ tag: Int, _ wanted: [UInt8]
  ) throws {
    let orientation = try #require(Orientation(rawValue: tag))
    let stored = try grey(3, 2, [1, 2, 3, 4, 5, 6])
    let upright = stored.upright(from: orientation)
    #expect(upright.bytes == wanted)
    #expect(upright.size == orientation.uprightSize(ofStored: stored.size))
    #expect(upright.interpretation == .grey)
    #expect(upright.upright(from: orientation.inverse) == stored)
  }

  @Test func `a region that is not inside is refused`() throws {
    let image = try Image(noise)
    for (x, y, width, height) in [(13, 0, 1, 1), (0, 0, 14, 1), (-1, 0, 2, 1), (0, 10, 1, 2)] {
      let region = try PixelRegion(x: x, y: y, width: width, height: height)
      expectError(.outside) { try image.read(region) }
    }
  }

  @Test func `the name decides nothing: contents do, and brackets are no options`() throws {
    let jpeg = try JPEGBytes.small().bytes
    let wanted = try Reference(try folder.write(jpeg, as: "plain.jpg")).pixels
    for name in ["no-suffix", "wrong.png", "a.jpg[shrink=2]", "blank and ünïcode.jpg", ".hidden"] {
      let path = try folder.write(jpeg, as: name)
      #expect(try Picture(path).size == wanted.size, "\(name)")
      #expect(try Reference(path).pixels.difference(from: wanted) == nil, "\(name)")
    }
  }

  @Test func `bytes in memory decode like the file`() throws {
    let jpeg = try JPEGBytes.small().bytes
    let path = try folder.write(jpeg, as: "a.jpg")
    let image = try Image.open(jpeg: jpeg, for: path)
    let pixels = try image.read(PixelRegion(whole: image.size))
    #expect(try pixels.difference(from: Reference(path).pixels) == nil)
    for broken in [[], [0xFF], Array(jpeg.prefix(100))] {
      expectError(.damaged, of: path) { try Image.open(jpeg: broken, for: path) }
    }
  }

  @Test(arguments: ["a.nosuch", "a", "a.png[compression=9]", "a.png]", "a."])
  func `a name that no encoder takes is refused before anything is written`(
    _ name: String
  ) throws {
    let path = folder.path.appending(name)
    let image = try Image(noise)
    for attempt in [
      { try image.writeForScreen(to: path) }, { try image.write(to: path) },
      { try Image.checkSuffix(of: path) },
    ] {
      expectError(.unwritable, of: path) { try attempt() }
    }
    #expect(try folder.names().isEmpty)
  }

  @Test func `a write that fails leaves the old file and no other`() throws {
    // The picture is truncated inside its data, which shows while the encoder requests pixels.
    let jpeg = try JPEGBytes.small(300, 300)
    let cut = try folder.write(Array(jpeg.bytes.prefix(jpeg.bytes.count / 2)), as: "cut.jpg")
    let target = try folder.write([1, 2, 3], as: "out.png")
    expectError(.unwritable, or: .damaged) {
      try Image.open(Picture(cut)).writeForScreen(to: target)
    }
    #expect(try bytes(of: target) == [1, 2, 3])
    #expect(try folder.names() == ["cut.jpg", "out.png"])
    let nowhere = folder.path.appending("missing/out.png")
    #expect(throws: PipelineError.self) {
      try Image(noise).writeForScreen(to: nowhere)
    }
  }

  @Test func `CMYK becomes sRGB for a screen, and what a screen shows stays`() throws {
    // Bare paper and full black ink.
    let ink = try Pixels(2, 1, 4, .uint8, .cmyk, bytes: [0, 0, 0, 0, 0, 0, 0, 255])
    let path = folder.path.appending("screen.png")
    try Image(ink).writeForScreen(to: path)
    let shown = try Reference(path).pixels
    #expect(shown.bands == 3 && shown.interpretation == .srgb && shown.size == ink.size)
    #expect(shown.format == .uint8)
    // libvips' CMYK profile maps paper nearly to white, and black ink to dark grey.
    #expect(shown.bytes[0...2].allSatisfy { $0 >= 250 })
    #expect(shown.bytes[3...5].allSatisfy { $0 <= 64 })
    let deep = try Pixels.noise(13, 11, format: .uint16).bytes
    for pixels in [noise, try Pixels(13, 11, 3, .uint16, .rgb16, bytes: deep)] {
      try Image(pixels).writeForScreen(to: path)
      #expect(try Reference(path).pixels.difference(from: pixels) == nil)
    }
  }
}
