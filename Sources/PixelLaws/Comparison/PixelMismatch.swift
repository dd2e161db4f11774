internal import ZoomGeometry
public import ZoomPipeline

/// Says that pixels are not what they should be, and carries both, so that they can be drawn.
public struct PixelMismatch: Error, Sendable, CustomStringConvertible {
  /// What the law demands, in words: "the tiles of the region, put together, differ from it".
  public let demand: String
  /// What the pixels should be.
  public let expected: Pixels
  /// What they are.
  public let got: Pixels
  /// How they differ.
  public let comparison: PixelComparison
  /// By how far the answer is shifted, where that can be told.
  public let shift: PixelShift?
  /// Where in the picture the answer is from, where that is known.
  package var place: PixelPlace?

  /// Puts a mismatch together.
  public init(
    _ demand: String, got: Pixels, expected: Pixels, comparison: PixelComparison, shift: PixelShift?
  ) {
    self.demand = demand
    self.expected = expected
    self.got = got
    self.comparison = comparison
    self.shift = shift
  }

  /// The demand, the worst place, how much differs, and the shift if it explains the difference.
  public var description: String {
    var parts: [String] = []
    if let form = comparison.formDifference { parts.append(form) }
    if let worst = comparison.worst {
      var place = "row \(worst.y), column \(worst.x) of the answer differs by"
      place += " \(Self.short(comparison.largestDifference))"
      if got.bands > 1 { place += " in band \(worst.band)" }
      place += " (\(Self.short(worst.got)) instead of \(Self.short(worst.expected)))"
      parts.append(place)
      let count = comparison.differingPixels
      parts.append("\(count) of \(comparison.comparedPixels) pixels \(count == 1 ? "does" : "do")")
    }
    // A shift that leaves half of the squared difference is no explanation of it; in a small picture one may fit a
    // mirrored or another one by chance.
    let least = min(got.size.width, got.size.height) < 32 ? 0.9 : 0.5
    if let shift, shift.explained > least, shift.length >= 0.05 {
      parts.append("the content is shifted by (\(Self.short(shift.x)), \(Self.short(shift.y))) px")
    }
    return parts.isEmpty ? demand : "\(demand): \(parts.joined(separator: "; "))"
  }

  /// Two decimals at most, none where the number is whole.
  private static func short(_ number: Double) -> String {
    guard number.isFinite, abs(number) < 1e12 else { return "\(number)" }
    let hundredths = Int((number * 100).rounded())
    let (whole, part) = (abs(hundredths) / 100, abs(hundredths) % 100)
    let sign = hundredths < 0 ? "-" : ""
    if part == 0 { return "\(sign)\(whole)" }
    return "\(sign)\(whole).\(part / 10)\(part % 10 == 0 ? "" : "\(part % 10)")"
  }
}
