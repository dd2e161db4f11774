internal import CVips
internal import Foundation
internal import PropertyTesting
package import SystemPackage
internal import ZoomGeometry
internal import ZoomPipeline

/// The law for TIFFs with and without flaws: a source has the pixels of a full decode or refuses.
///
/// A source need not notice a flaw in a strip outside its region; then it is compared with a full
/// decode of the file without that flaw. But it must not show any of a strip that libtiff refuses,
/// unless libvips reads the strip row by row: then the rows above the last one may be shown.
package struct WrittenTIFFLaw: Sendable {
  /// The sources that answered from single strips, and the outcome of the full decode.
  package struct Report: Sendable {
    package var isDecoded = false
    /// Whether full decodes differ from each other: libvips then shows uninitialised memory.
    package var isUnstable = false
    package var carved: Set<String> = []
    /// The number of compared answers.
    package var answers = 0

    /// The outcome as one word for the fuzzer's table.
    package var outcome: String {
      isUnstable ? "unstable" : !isDecoded ? "undecoded" : carved.isEmpty ? "agreed" : "carved"
    }
  }

  package struct Finding: Error, CustomStringConvertible {
    package let description: String
  }

  private let folder: FilePath
  private let limits = PictureLimits(memory: MemoryBudget(limit: 256 << 20))

  /// Creates a law that writes files into `folder`, which is not removed.
  package init(folder: FilePath) { self.folder = folder }

  /// Checks one file; it remains if the check ends the process.
  /// - Throws: `Finding` if the law is broken.
  package func check(_ tiff: WrittenTIFF) throws -> Report {
    let bytes = try tiff.file()
    let path = folder.appending("mutant-\(tiff.number).tif")
    try Data(bytes).write(to: URL(fileURLWithPath: path.string))
    defer { try? FileManager.default.removeItem(atPath: path.string) }
    var report = Report()
    do {
      try compare(tiff, path, &report)
    } catch let finding as Finding {
      guard isUnstable(path) else {
        throw Finding(description: "\(tiff.number): \(finding): \(tiff)")
      }
      report.isUnstable = true
    }
    return report
  }

  private func compare(_ tiff: WrittenTIFF, _ path: FilePath, _ report: inout Report) throws {
    let plain = Self.plainPixels(of: path)
    guard let picture = try? Picture(path, limits: limits) else {
      guard plain == nil else { throw Finding(description: "libvips opens it, naive does not") }
      return
    }
    let whole = self.whole(picture)
    report.isDecoded = whole != nil
    guard plain == whole?.bytes else {
      throw Finding(description: "naive differs from libvips alone")
    }
    let pipelines = StandardPipelines(limits: limits)
    let regions = try regions(of: picture, tiff)
    var truth = Truth(tiff: tiff, picture: picture, whole: whole, law: self)
    for pipeline in pipelines.pictureReaders where pipeline.name != "naive" {
      let source: any RegionSource
      do throws(PipelineError) {
        source = try pipeline.open(picture)
      } catch {
        try assertRefusal(error, pipeline.name)
        continue
      }
      for region in regions {
        let answer: RegionAnswer
        do throws(PipelineError) {
          answer = try source.read(RegionRequest(region))
        } catch {
          guard whole == nil else {
            throw Finding(description: "\(pipeline.name): \(region) is refused: \(error)")
          }
          try assertRefusal(error, pipeline.name)
          continue
        }
        report.answers += 1
        let isCarved = answer.work.unit == .strip || answer.work.unit == .row
        if isCarved { report.carved.insert(pipeline.name) }
        if whole == nil, !isJudged(tiff.coding, isCarved: isCarved) { continue }
        guard let wanted = try truth.pixels(region) else {
          throw Finding(description: "\(pipeline.name): shows \(region) of what libvips refuses")
        }
        if let difference = answer.pixels.difference(from: wanted) {
          throw Finding(description: "\(pipeline.name): \(region): \(difference)")
        }
      }
    }
  }

  /// Whether the correct answer for a part of a file is known if a full decode refuses it.
  private func isJudged(_ coding: StripCoding, isCarved: Bool) -> Bool {
    switch coding {
    // libtiff (4.5) refuses some sound strips, because it loses their row boundaries.
    case .faxWords: false
    // If byte counts look wrong, libtiff recalculates the strips, so the file without its other
    // flaws may have other strips, and libvips' answers for a part say nothing.
    case .none: isCarved
    default: true
    }
  }

  private func assertRefusal(_ error: PipelineError, _ name: String) throws {
    guard error.code != .fault else { throw Finding(description: "\(name): \(error)") }
  }

  /// Returns random regions, the last row of the first flawed strip, and the whole picture.
  private func regions(of picture: Picture, _ tiff: WrittenTIFF) throws -> [PixelRegion] {
    let size = picture.size
    var regions = try TellingRegions(of: size, seed: tiff.number).random(3)
    if picture.storedSize == size, let flawed = tiff.flaws.keys.min() {
      let row = tiff.layout.rows(of: flawed).upperBound - 1
      regions.append(try PixelRegion(x: 0, y: row, width: size.width, height: 1))
    }
    return regions + [PixelRegion(whole: size)]
  }

  /// Returns the upright pixels from libvips called without our code; nil if it refuses the file.
  private static func plainPixels(of path: FilePath) -> [UInt8]? {
    // Starts libvips, with the settings of the tests.
    _ = VipsLibrary.version
    var flags = VIPS_FOREIGN_NONE
    let loaded = path.string.withCString { name in
      cvips_load_name("tiffload", name, VIPS_ACCESS_RANDOM, VIPS_FAIL_ON_NONE, &flags)
    }
    defer { vips_error_clear() }
    guard let loaded else { return nil }
    defer { cvips_unref(loaded) }
    guard let upright = cvips_autorot(loaded) else { return nil }
    defer { cvips_unref(upright) }
    var count = 0
    guard let memory = vips_image_write_to_memory(upright, &count) else { return nil }
    defer { g_free(memory) }
    return [UInt8](UnsafeRawBufferPointer(start: memory, count: count))
  }

  private func isUnstable(_ path: FilePath) -> Bool {
    let decoded = (0..<12).map { _ in (try? Picture(path, limits: limits)).flatMap(whole) }
    return decoded.contains { $0 != decoded[0] }
  }

  fileprivate func whole(_ picture: Picture) -> Pixels? {
    try? NaivePipeline(limits: limits).open(picture).read(
      RegionRequest(PixelRegion(whole: picture.size))
    ).pixels
  }

  fileprivate func whole(of bytes: [UInt8]) throws -> Pixels? {
    let path = folder.appending("reference.tif")
    try Data(bytes).write(to: URL(fileURLWithPath: path.string))
    defer { try? FileManager.default.removeItem(atPath: path.string) }
    return (try? Picture(path, limits: limits)).flatMap(whole)
  }
}

/// The pixels that a source may show.
private struct Truth {
  let tiff: WrittenTIFF
  let picture: Picture
  let whole: Pixels?
  let law: WrittenTIFFLaw
  /// Full decodes of the file, by the sets of flawed and of mended strips.
  var decoded: [[Set<Int>]: Pixels?] = [:]

  /// Returns the pixels of a region; nil if it must be refused.
  mutating func pixels(_ region: PixelRegion) throws -> Pixels? {
    if let whole { return whole.crop(region) }
    let stored = try picture.storedRegion(for: region)
    let touched = tiff.flaws.keys.filter {
      tiff.layout.rows(of: $0).overlaps(stored.y..<stored.maxY)
    }
    if let known = try decoded(with: Set(touched)) { return known.crop(region) }
    guard !tiff.isReadWhole else { return nil }
    let reached = Set(touched.filter { stored.maxY >= tiff.layout.rows(of: $0).upperBound })
    return try decoded(with: reached, mended: Set(touched).subtracting(reached))?.crop(region)
  }

  private mutating func decoded(
    with flaws: Set<Int>, mended: Set<Int> = []
  ) throws -> Pixels? {
    if let known = decoded[[flaws, mended]] { return known }
    let pixels = try law.whole(of: tiff.file(withFlaws: flaws, mended: mended))
    decoded[[flaws, mended]] = .some(pixels)
    return pixels
  }
}
