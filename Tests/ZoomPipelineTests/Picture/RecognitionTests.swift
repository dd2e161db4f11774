import Foundation
import SystemPackage
import TestSupport
import Testing
import ZoomGeometry

@testable import ZoomPipeline

/// A format is recognised by the start of a file, however long the file is.
struct RecognitionTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  /// The bytes that this thread has read so far, from files of any kind.
  private static func bytesRead() throws -> Int {
    let text = try String(contentsOfFile: "/proc/thread-self/io", encoding: .utf8)
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("rchar: ") })
    return try #require(Int(line.dropFirst("rchar: ".count)))
  }

  /// libvips' tests for matrices and Radiance files read a line to its end.
  ///
  /// Other starts are not tried with all loaders, because ImageMagick takes them for pictures and reads on.
  @Test(
    .enabled(if: FileManager.default.fileExists(atPath: "/proc/thread-self/io"), "Linux counts"),
    arguments: [
      (PictureLimits.Loaders.trusted, ""), (.trusted, "1 2 3"), (.trusted, "#?RADIANCE"),
      (.trusted, "II"), (.all, "1 2 3"),
    ])
  func `little is read of a long file without a line's end that is not a picture`(
    _ loaders: PictureLimits.Loaders, _ start: String
  ) throws {
    let path = try folder.write(Array(start.utf8), as: "long")
    // Most of it takes no room on the disk.
    #expect(truncate(path.string, 1 << 28) == 0)
    // The first opening loads modules of libvips.
    _ = try? Picture(path, limits: PictureLimits(loaders: loaders))
    let before = try Self.bytesRead()
    expectError(.notAPicture, or: .unsupported) {
      try Picture(path, limits: PictureLimits(loaders: loaders))
    }
    #expect(try Self.bytesRead() - before < 4 << 20)
  }

  @Test func `a TIFF is recognised whose directory is far from its start`() throws {
    let size = try PixelSize(width: 300, height: 200)
    let pixels = Pixels(
      size: size, bands: 3, format: .uint8, interpretation: .srgb,
      bytes: (0..<size.area * 3).map { UInt8(truncatingIfNeeded: $0 * $0 >> 5) })
    let path = folder.path.appending("a.tif")
    try Image(pixels).write(to: path, as: .settings("[compression=none]"))
    let picture = try Picture(path)
    #expect(picture.loader == "tiffload" && picture.file.length > 1 << 17)
    // What recognises it counts as work of opening.
    #expect(try #require(picture.openingWork.bytesRead) > 0)
  }
}
