internal import PixelLaws
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
    cut(region.map { inner.relative(to: ($0.x, $0.y)) } ?? inner)
  }

  /// Returns a comparison with the expected pixels in words; nil if no byte differs.
  package func difference(from wanted: Pixels) -> String? {
    let seen = PixelComparison(self, expected: wanted)
    // As numbers, 0 and -0 are the same.
    return seen.formDifference == nil && hasSameBytes(as: wanted) ? nil : "\(seen)"
  }
}
