import SystemPackage
import TestSupport
import Testing
import ZoomCorpus
import ZoomGeometry

@testable import ZoomPipeline
@testable import ZoomCorpus

struct PictureTests {
  @Test(arguments: try CorpusPictures.all())
  func `the header says what the manifest says`(_ entry: CorpusPicture) async throws {
    let path = try await CorpusPictures.file(entry.name)
    let picture = try Picture(path)
    #expect(try CorpusPictures.folder.check(entry) == [])
    #expect(picture.path == path)
    #expect(picture.version == (try FileVersion(of: path)))
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
    let isInOneScan =
      entry.recipe.encoding.separateScans != true && entry.structure.process == .baseline
    #expect((picture.jpegStructure?.firstScanIsComplete ?? false) == isInOneScan)
    let isJPEG = entry.structure.process != nil
    #expect(
      picture.isInterlaced
        == (isJPEG ? !isInOneScan : entry.recipe.encoding.interlaced == true))
  }

  @Test(arguments: [0, 9, 255])
  func `a senseless orientation counts as upright`(_ tag: UInt8) throws {
    let options = JPEGEncoding().with(\.metadata.orientation, 6)
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

  @Test(arguments: [(10_000_000, 10_000_000, 10_000_000), (1000, 1000, 10_000_000)])
  func `a header of impossible size is refused`(width: Int32, height: Int32, bands: Int32) throws {
    // libvips' own format: a magic number, width, height and bands in the machine's byte order.
    var bytes: [UInt8] = [0x08, 0xF2, 0xA6, 0xB6].reversed()
    for number in [width, height, bands, 8, 0, 0, 22] {
      bytes += (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
    bytes += [UInt8](repeating: 0, count: 164 - bytes.count)
    let folder = try TestFolder()
    let path = try folder.write(bytes, as: "a.v")
    expectError(.unsupported, or: .damaged) {
      try Picture(path, limits: PictureLimits(loaders: .all))
    }
    #expect(throws: PipelineError.self) { try Picture(path) }
  }

  @Test(
    arguments: [("jpeg-profile", ColourProfile.wideGamut), ("jpeg-444", nil)]
      as [(String, [UInt8]?)])
  func `an embedded profile comes out byte for byte`(
    _ name: String, _ profile: [UInt8]?
  ) async throws {
    let picture = try Picture(try await CorpusPictures.file(name))
    #expect(picture.profileLength == profile?.count ?? 0)
    #expect(try picture.iccProfile() == profile)
  }
}
