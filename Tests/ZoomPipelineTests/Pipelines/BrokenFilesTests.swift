import Foundation
import SystemPackage
import TestSupport
import Testing
import ZoomCorpus
import ZoomGeometry

@testable import ZoomPipeline

/// Files that are missing, no pictures, or cut off: typed errors that name the file.
struct BrokenFilesTests {
  @Test func `no file, a folder and a name below a file`() throws {
    let folder = try TestFolder()
    let file = try folder.write(try JPEGBytes.small().bytes, as: "a.jpg")
    try expectRefusal(folder.path.appending("missing.jpg"), .noSuchFile)
    try expectRefusal(folder.path, .unreadable)
    try expectRefusal(file.appending("b.jpg"), .noSuchFile)
  }

  @Test(.enabled(if: geteuid() != 0, "root may read everything"))
  func `a file that may not be read`() throws {
    let folder = try TestFolder()
    let file = try folder.write(try JPEGBytes.small().bytes, as: "a.jpg")
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: file.string)
    for pipeline in StandardPipelines().all {
      let error = #expect(throws: PipelineError.self) { try pipeline.open(file) }
      #expect(error?.code == .unreadable || error?.code == .notAPicture, "\(pipeline.name)")
      #expect(error?.file == file)
    }
  }

  @Test(arguments: [
    ("empty.jpg", []), ("one.jpg", [0xFF]), ("two.png", [0x89, 0x50]),
    ("text.jpg", Array("hello\n".utf8)),
    ("empty", []),
    ("options.jpg[shrink=2]", Array("not a picture".utf8)),
  ])
  func `files that are no pictures`(_ name: String, _ content: [UInt8]) throws {
    let folder = try TestFolder()
    try expectRefusal(try folder.write(content, as: name), .notAPicture)
    #expect(try folder.names() == [name])
  }

  /// A signature alone: libvips takes the file for a picture, its header then fails.
  @Test(arguments: [
    ("soi.jpg", [0xFF, 0xD8, 0xFF]), ("png.png", [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
    ("tiff.tif", [0x49, 0x49, 42, 0, 8, 0, 0, 0]),
    // Where libvips has ImageMagick behind it, that takes zeros for a TGA.
    ("zeros.tif", [UInt8](repeating: 0, count: 5000)),
  ])
  func `files that are only a beginning`(_ name: String, _ content: [UInt8]) throws {
    let folder = try TestFolder()
    let file = try folder.write(content, as: name)
    for pipeline in StandardPipelines().all {
      let error = #expect(throws: PipelineError.self, "\(pipeline.name)") {
        try pipeline.open(file)
      }
      #expect(error?.code == .damaged || error?.code == .notAPicture, "\(pipeline.name)")
      #expect(error?.file == file)
    }
  }

  /// Where a file is cut, as a part of its length.
  static let cuts = [0.02, 0.2, 0.5, 0.9, 0.99]

  @Test(arguments: [
    "jpeg-444", "jpeg-restart-part", "orientation-6", "jpeg-scans", "png", "png-interlaced",
    "png-16", "webp", "tiff-tiled",
  ])
  func `pictures that are cut off give damaged, never pixels of the missing part`(
    _ name: String
  ) async throws {
    let whole = try bytes(of: try await CorpusPictures.file(name))
    let folder = try TestFolder()
    // The levels of a pyramid follow the picture: what is cut from them is not missing.
    for part in Self.cuts where name != "tiff-tiled" || part < 0.9 {
      let cut = Array(whole.prefix(Int(Double(whole.count) * part)))
      let file = try folder.write(cut, as: "cut-\(part)")
      for pipeline in StandardPipelines().all {
        Self.expectDamaged(pipeline, file, "\(name) cut at \(part)")
      }
    }
    #expect(try folder.names().allSatisfy { $0.hasPrefix("cut-") }, "left behind")
  }

  private static func expectDamaged(
    _ pipeline: any Pipeline, _ file: FilePath, _ what: String
  ) {
    do throws(PipelineError) {
      let source = try pipeline.open(file)
      _ = try source.read(RegionRequest(PixelRegion(whole: source.size)))
      Issue.record("\(pipeline.name) read \(what)")
    } catch {
      let isRefusal =
        ["indexed", "skip"].contains(pipeline.name) && error.code == .unsupported
      #expect(
        error.code == .damaged || isRefusal || error.code == .notAPicture,
        "\(pipeline.name) \(what): \(error)")
      #expect(error.file == file, "\(pipeline.name) \(what)")
    }
  }

  @Test func `a JPEG cut anywhere in its headers is damaged or no picture`() throws {
    let folder = try TestFolder()
    let jpeg = try JPEGBytes.small()
    for length in stride(from: 2, to: jpeg.codedStart, by: 7) {
      let file = try folder.write(Array(jpeg.bytes.prefix(length)), as: "cut.jpg")
      for pipeline in [
        NaivePipeline(), IndexedPipeline(), AutomaticPipeline(indexed: IndexedPipeline()),
      ] as [any Pipeline] {
        let error = #expect(throws: PipelineError.self, "\(pipeline.name) at \(length)") {
          try pipeline.open(file).read(
            RegionRequest(PixelRegion(x: 0, y: 0, width: 150, height: 203)))
        }
        #expect(error?.code == .damaged || error?.code == .notAPicture, "\(length)")
        #expect(error?.file == file)
      }
    }
  }

  @Test func `a file replaced after it was opened gives changed`() throws {
    let folder = try TestFolder()
    let jpeg = try JPEGBytes.small()
    let pixel = RegionRequest(try PixelRegion(x: 0, y: 0, width: 1, height: 1))
    for pipeline in StandardPipelines().all {
      let file = try folder.write(jpeg.bytes, as: "\(pipeline.name).jpg")
      let source = try pipeline.open(file)
      _ = try source.read(pixel)
      // The same bytes in another file: another inode.
      try AtomicFile.write(jpeg.bytes, to: file)
      let changed = #expect(throws: PipelineError.self, "\(pipeline.name)") {
        try source.read(pixel)
      }
      #expect(changed?.code == .changed, "\(pipeline.name)")
      #expect(changed?.file == file, "\(pipeline.name)")
      try FileManager.default.removeItem(atPath: file.string)
      let gone = #expect(throws: PipelineError.self, "\(pipeline.name)") { try source.read(pixel) }
      #expect(gone?.code == .noSuchFile, "\(pipeline.name)")
    }
  }

  private func expectRefusal(_ path: FilePath, _ code: PipelineError.Code) throws {
    for pipeline in StandardPipelines().all {
      for attempt in [
        { _ = try pipeline.open(path) }, { _ = try pipeline.assess(path) },
        {
          _ = try pipeline.prepare(path)
          _ = try pipeline.open(path)
        },
      ] {
        let error = #expect(throws: PipelineError.self, "\(pipeline.name)") { try attempt() }
        #expect(error?.code == code, "\(pipeline.name)")
        #expect(error?.file == path, "\(pipeline.name)")
        #expect(error?.description.contains(path.string) == true)
        #expect(error?.description.contains("\n") == false)
      }
    }
  }
}
