package import ZoomGeometry
package import ZoomPipeline

/// Two frames of one moment and their differences.
package struct Comparison: Sendable {
  package let original: Pixels
  package let corrected: Pixels
  /// The number of pixels that differ in any sample.
  package let differingPixels: Int
  /// The smallest rectangle that holds all differing pixels; nil without any.
  package let bounds: PixelRegion?
  /// The largest difference of two samples, at most 255.
  package let largestDifference: Int
  private let threshold: Int

  /// The part of all pixels that differ, at most 1.
  package var share: Double { Double(differingPixels) / Double(original.size.area) }

  /// Compares two frames of one size; differences up to the threshold do not count.
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
    Self.forEachDifference(self.original, self.corrected) { index, difference in
      found.largest = max(found.largest, difference)
      guard difference > threshold else { return }
      found.count += 1
      let (row, column) = index.quotientAndRemainder(dividingBy: width)
      (left, right) = (min(left, column), max(right, column))
      (top, bottom) = (min(top, row), max(bottom, row))
    }
    differingPixels = found.count
    largestDifference = found.largest
    bounds =
      found.count == 0
      ? nil : try? PixelRegion(x: left, y: top, width: right - left + 1, height: bottom - top + 1)
  }

  /// Calls the body for each pixel with the largest difference of its samples.
  @inline(__always)
  private static func forEachDifference(
    _ one: Pixels, _ other: Pixels, _ body: (_ index: Int, _ difference: Int) -> Void
  ) {
    unsafe one.bytes.withUnsafeBufferPointer { one in
      unsafe other.bytes.withUnsafeBufferPointer { other in
        for index in 0..<one.count / Pixels.screenBands {
          let start = index * Pixels.screenBands
          var largest = 0
          for at in start..<start + Pixels.screenBands {
            largest = unsafe max(largest, abs(Int(one[at]) - Int(other[at])))
          }
          body(index, largest)
        }
      }
    }
  }

  /// Returns the corrected frame in dim grey, with every differing pixel in magenta.
  ///
  /// The grey is a third of the luma (Rec. 601 weights, in 1/256), so that magenta stands out.
  /// Magenta has half its brightness for a slight difference and full brightness for the largest.
  package func marked() -> Pixels {
    let count = corrected.bytes.count
    let marked = unsafe [UInt8](unsafeUninitializedCapacity: count) { target, initialized in
      unsafe corrected.bytes.withUnsafeBufferPointer { bytes in
        Self.forEachDifference(original, corrected) { index, difference in
          let start = index * Pixels.screenBands
          let (red, green, blue): (UInt8, UInt8, UInt8)
          if difference > threshold {
            let tint = UInt8(128 + difference / 2)
            (red, green, blue) = (tint, 0, tint)
          } else {
            let (r, g, b) = unsafe (Int(bytes[start]), Int(bytes[start + 1]), Int(bytes[start + 2]))
            let grey = UInt8((77 * r + 150 * g + 29 * b) / 256 / 3)
            (red, green, blue) = (grey, grey, grey)
          }
          unsafe target[start] = red
          unsafe target[start + 1] = green
          unsafe target[start + 2] = blue
        }
      }
      initialized = count
    }
    return Pixels(
      size: corrected.size, bands: Pixels.screenBands, format: .uint8, interpretation: .srgb,
      bytes: marked)
  }
}
