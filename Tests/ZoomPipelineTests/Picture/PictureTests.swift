import SystemPackage
import TestSupport
import Testing
import ZoomCorpus
import ZoomGeometry

@testable import ZoomPipeline

struct PictureTests {
  @Test(arguments: try CorpusPictures.all())
  func `the header says what the manifest says`(_ entry: CorpusPicture) async throws {
    let path = try await CorpusPictures.file(entry.name)
    let picture = try Picture(path)
    #expect(picture.storedSize.width == entry.structure.width)
    #expect(picture.storedSize.height == entry.structure.height)
    #expect(picture.orientation.rawValue == entry.structure.orientation)
    #expect(picture.path == path)
    #expect(picture.identity == (try FileIdentity(of: path)))
    let formats: [PictureRecipe.Encoding.Format: String] = [
      .jpeg: "jpegload", .progressiveJPEG: "jpegload", .png: "pngload", .webp: "webpload",
      .tiff: "tiffload",
    ]
    #expect(picture.loader == formats[entry.recipe.encoding.format])
    #expect(picture.reach == (entry.recipe.encoding.format == .tiff ? .regions : .fromTheTop))
    let colours = [
      "gray": "b-w", "cmyk": "cmyk", "ycck": "cmyk", "gray8": "b-w", "rgb16": "rgb16",
    ]
    let named = entry.recipe.encoding.colour ?? entry.recipe.form ?? "rgb8"
    #expect(picture.interpretation.rawValue == colours[named] ?? "srgb")
    #expect(picture.format == (named == "rgb16" ? .uint16 : .uint8))
  }

  @Test(arguments: [
    ("png-interlaced", true), ("petronas-progressive", true), ("png", false), ("forest", false),
    ("jpeg-444", false), ("tiff-tiled", false),
  ])
  func `passes over the whole picture are told`(_ name: String, _ isInterlaced: Bool) async throws {
    #expect(try Picture(try await CorpusPictures.file(name)).isInterlaced == isInterlaced)
  }

  @Test(arguments: [
    ("grey", 613 * 457), ("jpeg-444", 613 * 457 * 3), ("png-alpha", 613 * 457 * 4),
    ("png-16", 613 * 457 * 6), ("orientation-6", 331 * 205 * 3), ("tiny-1x1", 3),
  ])
  func `the raster takes bands times bytes a sample`(_ name: String, _ count: Int) async throws {
    let path = try await CorpusPictures.file(name)
    #expect(try Picture(path).rasterByteCount == count)
    #expect(try Reference(path).pixels.bytes.count == count)
  }

  @Test func `quarter turns swap the sides to be seen`() async throws {
    for tag in 1...8 {
      let picture = try Picture(try await CorpusPictures.file("orientation-\(tag)"))
      let sides = [picture.size.width, picture.size.height]
      #expect(sides == (tag <= 4 ? [331, 205] : [205, 331]))
    }
  }

  @Test(arguments: [0, 9, 255])
  func `a senseless orientation counts as upright`(_ tag: UInt8) throws {
    var options = BaselineJPEG.Options()
    options.metadata.orientation = 6
    let jpeg = try JPEGBytes(40, 30, options)
    let entry: [UInt8] = [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6]
    let at = try #require(
      jpeg.bytes.indices.first { Array(jpeg.bytes[$0...].prefix(entry.count)) == entry })
    let folder = try TestFolder()
    let path = try folder.write(jpeg.patched { $0[at + 9] = tag }.bytes, as: "a.jpg")
    #expect(try Picture(path).orientation == .up)
    #expect(try Reference(path).region.size == PixelSize(width: 40, height: 30))
  }

  @Test func `the digest of every small picture is the manifest's and that of its pixels`()
    async throws
  {
    for entry in try CorpusPictures.all() where entry.structure.width < 1000 {
      let path = try await CorpusPictures.file(entry.name)
      let digest = try Picture(path).digest()
      #expect(digest == entry.pixels, "\(entry.name)")
      #expect(try digest == PixelDigest(of: Reference(path).pixels), "\(entry.name)")
    }
  }
}
