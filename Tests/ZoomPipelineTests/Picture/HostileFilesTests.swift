import SystemPackage
import TestSupport
import Testing
import ZoomGeometry

@testable import ZoomPipeline

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Files that are made to do harm end in one error, whatever reads them.
struct HostileFilesTests {
  private let folder: TestFolder
  private let corner: RegionRequest

  init() throws {
    folder = try TestFolder()
    corner = RegionRequest(try PixelRegion(x: 0, y: 0, width: 1, height: 1))
  }

  @Test func `a TIFF with two sizes and two tile sizes opens as libvips has it`() throws {
    func little(_ number: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
    // A tag, its type (1 BYTE, 3 SHORT, 4 LONG), how many values, and these or where they are.
    let entries: [(Int, Int, Int, Int)] = [
      (256, 1, 1, 16), (256, 4, 1, 2_147_483_647), (257, 1, 1, 16), (257, 4, 1, 2_147_483_647),
      (258, 3, 1, 8), (259, 3, 1, 1), (262, 3, 1, 2), (277, 3, 1, 3), (284, 3, 1, 2),
      (322, 1, 1, 16), (322, 4, 1, 1), (323, 1, 1, 16), (323, 4, 1, 1), (324, 4, 3, 194),
      (325, 4, 3, 206),
    ]
    var bytes: [UInt8] = Array("II*\0".utf8) + little(8, 4) + little(entries.count, 2)
    for (tag, type, count, value) in entries {
      bytes += little(tag, 2) + little(type, 2) + little(count, 4) + little(value, 4)
    }
    bytes += little(0, 4)
    #expect(bytes.count == 194)
    for plane in 0..<3 { bytes += little(218 + 256 * plane, 4) }
    for _ in 0..<3 { bytes += little(256, 4) }
    bytes += (0..<3 * 256).map { UInt8($0 & 255) }
    let path = try folder.write(bytes, as: "two.tif")
    #expect(try Picture(path).size == PixelSize(width: 16, height: 16))
    for pipeline in StandardPipelines().all {
      // libvips opens it and then decodes no planes that stand apart in tiles.
      let error = #expect(throws: PipelineError.self) { try pipeline.open(path).read(corner) }
      #expect(error?.code == .damaged || error?.code == .unsupported, "\(pipeline.name)")
    }
  }

  @Test func `a tiny PNG or PNM that claims a million pixels a side is opened by nothing`() throws {
    let tiny = folder.path.appending("a.png")
    let pixel = Pixels(
      size: try PixelSize(width: 1, height: 1), bands: 1, format: .uint8, interpretation: .grey,
      bytes: [9])
    try Image(pixel).write(to: tiny, as: .bySuffix)
    var png = try bytes(of: tiny)
    // Behind the signature, the chunk's length and its name: width and height, then five bytes.
    png.replaceSubrange(16..<24, with: [0, 15, 0x42, 0x40, 0, 15, 0x42, 0x40])
    png.replaceSubrange(29..<33, with: Self.checksum(png[12..<29]))
    // Every sample of a plain PNM would be made up behind the file's end.
    let plain = Array("P3 1000000 1000000 255 7 7 7".utf8)
    let limits = PictureLimits(loaders: .all)
    for path in [try folder.write(png, as: "huge.png"), try folder.write(plain, as: "huge.ppm")] {
      for pipeline in StandardPipelines(limits: limits).all {
        let error = #expect(throws: PipelineError.self) { try pipeline.open(path) }
        #expect(error?.code == .damaged, "\(pipeline.name)")
        #expect(error?.reason.contains("cannot hold") == true)
      }
    }
  }

  @Test func `what would be decoded whole is refused past the budget, by each source`() async throws
  {
    // Interlaced, so that no source can go through it row by row.
    let path = try await CorpusPictures.file("png-interlaced")
    let raster = try Picture(path).rasterByteCount
    let pipelines = StandardPipelines(limits: PictureLimits(bytes: raster - 1))
    for pipeline in pipelines.all {
      let error = #expect(throws: PipelineError.self, "\(pipeline.name)") {
        try pipeline.open(path)
      }
      let isOther = ["skip", "indexed"].contains(pipeline.name)
      #expect(error?.code == (isOther ? .unsupported : .overBudget), "\(pipeline.name)")
    }
    #expect(try SequentialPipeline(limits: PictureLimits(bytes: raster)).open(path).size.area > 0)
    #expect(throws: PipelineError.self) {
      try Picture(path, limits: PictureLimits(bytes: raster - 1)).digest()
    }
  }

  @Test func `a region larger than the budget is refused where the picture need not be`()
    async throws
  {
    let path = try await CorpusPictures.file("jpeg-444")
    let limits = PictureLimits(bytes: 30_000)
    let pipelines = StandardPipelines(limits: limits)
    let large = RegionRequest(try PixelRegion(x: 0, y: 0, width: 101, height: 100))
    let small = RegionRequest(try PixelRegion(x: 0, y: 0, width: 100, height: 100))
    for name in ["sequential", "skip", "indexed"] {
      let source = try #require(pipelines.named(name)).open(path)
      #expect(throws: PipelineError.self, "\(name)") { try source.read(large) }
      #expect(try source.read(small).pixels.size.area == 10_000)
    }
    #expect(throws: PipelineError.self) { try NaivePipeline(limits: limits).open(path) }
  }

  @Test func `a named pipe, a folder and an empty file are refused at once`() throws {
    let pipe = folder.path.appending("pipe")
    #expect(pipe.withPlatformString { mkfifo($0, 0o600) } == 0)
    for (path, code) in [
      (pipe, PipelineError.Code.unreadable), (folder.path, .unreadable),
      (try folder.write([], as: "empty.jpg"), .notAPicture),
      (folder.path.appending("missing"), .noSuchFile),
    ] {
      for pipeline in StandardPipelines().all {
        let error = #expect(throws: PipelineError.self) { try pipeline.open(path) }
        #expect(error?.code == code, "\(path) \(pipeline.name)")
      }
    }
  }

  @Test(arguments: [
    ("<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>", "svg"),
    ("P6 2 1 255 abcdef", "ppm"),
  ])
  func `a format whose loader is not trusted is let in only where all are`(
    _ text: String, _ format: String
  ) throws {
    let path = try folder.write(Array(text.utf8), as: "a.\(format)")
    let error = #expect(throws: PipelineError.self) { try Picture(path) }
    #expect(
      error?.description
        == "\(path): open: its format (\(format)) is read by a loader that libvips marks as untrusted"
        + " (--loaders all allows it)")
    let picture = try Picture(path, limits: PictureLimits(loaders: .all))
    #expect(try RandomPipeline().open(picture).read(corner).pixels.bands >= 3)
  }

  @Test func `a name is never read as options, and none but a file's content decides`() throws {
    let text = Array("no picture at all".utf8)
    for name in ["a.jpg[shrink=8]", "a\nb.mat", "a.svg[scale=1000000]", "]"] {
      for loaders in PictureLimits.Loaders.allCases {
        let path = try folder.write(text, as: name)
        let error = #expect(throws: PipelineError.self) {
          try Picture(path, limits: PictureLimits(loaders: loaders))
        }
        #expect(error?.code == .notAPicture, "\(name)")
      }
    }
  }

  @Test func `a picture that is replaced or cut off while it is open ends in an error`() throws {
    let whole = try JPEGBytes.small(300, 200).bytes
    let foot = RegionRequest(try PixelRegion(x: 280, y: 190, width: 10, height: 10))
    for pipeline in StandardPipelines().all {
      let path = folder.path.appending("\(pipeline.name).jpg")
      let other = try folder.write(try JPEGBytes.small(300, 200).bytes, as: "other.jpg")
      try folder.write(whole, as: "\(pipeline.name).jpg")
      let replaced = try pipeline.open(path)
      #expect(rename(other.string, path.string) == 0)
      #expect(throws: PipelineError.self, "\(pipeline.name)") { try replaced.read(foot) }
      let cut = try pipeline.open(path)
      #expect(truncate(path.string, whole.count / 3) == 0)
      #expect(throws: PipelineError.self, "\(pipeline.name)") { try cut.read(foot) }
    }
  }

  /// A PNG chunk's checksum (ISO 3309).
  private static func checksum(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var value: UInt32 = .max
    for byte in bytes {
      value ^= UInt32(byte)
      for _ in 0..<8 { value = value >> 1 ^ (value & 1 == 1 ? 0xEDB8_8320 : 0) }
    }
    return (0..<4).map { UInt8(truncatingIfNeeded: ~value >> (24 - 8 * $0)) }
  }
}
