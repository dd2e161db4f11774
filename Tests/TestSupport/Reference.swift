internal import Foundation
package import SystemPackage
package import ZoomGeometry
package import ZoomPipeline

/// The naive source's answer for a region, from which regions inside are cropped.
///
/// One decode serves many checks. Law PX-2 checks that crops of its answers are exact.
package struct Reference: Sendable {
  package let region: PixelRegion
  package let pixels: Pixels

  package init(
    _ path: FilePath, region: PixelRegion? = nil, limits: PictureLimits = .standard
  ) throws {
    let source = try NaivePipeline(limits: limits).open(path)
    self.region = region ?? PixelRegion(whole: source.size)
    pixels = try source.read(RegionRequest(self.region)).pixels
  }

  /// Returns the pixels of `inner`, a region inside `region`.
  package func crop(_ inner: PixelRegion) -> Pixels {
    pixels.crop(inner, from: region)
  }
}

extension Pixels {
  /// Returns the pixels of `inner` from pixels that show `region`, or a whole picture.
  package func crop(_ inner: PixelRegion, from region: PixelRegion? = nil) -> Pixels {
    let outer = region ?? PixelRegion(whole: size)
    let pixelBytes = bands * format.byteCount
    var cropped: [UInt8] = []
    cropped.reserveCapacity(inner.area * pixelBytes)
    for row in inner.y..<inner.maxY {
      let start = (row - outer.y) * rowByteCount + (inner.x - outer.x) * pixelBytes
      cropped += bytes[start..<start + inner.width * pixelBytes]
    }
    return Pixels(
      size: inner.size, bands: bands, format: format, interpretation: interpretation,
      bytes: cropped)
  }

  /// Returns the difference from the expected pixels in words; nil if there is none.
  package func difference(from wanted: Pixels) -> String? {
    guard size == wanted.size, bands == wanted.bands, format == wanted.format,
      interpretation == wanted.interpretation
    else {
      return "\(size)x\(bands) \(format) \(interpretation.rawValue)"
        + " for \(wanted.size)x\(wanted.bands) \(wanted.format) \(wanted.interpretation.rawValue)"
    }
    // memcmp: an element-wise comparison of arrays dominates the time of a debug run.
    if memcmp(bytes, wanted.bytes, bytes.count) == 0 { return nil }
    let wrong = bytes.indices.filter { bytes[$0] != wanted.bytes[$0] }
    let pixel = (wrong.first ?? 0) / (bands * format.byteCount)
    return "\(wrong.count) of \(bytes.count) bytes differ, first at"
      + " column \(pixel % size.width), row \(pixel / size.width)"
  }
}
