internal import ZoomGeometry
public import ZoomPipeline

/// An error that carries the expected pixels and the answer, so that they can be drawn.
public struct PixelMismatch: Error, Sendable, CustomStringConvertible {
  /// The demand that is not met, such as "the tiles of the region, put together, differ from it".
  public let demand: String
  /// The expected pixels.
  public let expected: Pixels
  /// The answer.
  public let got: Pixels
  /// The difference between both.
  public let comparison: PixelComparison
  /// The shift of the answer, if it can be measured.
  public let shift: PixelShift?
  /// The requested region, the expected picture and the source of the answer, if known.
  ///
  /// Often the smallest input that breaks a law is a single pixel. So a drawing includes its
  /// surroundings.
  var place: Place?
  typealias Place = (
    region: PixelRegion, reference: ReferencePicture, source: any RegionSource
  )

  /// Creates a mismatch.
  public init(
    _ demand: String, got: Pixels, expected: Pixels, comparison: PixelComparison, shift: PixelShift?
  ) {
    self.demand = demand
    self.expected = expected
    self.got = got
    self.comparison = comparison
    self.shift = shift
  }

  /// The demand, the worst sample, the number of differing pixels, and a shift that explains them.
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
      parts.append("\(count) of \(comparison.comparedPixels) pixels differ\(count == 1 ? "s" : "")")
    }
    // A shift that leaves half of the squared difference does not explain it. In a small picture a
    // shift may fit other contents, such as mirrored ones, by chance.
    let least = min(got.size.width, got.size.height) < 32 ? 0.9 : 0.5
    if let shift, shift.explained > least, shift.length >= 0.05 {
      parts.append("the content is shifted by (\(Self.short(shift.x)), \(Self.short(shift.y))) px")
    }
    return parts.isEmpty ? demand : "\(demand): \(parts.joined(separator: "; "))"
  }

  private static func short(_ number: Double) -> String {
    guard number.isFinite, abs(number) < 1e12 else { return "\(number)" }
    let hundredths = Int((number * 100).rounded())
    let (whole, part) = (abs(hundredths) / 100, abs(hundredths) % 100)
    let sign = hundredths < 0 ? "-" : ""
    if part == 0 { return "\(sign)\(whole)" }
    return "\(sign)\(whole).\(part / 10)\(part % 10 == 0 ? "" : "\(part % 10)")"
  }
}
