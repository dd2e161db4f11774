import Foundation
import SystemPackage
import TestSupport
import Testing
import ZoomGeometry

@testable import ZoomPipeline

/// Checks that missing, invalid, truncated and malicious files give one error with their name.
struct HostileFilesTests {
  private let folder: TestFolder
  private let corner: RegionRequest

  init() throws {
    folder = try TestFolder()
    corner = RegionRequest(try PixelRegion(x: 0, y: 0, width: 1, height: 1))
  }

  @Test func `what is no regular file, or not there, is refused at once`() throws {
    let pipe = folder.path.appending("pipe")
    #expect(mkfifo(pipe.string, 0o600) == 0)
    let file = try folder.write(try JPEGBytes.small().bytes, as: "a.jpg")
    expectRefusal(folder.path.appending("missing.jpg"), .noSuchFile)
    expectRefusal(file.appending("b.jpg"), .noSuchFile)
    expectRefusal(folder.path, .unreadable)
    expectRefusal(pipe, .unreadable)
    expectRefusal("/dev/null", .unreadable)
  }

  @Test(.enabled(if: geteuid() != 0, "root may read everything"))
  func `a file that may not be read`() throws {
    let file = try folder.write(try JPEGBytes.small().bytes, as: "a.jpg")
    #expect(chmod(file.string, 0) == 0)
    expectRefusal(file, .unreadable, or: .notAPicture)
  }

  /// Names are never read as options and do not decide the format.
  @Test(arguments: [
    ("empty.jpg", []), ("empty", []), ("one.jpg", [0xFF]), ("two.png", [0x89, 0x50]),
    ("text.jpg", Array("hello\n".utf8)), ("a.jpg[shrink=2]", Array("not a picture".utf8)),
    ("a\nb.mat", Array("no".utf8)), ("a.svg[scale=1000000]", Array("no".utf8)),
    ("]", Array("no picture at all".utf8)),
  ])
  func `files that are no pictures`(_ name: String, _ content: [UInt8]) throws {
    let file = try folder.write(content, as: name)
    for loaders in PictureLimits.Loaders.allCases {
      expectRefusal(file, .notAPicture, PictureLimits(loaders: loaders))
    }
    #expect(try folder.names() == [name])
  }

  /// Files of only a signature, which libvips recognises before it fails to read the header.
  @Test(arguments: [
    ("soi.jpg", [0xFF, 0xD8, 0xFF]), ("png.png", [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
    ("tiff.tif", [0x49, 0x49, 42, 0, 8, 0, 0, 0]),
    // With ImageMagick, libvips recognises zeros as a TGA.
    ("zeros.tif", [UInt8](repeating: 0, count: 5000)),
  ])
  func `files that are only a beginning`(_ name: String, _ content: [UInt8]) throws {
    expectRefusal(try folder.write(content, as: name), .damaged, or: .notAPicture)
  }

  @Test(arguments: [
    "jpeg-444", "jpeg-restart-part", "orientation-6", "jpeg-scans", "png", "png-interlaced",
    "png-16", "webp", "tiff-tiled",
  ])
  func `pictures that are cut off give damaged, never pixels of the missing part`(
    _ name: String
  ) async throws {
    let whole = try bytes(of: try await CorpusPictures.file(name))
    // The levels of a pyramid follow the picture, so truncating them is harmless.
    for part in [0.02, 0.2, 0.5, 0.9, 0.99] where name != "tiff-tiled" || part < 0.9 {
      let cut = Array(whole.prefix(Int(Double(whole.count) * part)))
      let file = try folder.write(cut, as: "cut-\(part)")
      for pipeline in StandardPipelines().all {
        for reduction in [Reduction.none, .quarter] {
          let label: Comment = "\(pipeline.name) at \(part) by \(reduction.rawValue)"
          let error = #expect(throws: PipelineError.self, label) {
            let source = try pipeline.open(file)
            let whole = PixelRegion(whole: source.size)
            _ = try source.read(RegionRequest(whole, reduction: reduction))
          }
          let isRefusal = error?.code == .unsupported && pipeline.name == "partial"
          #expect(isRefusal || [.damaged, .notAPicture].contains(error?.code), label)
          #expect(error?.file == file, label)
        }
      }
    }
    #expect(try folder.names().allSatisfy { $0.hasPrefix("cut-") }, "left behind")
  }

  @Test func `a picture that is replaced, cut off or gone while it is open ends in an error`()
    throws
  {
    let whole = try JPEGBytes.small(300, 200).bytes
    let foot = try PixelRegion(x: 280, y: 184, width: 16, height: 16)
    for request in [RegionRequest(foot), RegionRequest(foot, reduction: .half)] {
      for pipeline in StandardPipelines().all {
        let path = try folder.write(whole, as: "\(pipeline.name).jpg")
        let replaced = try pipeline.open(path)
        _ = try replaced.read(request)
        // Replaced by the same bytes in another file, with another inode.
        try AtomicFile.write(whole, to: path)
        expectError(.changed, of: path, "\(pipeline.name)") { try replaced.read(request) }
        let cut = try pipeline.open(path)
        #expect(truncate(path.string, whole.count / 3) == 0)
        #expect(throws: PipelineError.self, "\(pipeline.name)") { try cut.read(request) }
        try FileManager.default.removeItem(atPath: path.string)
        expectError(.noSuchFile, "\(pipeline.name)") { try replaced.read(request) }
      }
    }
  }

  private func expectRefusal(
    _ path: FilePath, _ code: PipelineError.Code, or other: PipelineError.Code? = nil,
    _ limits: PictureLimits = PictureLimits()
  ) {
    for pipeline in StandardPipelines(limits: limits).pictureReaders {
      for attempt in [
        { _ = try pipeline.open(path) },
        { _ = try pipeline.open(Picture(path, limits: limits)) },
      ] {
        let error = expectError(code, or: other, of: path, "\(pipeline.name)") { try attempt() }
        let line = error?.description ?? ""
        // Only the text after the name must be in one line, because names may contain line breaks.
        #expect(line.contains(path.string) && !line.dropFirst(path.string.count).contains("\n"))
      }
    }
  }

  @Test func `a TIFF with two sizes and two tile sizes opens as libvips has it`() throws {
    var tiff = TIFFBytes(width: 16, height: 16, kind: .init(2, 8, 3), rowsPerStrip: nil)
    tiff.isPlanar = true
    // A BYTE and a LONG for each side; tiles instead of strips.
    func setTiles(at start: Int) {
      tiff.more = [
        .init(256, 1, [16]), .init(256, 4, [2_147_483_647]), .init(257, 1, [16]),
        .init(257, 4, [2_147_483_647]), .init(258, 3, [8]), .init(273, 4, []), .init(279, 4, []),
        .init(322, 1, [16]), .init(322, 4, [1]), .init(323, 1, [16]), .init(323, 4, [1]),
        .init(324, 4, [start, start + 256, start + 512]), .init(325, 4, [256, 256, 256]),
      ]
    }
    setTiles(at: 0)
    setTiles(at: tiff.file(seed: 1).dataStart)
    let path = try folder.write(tiff.file(seed: 1).bytes, as: "two.tif")
    #expect(try Picture(path).size == PixelSize(width: 16, height: 16))
    for pipeline in StandardPipelines().all {
      // libvips opens the file but does not decode separate planes in tiles.
      expectError(.damaged, or: .unsupported, "\(pipeline.name)") {
        try pipeline.open(path).read(corner)
      }
    }
  }

  @Test func `a tiny file that claims a great many pixels is opened by nothing`() throws {
    let png = RandomPNG(.init(colourType: 0, depth: 8), width: 1, height: 1, seed: 1)
      .bytes(claiming: 1_000_000, 1_000_000)
    // A plain PNM whose samples would nearly all be invented after the file's end.
    let plain = Array("P3 1000000 1000000 255 7 7 7".utf8)
    // libjpeg would invent the missing blocks.
    let tall = try JPEGBytes.small(16, 16).withHeight(65_500).bytes
    let limits = PictureLimits(loaders: .all)
    for (bytes, name) in [(png, "huge.png"), (plain, "huge.ppm"), (tall, "huge.jpg")] {
      let path = try folder.write(bytes, as: name)
      for pipeline in StandardPipelines(limits: limits).all {
        let error = expectError(.damaged, "\(pipeline.name)") { try pipeline.open(path) }
        #expect(error?.reason.contains("cannot hold") == true)
      }
    }
  }

  @Test func `what would be decoded whole is refused past the budget, by each source`() async throws
  {
    // Interlaced, so that no source can decode it row by row.
    let path = try await CorpusPictures.file("png-interlaced")
    let raster = try Picture(path).rasterByteCount
    let pipelines = StandardPipelines(limits: PictureLimits(bytes: raster - 1))
    for pipeline in pipelines.all {
      let error = #expect(throws: PipelineError.self, "\(pipeline.name)") {
        try pipeline.open(path)
      }
      let code = pipeline.name == "partial" ? PipelineError.Code.unsupported : .overBudget
      #expect(error?.code == code, "\(pipeline.name)")
    }
    #expect(try SequentialPipeline(limits: PictureLimits(bytes: raster)).open(path).size.area > 0)
    #expect(throws: PipelineError.self) {
      try Picture(path, limits: PictureLimits(bytes: raster - 1)).digest()
    }
  }

  @Test func `a region larger than the budget is refused, though its picture is opened`()
    async throws
  {
    let path = try await CorpusPictures.file("jpeg-444")
    let limits = PictureLimits(bytes: 30_000)
    let pipelines = StandardPipelines(limits: limits)
    let large = RegionRequest(try PixelRegion(x: 0, y: 0, width: 101, height: 100))
    let small = RegionRequest(try PixelRegion(x: 0, y: 0, width: 100, height: 100))
    for name in ["sequential", "partial"] {
      let source = try #require(pipelines.named(name)).open(path)
      #expect(throws: PipelineError.self, "\(name)") { try source.read(large) }
      #expect(try source.read(small).pixels.size.area == 10_000)
    }
    #expect(throws: PipelineError.self) { try NaivePipeline(limits: limits).open(path) }
  }

  @Test(arguments: [
    ("<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>", "svg"),
    ("P6 2 1 255 abcdef", "ppm"),
  ])
  func `a format whose loader is not trusted is opened only if all loaders are allowed`(
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
}
