internal import ForeignPipelines
internal import ZoomGeometry

/// The answers that a request may have by the specification and by the server's claims.
struct ExpectedAnswer: Sendable {
  enum Outcome: Sendable, Hashable {
    /// A picture, because the server offers it.
    case picture
    /// A refusal, which a rule demands.
    case refusal(IIIFRule)
    case open
  }

  let outcome: Outcome
  /// Whether the request is outside the grammar.
  var isMalformed: Bool { outcome == .open && shown == nil }

  /// The contents of a picture, if one comes; nil if the grammar does not define them.
  let shown: ShownPicture?

  init(_ request: IIIFRequest, _ information: IIIFInformation) {
    let grammar = IIIFGrammar(information)
    let region = grammar.region(request.region)
    let size = grammar.size(request.size)
    let rotation = grammar.rotation(request.rotation)
    let quality = grammar.quality(request.quality)
    let format = grammar.format(request.format)
    let refusals = [
      region.refusal, size.refusal, rotation.refusal, quality.refusal, format.refusal,
    ]
    guard let region = region.value, let size = size.value, let rotation = rotation.value,
      let quality = quality.value, let format = format.value
    else {
      // Two faults may be reported in either order; the status is the same.
      outcome = refusals.compactMap(\.self).first.map(Outcome.refusal) ?? .open
      shown = nil
      return
    }
    let picture = ShownPicture(
      region: region, size: size, rotation: rotation, quality: quality, format: format,
      information: information)
    shown = picture
    let rules = picture.refusals
    if rules.contains(nil) {
      // A region in percent may be rounded either way: all of its forms must be offered.
      outcome = rules.count == 1 && picture.isOffered ? .picture : .open
    } else {
      let rule = rules.compactMap(\.self).min { $0.id < $1.id }
      outcome = rule.map(Outcome.refusal) ?? .open
    }
  }
}

extension Parameter {
  fileprivate var refusal: IIIFRule? {
    if case .refused(let rule) = self { rule } else { nil }
  }
}

/// The contents of a picture that answers a request.
struct ShownPicture: Sendable {
  let region: RegionForm
  let size: SizeForm
  let rotation: RotationForm
  var quality: String
  let format: String
  let information: IIIFInformation

  private var whole: PixelSize { information.size }

  /// The regions that it may show; for `square` only the likely ones, see `squares`.
  var regions: [PixelRegion] {
    switch region {
    case .full: [PixelRegion(whole: whole)]
    case .square: squares
    case .pixels(let x, let y, let width, let height):
      [Self.region(x, y, min(x + width, whole.width), min(y + height, whole.height))]
        .compactMap(\.self)
    case .percent(let x, let y, let width, let height):
      percentRegions(x, y, width, height)
    }
  }

  /// Squares in the middle and at both ends; `Judge` searches for other places, which are allowed too.
  private var squares: [PixelRegion] {
    let side = min(whole.width, whole.height)
    let rest = max(whole.width, whole.height) - side
    let places = Set([rest / 2, (rest + 1) / 2, 0, rest])
    return places.sorted { abs($0 * 2 - rest) < abs($1 * 2 - rest) }.compactMap {
      whole.width > whole.height
        ? Self.region($0, 0, $0 + side, side) : Self.region(0, $0, side, $0 + side)
    }
  }

  private func percentRegions(
    _ x: Double, _ y: Double, _ width: Double, _ height: Double
  ) -> [PixelRegion] {
    func spans(_ start: Double, _ length: Double, _ side: Int) -> [Range<Int>] {
      let from = Self.parts(side, start)
      // Either the length or the end is rounded.
      let lengths = Self.parts(side, length)
      let ends = Self.parts(side, start + length)
      var found: [Range<Int>] = []
      for first in from where first < side {
        for end in lengths.map({ first + $0 }) + ends {
          let span = first..<min(side, max(end, first + 1))
          if !span.isEmpty, !found.contains(span) { found.append(span) }
        }
      }
      return found
    }
    return spans(x, width, whole.width).flatMap { columns in
      spans(y, height, whole.height).compactMap { rows in
        Self.region(
          columns.lowerBound, rows.lowerBound, columns.upperBound, rows.upperBound)
      }
    }
  }

  /// Returns a percentage of a side, rounded either way, for each order and precision of the calculation.
  private static func parts(_ side: Int, _ percent: Double) -> [Int] {
    let numbers = [
      Double(side) * percent / 100, Double(side) * (percent / 100),
      Double(Float(side) * Float(percent) / 100),
    ]
    .map { min($0, 1e15) }
    return Set(numbers.flatMap { [Int($0.rounded(.down)), Int($0.rounded(.up))] }).sorted()
  }

  /// Returns the integers on both sides of a number; one if it is an integer within a Double's precision.
  static func rounded(_ calculated: Double) -> [Int] {
    // Products of a document's numbers may exceed an Int; no picture is that large.
    let number = min(max(calculated, 0), 1e15)
    let nearest = number.rounded()
    if abs(number - nearest) < 1e-9 * max(1, abs(number)) { return [Int(nearest)] }
    return [Int(number.rounded(.down)), Int(number.rounded(.up))]
  }

  private static func region(
    _ left: Int, _ top: Int, _ right: Int, _ bottom: Int
  ) -> PixelRegion? {
    try? PixelRegion(x: left, y: top, width: right - left, height: bottom - top)
  }

  /// Whether the region is requested in its own size.
  var isUnscaled: Bool {
    guard size.kind == .largest, let region = regions.first else { return false }
    let sides = nominalSize(of: region)
    return sides.width == region.width && sides.height == region.height
  }

  /// Whether the server claims all that the request needs.
  var isOffered: Bool {
    let features = [region.feature, size.feature, rotationFeature].compactMap(\.self)
    var isOffered =
      features.allSatisfy(information.supports)
      && (!rotation.isMirrored || information.supports("mirroring"))
      && information.offers(quality: quality) && information.offers(format: format)
    if regions.contains(where: needsEnlarging) {
      isOffered =
        isOffered
        && information.supports(information.version == .two ? "sizeAboveFull" : "sizeUpscaling")
    }
    // ^ is a separate feature, even if nothing is enlarged.
    if size.isUp { isOffered = isOffered && information.supports("sizeUpscaling") }
    if regions.contains(where: mayExceedLimits) { return false }
    // In 2.1 the server may refuse to enlarge.
    if information.version == .two, case .within(let w, let h) = size.kind,
      regions.contains(where: { w > $0.width && h > $0.height })
    {
      isOffered = isOffered && information.supports("sizeAboveFull")
    }
    // If a side is shorter than a pixel, some servers answer one pixel and some refuse.
    if regions.contains(where: { scaledSides($0).contains { $0 < 1 } }) { return false }
    // 2.1 requires `full` at every level, and makes `max` optional.
    if information.version == .two, size.kind == .largest, !size.isUnscaled { return false }
    // 2.1 has two features for w,h: with and without a kept ratio.
    if case .both = size.kind, information.version == .two {
      isOffered = isOffered && information.supports("sizeByDistortedWh")
    }
    return isOffered
  }

  /// The features and qualities that it needs and the server does not claim.
  var unclaimed: [String] {
    let features = [region.feature, size.feature, rotationFeature].compactMap(\.self)
    return features.filter { !information.supports($0) }
      + (information.offers(quality: quality) ? [] : [quality])
  }

  private var rotationFeature: String? {
    // The levels require only 0, 90, 180 and 270.
    if rotation.degrees == 360 { return "rotationArbitrary" }
    guard let quarters = rotation.quarters else { return "rotationArbitrary" }
    return quarters == 0 ? nil : "rotationBy90s"
  }

  /// The rules that refuse the well-formed request, for all its regions; nil if one may be answered.
  var refusals: Set<IIIFRule?> {
    guard !regions.isEmpty else { return [.regionEmpty] }
    return Set(regions.map(refusal)).union(mayBeEmpty ? [.regionEmpty] : [])
  }

  /// Whether a side of a region in percent may be rounded to 0.
  private var mayBeEmpty: Bool {
    guard case .percent(_, _, let width, let height) = region else { return false }
    return Double(whole.width) * width / 100 < 1 || Double(whole.height) * height / 100 < 1
  }

  private func refusal(_ region: PixelRegion) -> IIIFRule? {
    if information.version == .three && !size.isUp && needsEnlarging(region) { return .sizeAbove }
    switch size.kind {
    // These sizes are reduced to fit the limits, except `full` of 2.1.
    case .within: return nil
    case .largest where !size.isUnscaled: return nil
    default: break
    }
    // 2.1 does not define a refusal for it.
    if information.version == .two { return nil }
    let sides = scaledSides(region)
    return exceedsLimits(sides[0], sides[1]) ? .sizeNone : nil
  }

  /// Returns whether a size with its sides rounded up exceeds the limits; fitted sizes never do.
  private func mayExceedLimits(_ region: PixelRegion) -> Bool {
    switch size.kind {
    case .within: return false
    case .largest where !size.isUnscaled: return false
    default:
      let sides = scaledSides(region)
      return exceedsLimits(sides[0].rounded(.up), sides[1].rounded(.up))
    }
  }

  var isAboveLimits: Bool {
    if case .within = size.kind { return false }
    if case .largest = size.kind, !size.isUnscaled { return false }
    return !regions.isEmpty
      && regions.allSatisfy { region in
        let sides = scaledSides(region)
        return exceedsLimits(sides[0], sides[1])
      }
  }

  private func exceedsLimits(_ width: Double, _ height: Double) -> Bool {
    func exceeds(_ value: Double, _ limit: Int?) -> Bool {
      limit.map { value.rounded(.down) > Double($0) } ?? false
    }
    return exceeds(width, information.maxWidth) || exceeds(height, information.maxHeight)
      || exceeds(width.rounded(.down) * height.rounded(.down), information.maxArea)
  }

  private func needsEnlarging(_ region: PixelRegion) -> Bool {
    switch size.kind {
    case .largest, .within: false
    case .width(let width): width > region.width
    case .height(let height): height > region.height
    case .percent(let percent): percent > 100
    case .both(let width, let height): width > region.width || height > region.height
    }
  }

  func scaledSides(_ region: PixelRegion) -> [Double] {
    let (width, height) = (Double(region.width), Double(region.height))
    switch size.kind {
    case .both(let w, let h): return [Double(w), Double(h)]
    case .width(let w): return [Double(w), height * Double(w) / width]
    case .height(let h): return [width * Double(h) / height, Double(h)]
    case .percent(let percent): return [width * percent / 100, height * percent / 100]
    case .largest, .within:
      let factor = largestFactor(region)
      return [width * factor, height * factor]
    }
  }

  private func largestFactor(_ region: PixelRegion) -> Double {
    let (width, height) = (Double(region.width), Double(region.height))
    var factors: [Double] = []
    if let limit = information.maxWidth { factors.append(Double(limit) / width) }
    if let limit = information.maxHeight { factors.append(Double(limit) / height) }
    if let limit = information.maxArea {
      factors.append((Double(limit) / (width * height)).squareRoot())
    }
    if case .within(let w, let h) = size.kind {
      factors += [Double(w) / width, Double(h) / height]
    } else if factors.isEmpty {
      return 1
    }
    // 3.0 enlarges only with ^; 2.1 does not say whether !w,h does.
    if !size.isUp && information.version == .three { factors.append(1) }
    if !size.isUp, case .largest = size.kind { factors.append(1) }
    if size.isUnscaled { return 1 }
    return factors.min() ?? 1
  }

  /// Returns whether a region may be answered at this size, before rotation.
  func admits(width: Int, height: Int, of region: PixelRegion) -> Bool {
    let sides = scaledSides(region)
    let (widths, heights) = (Self.sides(sides[0]), Self.sides(sides[1]))
    switch size.kind {
    case .both(let w, let h): return width == w && height == h
    case .width(let w):
      return width == w && (heights + tileHeights(of: region, width: w)).contains(height)
    case .height(let h): return height == h && widths.contains(width)
    case .percent, .largest:
      return widths.contains(width) && heights.contains(height)
        && !exceedsLimits(Double(width), Double(height))
    case .within(let w, let h):
      guard width <= w && height <= h else { return false }
      if widths.contains(width) && heights.contains(height) { return true }
      // 2.1: "the exact scaling may be determined by the service provider".
      return information.version == .two
        && abs(width * region.height - height * region.width) <= max(region.width, region.height)
    }
  }

  /// Returns the heights of tiles that 2.1 requests by width alone: both sides divided by the scale factor.
  ///
  /// Viewers and tile makers do so even if a narrow last column, rounded up, implies another ratio.
  private func tileHeights(of region: PixelRegion, width: Int) -> [Int] {
    guard information.version == .two else { return [] }
    return information.tiles.flatMap(\.scaleFactors)
      .filter { $0 > 0 && (region.width - 1) / $0 + 1 == width }
      .map { (region.height - 1) / $0 + 1 }
  }

  /// Rounds a side; a side shorter than one pixel becomes one.
  private static func sides(_ side: Double) -> [Int] { rounded(side).map { max(1, $0) } }

  func describedSize(of region: PixelRegion) -> String {
    let sides = scaledSides(region)
    func words(_ side: Double) -> String {
      Self.sides(side).map(String.init).joined(separator: " or ")
    }
    return "\(words(sides[0])) x \(words(sides[1]))"
  }
}
