import SystemPackage
import TestSupport
import Testing
import ZoomCorpus
import ZoomGeometry

@testable import ZoomPipeline

struct ImageWriteTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  /// Returns a small scene in any pixel form.
  private func pixels(_ form: PixelForm, _ colours: ColourInterpretation) throws -> Pixels {
    let scene = try SyntheticScene(
      .petronas, size: PixelSize(width: 67, height: 45), seed: 8, form: form)
    return try Pixels(
      67, 45, form.bands, form.bytesPerSample == 1 ? .uint8 : .uint16, colours,
      bytes: scene.pixels())
  }

  @Test(arguments: [
    (PixelForm.gray8, "b-w"), (.rgb8, "srgb"), (.rgba8, "srgb"), (.gray16, "grey16"),
    (.rgb16, "rgb16"),
  ])
  func `what is written without loss is read as it was`(
    _ form: PixelForm, _ colours: String
  ) throws {
    let pixels = try pixels(form, ColourInterpretation(rawValue: colours))
    let formats: [(String, SaveFormat)] = [
      ("a.png", .png(compression: 6, interlaced: false)),
      ("b.png", .png(compression: 1, interlaced: true)), ("c.png", .bySuffix),
      ("d.tif", .tiledTIFF(tile: 16, pyramid: true)),
      ("e.tif", .tiledTIFF(tile: 32, pyramid: false)),
    ]
    for (name, format) in formats {
      let path = folder.path.appending(name)
      try Image(pixels).write(to: path, as: format)
      #expect(try Reference(path).pixels.difference(from: pixels) == nil, "\(name)")
    }
    #expect(try folder.names() == formats.map(\.0))
  }

  @Test func `WebP without loss and JPEG in either order keep their shape`() throws {
    let pixels = try pixels(.rgb8, .srgb)
    let image = try Image(pixels)
    let webp = folder.path.appending("a.webp")
    try image.write(to: webp, as: .webp(quality: 80, lossless: true))
    #expect(try Reference(webp).pixels.difference(from: pixels) == nil)
    for (progressive, subsampled) in [(false, true), (true, true), (false, false)] {
      let path = folder.path.appending("a.jpg")
      try image.write(
        to: path, as: .jpeg(quality: 90, progressive: progressive, subsampled: subsampled))
      let jpeg = try JPEGStructure(of: path)
      #expect(jpeg.process == (progressive ? .progressive : .baseline))
      #expect(jpeg.samplingName == (subsampled ? "4:2:0" : "4:4:4"))
      #expect(try Picture(path).isInterlaced == progressive)
    }
  }

  @Test(arguments: ["a.nosuch", "a", "a.png[compression=9]", "a.png]", "a."])
  func `a name that no encoder takes is refused before anything is written`(
    _ name: String
  ) throws {
    let path = folder.path.appending(name)
    let image = try Image(pixels(.rgb8, .srgb))
    for attempt in [
      { try image.writeForScreen(to: path) }, { try image.write(to: path, as: .bySuffix) },
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
      try Image.open(cut, access: .sequential).writeForScreen(to: target)
    }
    #expect(try bytes(of: target) == [1, 2, 3])
    #expect(try folder.names() == ["cut.jpg", "out.png"])
    let nowhere = folder.path.appending("missing/out.png")
    #expect(throws: PipelineError.self) {
      try Image(pixels(.rgb8, .srgb)).writeForScreen(to: nowhere)
    }
  }

  @Test func `CMYK becomes sRGB for a screen, and what a screen shows stays`() async throws {
    let ink = try Reference(try await CorpusPictures.file("cmyk")).pixels
    #expect(ink.bands == 4 && ink.interpretation == .cmyk)
    let path = folder.path.appending("screen.png")
    try Image(ink).writeForScreen(to: path)
    let shown = try Reference(path).pixels
    #expect(shown.bands == 3 && shown.interpretation == .srgb && shown.size == ink.size)
    #expect(shown.format == .uint8)
    for (form, colours) in [(PixelForm.rgb8, ColourInterpretation.srgb), (.rgb16, .rgb16)] {
      let pixels = try pixels(form, colours)
      try Image(pixels).writeForScreen(to: path)
      #expect(try Reference(path).pixels.difference(from: pixels) == nil)
    }
  }

  /// Bare paper is white and full black ink is dark, whatever profile the conversion uses.
  @Test func `no ink is white and black ink is black`() throws {
    let ink = try Pixels(2, 1, 4, .uint8, .cmyk, bytes: [0, 0, 0, 0, 0, 0, 0, 255])
    let path = folder.path.appending("a.png")
    try Image(ink).writeForScreen(to: path)
    let shown = try Reference(path).pixels.bytes
    // libvips' CMYK profile maps paper nearly to white, and black ink to dark grey.
    #expect(shown[0...2].allSatisfy { $0 >= 250 })
    #expect(shown[3...5].allSatisfy { $0 <= 64 })
  }
}
