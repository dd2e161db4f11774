import Foundation
import SystemPackage
import TestSupport
import Testing
import ZoomGeometry

@testable import ZoomPipeline

/// Checks that a format is recognised by the start of a file, however long the file is.
struct RecognitionTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  /// Returns the number of bytes that this thread has read so far from files of any kind.
  private static func bytesRead() throws -> Int {
    let text = try String(contentsOfFile: "/proc/thread-self/io", encoding: .utf8)
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("rchar: ") })
    return try #require(Int(line.dropFirst("rchar: ".count)))
  }

  /// libvips' tests for matrices and Radiance files read whole lines, and decoders whole headers.
  ///
  /// Other starts are not tried with all loaders: ImageMagick recognises them and reads on.
  @Test(
    .enabled(if: FileManager.default.fileExists(atPath: "/proc/thread-self/io"), "Linux counts"),
    arguments: [
      (PictureLimits.Loaders.trusted, ""), (.trusted, "1 2 3"), (.trusted, "#?RADIANCE"),
      (.trusted, "II"), (.all, "1 2 3"), (.all, "P5 #"), (.all, "P6\n#"), (.all, "PF\n#"),
      (.all, "P4\n# one\n#"), (.all, "P5 1"), (.all, "SIMPLE  =                    T"),
      (.all, "SIMPLE = "),
    ])
  func `little is read of a long file without a line's end that is not a picture`(
    _ loaders: PictureLimits.Loaders, _ start: String
  ) throws {
    let limits = PictureLimits(loaders: loaders)
    try expectLittleRead(of: Array(start.utf8)) { path in
      let isBegun = start.hasPrefix("P") || start.hasPrefix("SIMPLE")
      expectError(isBegun ? .damaged : .notAPicture, or: .unsupported) {
        try Picture(path, limits: limits)
      }
    }
  }

  @Test(
    .enabled(if: FileManager.default.fileExists(atPath: "/proc/thread-self/io"), "Linux counts"))
  func `little is read of a long file whose headers do not end`() throws {
    let jpeg = try JPEGBytes.small()
    let scan = try #require(jpeg.markers.first { $0.code == 0xDA })
    for start in [[0xFF, 0xD8, 0xFF], Array(jpeg.bytes.prefix(scan.at - 1))] as [[UInt8]] {
      try expectLittleRead(of: start) { path in
        expectError(.damaged, of: path) { try Picture(path) }
      }
    }
    // The entropy-coded data is invalid for any such picture.
    try expectLittleRead(of: Array(jpeg.bytes.prefix(jpeg.codedStart))) { path in
      expectError(.damaged, of: path) { try AutomaticPipeline().open(path) }
    }
    let header = number(13, 4) + Array("IHDR".utf8) + number(5, 4) + number(5, 4) + [8, 0, 0, 0, 0]
    let sum = pngChecksum(of: header[4...])
    try expectLittleRead(
      of: PNGHeaders.signature + header + sum + number(1 << 29, 4) + Array("teSt".utf8)
    ) { path in
      expectError(.damaged, of: path) { try Picture(path) }
    }
  }

  /// Expects that a body reads little of a file that has this start and half a gigabyte of zeros.
  private func expectLittleRead(of start: [UInt8], _ body: (FilePath) -> Void) throws {
    let path = try folder.write(start, as: "long")
    // The file is sparse.
    #expect(truncate(path.string, 1 << 29) == 0)
    // The first opening loads modules of libvips.
    _ = try? Picture(path, limits: PictureLimits(loaders: .all))
    let before = try Self.bytesRead()
    body(path)
    #expect(try Self.bytesRead() - before < 4 << 20)
  }

  /// Comments and spaces as usual writers have them.
  @Test(arguments: ["P5\n# one\n# two\n3 2\n255\nabcdef", "P5 3 2 255 abcdef"])
  func `headers that end near the start are read, however long the file is`(
    _ start: String
  ) throws {
    let path = try folder.write(
      Array(start.utf8) + [UInt8](repeating: 7, count: 1 << 17), as: "a.pgm")
    let picture = try? Picture(path, limits: PictureLimits(loaders: .all))
    // With two comments libvips (8.14) need not recognise the header, so any result is accepted.
    #expect(picture?.size.area == 6 || start.contains("two"))
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
    // Reads for recognition count as work of opening.
    #expect(try #require(picture.openingWork.bytesRead) > 0)
  }
}
