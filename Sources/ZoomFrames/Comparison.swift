internal import ZoomGeometry
package import ZoomPipeline

/// The differences between two frames of one moment.
package struct Comparison: Sendable {
  /// The share of the pixels that differ in any sample, at most 1.
  package let share: Double
  /// The corrected frame in dim grey, with every differing pixel in magenta.
  ///
  /// The grey is a third of the luma (Rec. 601 weights, in 1/256), so that magenta stands out.
  /// Magenta has half its brightness for a slight difference and full brightness for the largest.
  package let marked: Pixels

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
    let size = corrected.size
    let one = try original.forScreen().bytes
    var bytes = try corrected.forScreen().bytes
    var differing = 0
    for start in stride(from: 0, to: bytes.count, by: Pixels.screenBands) {
      var difference = 0
      for at in start..<start + Pixels.screenBands {
        difference = max(difference, abs(Int(one[at]) - Int(bytes[at])))
      }
      let differs = difference > threshold
      if differs { differing += 1 }
      let luma =
        77 * Int(bytes[start]) + 150 * Int(bytes[start + 1]) + 29 * Int(bytes[start + 2])
      let tint = UInt8(differs ? 128 + difference / 2 : luma / 256 / 3)
      bytes[start] = tint
      bytes[start + 1] = differs ? 0 : tint
      bytes[start + 2] = tint
    }
    share = Double(differing) / Double(size.area)
    marked = Pixels(rgb: size, bytes)
  }
}
