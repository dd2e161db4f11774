import Foundation
import SystemPackage
import TestSupport
import Testing
import ZoomGeometry

@testable import ZoomPipeline

struct TiledPipelineTests {
  private let side = TiledPipeline.tileSide

  @Test func `a small region reads a small part of the TIFF, the whole picture all of it`()
    async throws
  {
    let path = try await CorpusPictures.file("forest")
    let pipeline = TiledPipeline()
    let source = try pipeline.open(path)
    let tiff = try #require(pipeline.preparedFile(for: path))
    let length = try FileVersion(of: tiff).length
    func bytes(_ region: PixelRegion) throws -> Int {
      source.forget()
      let work = try source.read(RegionRequest(region)).work
      #expect(work.pixelsDecoded == nil, "libvips does not report which tiles it decoded")
      return try #require(work.bytesRead)
    }
    let one = try bytes(try PixelRegion(x: 300, y: 300, width: 1, height: 1))
    let four = try bytes(try PixelRegion(x: side - 1, y: side - 1, width: 2, height: 2))
    let all = try bytes(PixelRegion(whole: source.size))
    #expect(one > 0 && one < four && four * 3 < all)
    #expect(all * 10 > length * 9)
  }

  @Test func `a picture is converted once, and again when its file is another one`() throws {
    let folder = try TestFolder()
    let pipeline = TiledPipeline()
    let path = try folder.write(try JPEGBytes.small().bytes, as: "a.jpg")
    let first = try #require(try pipeline.prepare(path))
    let made = try #require(pipeline.preparedFile(for: path))
    #expect(try FileVersion(of: made).length == first.byteCount)
    let identity = try FileVersion(of: made)
    #expect(try pipeline.prepare(path) == first)
    _ = try pipeline.open(path)
    #expect(try FileVersion(of: made) == identity, "made a second time")
    try folder.write(try JPEGBytes.small(99, 77).bytes, as: "a.jpg")
    #expect(pipeline.preparedFile(for: path) == nil)
    #expect(try pipeline.open(path).size == PixelSize(width: 99, height: 77))
    #expect(pipeline.preparedFile(for: path) != made)
  }

  @Test func `what libvips reads in parts is read as it is`() async throws {
    let path = try await CorpusPictures.file("tiff-tiled")
    let pipeline = TiledPipeline()
    #expect(try pipeline.prepare(path) == nil)
    let source = try pipeline.open(path)
    #expect(pipeline.preparedFile(for: path) == nil)
    let region = try PixelRegion(x: 127, y: 127, width: 2, height: 2)
    let part = try #require(try source.read(RegionRequest(region)).work.bytesRead)
    #expect(part < (try FileVersion(of: path).length))
  }

  @Test func `its files go with it, and when told to`() throws {
    let folder = try TestFolder()
    let path = try folder.write(try JPEGBytes.small().bytes, as: "a.jpg")
    var made: [FilePath] = []
    do {
      let pipeline = TiledPipeline()
      for _ in 0..<2 {
        pipeline.removeFiles()
        #expect(pipeline.preparedFile(for: path) == nil)
        _ = try pipeline.prepare(path)
        made.append(try #require(pipeline.preparedFile(for: path)))
      }
      expectError(.noSuchFile) { try FileVersion(of: made[0]) }
      _ = try FileVersion(of: made[1])
    }
    expectError(.noSuchFile) { try FileVersion(of: made[1]) }
  }

  @Test func `of many pictures the files of the last few are kept`() throws {
    let folder = try TestFolder()
    let bytes = try JPEGBytes.small().bytes
    let pipeline = TiledPipeline()
    var sources: [any RegionSource] = []
    var paths: [FilePath] = []
    for number in 0..<TiledPipeline.mostKept + 3 {
      let path = try folder.write(bytes, as: "\(number).jpg")
      paths.append(path)
      sources.append(try pipeline.open(path))
      // The first is used again and again, so it stays.
      _ = try pipeline.prepare(paths[0])
    }
    let kept = paths.filter { pipeline.preparedFile(for: $0) != nil }
    #expect(kept == [paths[0]] + paths.suffix(TiledPipeline.mostKept - 1))
    // A picture that cannot be decoded evicts no other.
    let cut = try folder.write(Array(bytes.prefix(bytes.count / 2)), as: "cut.jpg")
    expectError(.damaged, of: cut) { try pipeline.prepare(cut) }
    #expect(paths.filter { pipeline.preparedFile(for: $0) != nil } == kept)
    let file = try #require(pipeline.preparedFile(for: paths[0]))
    let names = try FileManager.default.contentsOfDirectory(
      atPath: file.removingLastComponent().string)
    #expect(names.count { $0.hasSuffix(".tif") } == TiledPipeline.mostKept)
    // Open sources still answer.
    let answers = try sources.map {
      try $0.read(RegionRequest(PixelRegion(whole: $0.size))).pixels
    }
    #expect(answers.allSatisfy { $0 == answers[0] })
  }

  @Test func `a file that others evict at the same time is open before`() throws {
    let folder = try TestFolder()
    let bytes = try JPEGBytes.small(20, 20).bytes
    let pipeline = TiledPipeline()
    let paths = try (0..<3 * TiledPipeline.mostKept).map {
      try folder.write(bytes, as: "\($0).jpg")
    }
    let failures = concurrently(8) { (caller: Int) -> [String] in
      (0..<24).compactMap { turn in
        do {
          let source = try pipeline.open(paths[(turn * 5 + caller * 7) % paths.count])
          _ = try source.read(RegionRequest(PixelRegion(whole: source.size)))
          return nil
        } catch { return "\(error)" }
      }
    }
    #expect(failures.joined().isEmpty, "\(failures)")
  }

  @Test func `assessing makes nothing`() async throws {
    let path = try await CorpusPictures.file("grey")
    let pipeline = TiledPipeline()
    let picture = try Picture(path)
    #expect(try !pipeline.assess(picture).isEmpty)
    #expect(pipeline.preparedFile(for: path) == nil)
  }

  @Test func `the equivalent of tiled elsewhere is random on its TIFF, the rest are themselves`()
    async throws
  {
    let pipelines = StandardPipelines()
    let path = try await CorpusPictures.file("orientation-1")
    for name in pipelines.names {
      let same = pipelines.freshEquivalent(of: name, for: path)
      #expect(same.source == name && same.path == path)
    }
    let tiled = try #require(pipelines.named("tiled"))
    _ = try tiled.prepare(path)
    let fresh = pipelines.freshEquivalent(of: "tiled", for: path)
    #expect(fresh.source == "random" && fresh.path != path)
    let region = try PixelRegion(x: 11, y: 12, width: 90, height: 80)
    let source = try #require(pipelines.named(fresh.source)).open(fresh.path)
    let pixels = try source.read(RegionRequest(region)).pixels
    #expect(try pixels.difference(from: Reference(path).crop(region)) == nil)
    pipelines.removeFiles()
    #expect(throws: PipelineError.self) { try FileVersion(of: fresh.path) }
  }
}
