import SystemPackage
import TestSupport
import Testing
import ZoomGeometry

@testable import ZoomPipeline

/// Checks `Picture.reach` for every format that libvips writes.
struct ReachTests {
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
    let folder = try TestFolder()
    let suffix = String(format.suffix.prefix { $0 != "[" })
    let path = folder.path.appending("a.\(suffix)")
    let bands = ["mat", "pgm", "pbm"].contains(suffix) ? 1 : 3
    let noise = try Pixels.noise(256, 1024, bands: bands)
    let pixels = Pixels(
      size: noise.size, bands: bands, format: .uint8, interpretation: bands == 1 ? .grey : .srgb,
      bytes: noise.bytes)
    let settings = String(format.suffix.dropFirst(suffix.count))
    let limits = PictureLimits(loaders: .all)
    // libvips may write formats that it does not read.
    guard (try? Image(pixels).write(to: path, as: .settings(settings))) != nil,
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
