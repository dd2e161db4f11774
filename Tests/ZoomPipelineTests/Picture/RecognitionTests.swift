import Foundation
import SystemPackage
import TestSupport
import Testing
import ZoomGeometry

@testable import ZoomPipeline

/// Checks that a format is recognised by the start of a file, and which parts of it are read.
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
    let path = folder.path.appending("a.tif")
    try Image(Pixels.noise(300, 200)).write(to: path, settings: "[compression=none]")
    let picture = try Picture(path)
    #expect(picture.loader == "tiffload" && picture.file.length > 1 << 17)
    // Reads for recognition count as work of opening.
    #expect(try #require(picture.openingWork.bytesRead) > 0)
  }

  /// Suffixes with libvips' settings, and the reach that libvips' loaders have for such files.
  static let formats: [(suffix: String, reach: Picture.Reach)] = [
    ("jpg", .fromTheTop), ("png", .fromTheTop), ("png[interlace]", .fromTheTop),
    ("tif", .fromTheTop), ("tif[compression=lzw,tile-height=16]", .fromTheTop),
    ("tif[tile,tile-width=64,tile-height=64]", .regions), ("webp", .fromTheTop),
    ("gif", .fromTheTop), ("heic", .fromTheTop), ("avif", .fromTheTop), ("jxl", .fromTheTop),
    ("jp2", .regions), ("jp2[tile-width=64,tile-height=64]", .regions), ("j2k", .regions),
    ("hdr", .fromTheTop), ("mat", .fromTheTop), ("v", .regions), ("fits", .regions),
    // libvips reads regions of those files that it can map into memory. It cannot map a file that
    // is read through a source, and truncating a mapped file ends the process.
    ("ppm", .fromTheTop), ("pgm", .fromTheTop), ("pfm", .fromTheTop), ("pbm", .fromTheTop),
    ("ppm[ascii]", .fromTheTop),
  ]

  @Test(arguments: formats)
  func `reach is what random access reads`(
    _ format: (suffix: String, reach: Picture.Reach)
  ) throws {
    let suffix = String(format.suffix.prefix { $0 != "[" })
    let path = folder.path.appending("a.\(suffix)")
    let bands = ["mat", "pgm", "pbm"].contains(suffix) ? 1 : 3
    let pixels = try Pixels(
      256, 1024, bands, .uint8, bands == 1 ? .grey : .srgb,
      bytes: Pixels.noise(256, 1024, bands: bands).bytes)
    let settings = String(format.suffix.dropFirst(suffix.count))
    let limits = PictureLimits(loaders: .all)
    // libvips may write formats that it does not read.
    guard (try? Image(pixels).write(to: path, settings: settings)) != nil,
      let picture = try? Picture(path, limits: limits)
    else { return reportMissingCodec(suffix) }
    #expect(picture.reach == format.reach)
    let source = try RandomPipeline(limits: limits).open(picture)
    let corner = try PixelRegion(
      x: 0, y: picture.size.height / 2, width: 8, height: 8)
    let work = try source.read(RegionRequest(corner)).work
    #expect(source.state == (format.reach == .regions ? .openFile : .raster))
    // Reads of files opened by name are not counted, and OpenJPEG reads a megabyte at a time.
    guard let bytes = work.bytesRead, !suffix.hasPrefix("j") || suffix == "jpg" else { return }
    if format.reach == .regions {
      #expect(bytes < picture.file.length / 2, "\(bytes) of \(picture.file.length)")
    } else {
      #expect(bytes > picture.file.length * 9 / 10, "\(bytes) of \(picture.file.length)")
    }
  }
}
