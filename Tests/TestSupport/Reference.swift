internal import Foundation
package import SystemPackage
package import ZoomGeometry
package import ZoomPipeline

/// What naive answers for one region, cropped here for the regions inside: a decode for many checks.
///
/// That a crop of naive's answer is naive's answer for the crop is a test of its own
/// (`NaivePipelineTests`), so nothing is assumed by using it.
package struct Reference: Sendable {
  package let region: PixelRegion
  package let pixels: Pixels

  /// Asks naive for the region; for the whole picture without one.
  package init(_ path: FilePath, region: PixelRegion? = nil) throws {
    let source = try NaivePipeline().open(path)
    self.region = region ?? PixelRegion(whole: source.size)
    pixels = try source.read(RegionRequest(self.region)).pixels
  }

  /// The rows of `inner`, which lies inside `region`, copied one by one.
  package func crop(_ inner: PixelRegion) -> Pixels {
    pixels.crop(inner, from: region)
  }
}

extension Pixels {
  /// The part `inner` of these pixels, which are those of `outer`, or of a whole picture.
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

  /// In what these pixels differ from those wanted, in words; nil when in nothing.
  package func difference(from wanted: Pixels) -> String? {
    guard size == wanted.size, bands == wanted.bands, format == wanted.format,
      interpretation == wanted.interpretation
    else {
      return "\(size)x\(bands) \(format) \(interpretation.rawValue)"
        + " for \(wanted.size)x\(wanted.bands) \(wanted.format) \(wanted.interpretation.rawValue)"
    }
    // memcmp: comparing arrays element by element takes most of a debug run otherwise.
    if memcmp(bytes, wanted.bytes, bytes.count) == 0 { return nil }
    let wrong = bytes.indices.filter { bytes[$0] != wanted.bytes[$0] }
    let pixel = (wrong.first ?? 0) / (bands * format.byteCount)
    return "\(wrong.count) of \(bytes.count) bytes differ, first at"
      + " column \(pixel % size.width), row \(pixel / size.width)"
  }
}
