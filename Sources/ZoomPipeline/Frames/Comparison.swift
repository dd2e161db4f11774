package import ZoomGeometry

/// Two frames of one moment, and where they differ.
package struct Comparison: Sendable {
  /// The original's frame, for the screen.
  package let original: Pixels
  /// The corrected one's.
  package let corrected: Pixels
  /// How many pixels differ in any sample.
  package let differingPixels: Int
  /// The smallest rectangle that holds all of them; nil when there are none.
  package let bounds: PixelRegion?
  /// The largest difference of two samples, at most 255.
  package let largestDifference: Int
  private let threshold: Int

  /// The part of all pixels that differ, at most 1.
  package var share: Double { Double(differingPixels) / Double(original.size.area) }

  /// Compares two frames of one size; samples that differ by no more than the threshold count as the
  /// same.
  package init(
    original: Pixels, corrected: Pixels, threshold: Int = 0
  ) throws(PipelineError) {
    guard original.size == corrected.size else {
      throw PipelineError(
        .unsupported, operation: "compare", file: nil,
        reason: "\(original.size) cannot be compared with \(corrected.size)",
        advice: "draw both on one screen")
    }
    self.original = try original.forScreen()
    self.corrected = try corrected.forScreen()
    self.threshold = threshold
    var found = (count: 0, largest: 0)
    var (left, right, top, bottom) = (Int.max, -1, Int.max, -1)
    let width = original.size.width
    for row in 0..<original.size.height {
      for column in 0..<width {
        let difference = Self.difference(
          self.original, self.corrected, (row * width + column) * ScreenRaster.bands)
        found.largest = max(found.largest, difference)
        guard difference > threshold else { continue }
        found.count += 1
        (left, right) = (min(left, column), max(right, column))
        (top, bottom) = (min(top, row), max(bottom, row))
      }
    }
    differingPixels = found.count
    largestDifference = found.largest
    bounds =
      found.count == 0
      ? nil : try? PixelRegion(x: left, y: top, width: right - left + 1, height: bottom - top + 1)
  }

  /// The largest difference of the samples of the pixel that begins at a byte.
  private static func difference(_ one: Pixels, _ other: Pixels, _ start: Int) -> Int {
    (start..<start + ScreenRaster.bands).reduce(0) { largest, at in
      max(largest, abs(Int(one.bytes[at]) - Int(other.bytes[at])))
    }
  }

  /// The corrected frame in dim grey, with every pixel that differs in magenta.
  ///
  /// The grey is a third of the luma (Rec. 601 weights, in 1/256), so that any magenta stands out; a
  /// slight difference is a magenta as bright as half, a full one as bright as can be.
  package func marked() -> Pixels {
    var marked: [UInt8] = []
    marked.reserveCapacity(corrected.bytes.count)
    for start in stride(from: 0, to: corrected.bytes.count, by: ScreenRaster.bands) {
      let difference = Self.difference(original, corrected, start)
      if difference > threshold {
        let tint = UInt8(128 + difference / 2)
        marked += [tint, 0, tint]
      } else {
        let luma =
          77 * Int(corrected.bytes[start]) + 150 * Int(corrected.bytes[start + 1])
          + 29 * Int(corrected.bytes[start + 2])
        marked += [UInt8](repeating: UInt8(luma / 256 / 3), count: ScreenRaster.bands)
      }
    }
    return Pixels(
      size: corrected.size, bands: ScreenRaster.bands, format: .uint8, interpretation: .srgb,
      bytes: marked)
  }
}
