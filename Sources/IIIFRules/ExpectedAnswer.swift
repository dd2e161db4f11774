package import ForeignPipelines
package import ZoomGeometry

/// The answers that a request may have by the specification and by the server's claims.
package struct ExpectedAnswer: Sendable {
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
  package let shown: ShownPicture?

  package init(_ request: IIIFRequest, _ information: IIIFInformation) {
    let grammar = IIIFGrammar(information)
    let region = grammar.region(request.region)
    let size = grammar.size(request.size)
    let rotation = grammar.rotation(request.rotation)
    let quality = grammar.quality(request.quality)
    let format = grammar.format(request.format)
    // Two faults may be reported in either order; the status is the same.
    let refusal =
      region.refusal ?? size.refusal ?? rotation.refusal ?? quality.refusal ?? format.refusal
    guard let region = region.value, let size = size.value, let rotation = rotation.value,
      let quality = quality.value, let format = format.value
    else {
      outcome = refusal.map(Outcome.refusal) ?? .open
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

/// The contents of a picture that answers a request.
package struct ShownPicture: Sendable {
  let region: RegionForm
  let size: SizeForm
  let rotation: RotationForm
  var quality: String
  let format: String
  let information: IIIFInformation

  private var whole: PixelSize { information.size }

  /// The regions that it may show; for `square` only the likely ones, see `squares`.
  package var regions: [PixelRegion] {
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
    return nominalSize(of: region) == region.size
  }

  /// The features of info.json that its region, size and angle need.
  package var features: [String] {
    // The levels require only 0, 90, 180 and 270.
    let isQuarters = rotation.quarters != nil && rotation.degrees != 360
    let angle =
      rotation.degrees == 0 ? nil : isQuarters ? "rotationBy90s" : "rotationArbitrary"
    return [region.feature, size.feature, angle].compactMap(\.self)
  }

  /// Whether the server claims all that the request needs.
  var isOffered: Bool {
    let isTwo = information.version == .two
    let isTooSmall = { (region: PixelRegion) in scaledSides(region).contains { $0 < 1 } }
    // If a side is shorter than a pixel, some servers answer one pixel and some refuse.
    if regions.contains(where: { exceedsLimits($0, .up) || isTooSmall($0) }) { return false }
    // 2.1 requires `full` at every level, and makes `max` optional.
    if isTwo, size.kind == .largest, !size.isUnscaled { return false }
    let enlarges = regions.contains { region in
      // In 2.1 the server may also refuse to enlarge into a box.
      if isTwo, case .within(let width, let height) = size.kind {
        return width > region.width && height > region.height
      }
      return needsEnlarging(region)
    }
    var needed = features
    if rotation.isMirrored { needed.append("mirroring") }
    if enlarges { needed.append(isTwo ? "sizeAboveFull" : "sizeUpscaling") }
    // ^ is a separate feature, even if nothing is enlarged.
    if size.isUp { needed.append("sizeUpscaling") }
    // 2.1 has two features for w,h: with and without a kept ratio.
    if isTwo, case .both = size.kind { needed.append("sizeByDistortedWh") }
    return needed.allSatisfy(information.supports)
      && information.offers(quality: quality) && information.offers(format: format)
  }

  /// The features and qualities that it needs and the server does not claim.
  var unclaimed: [String] {
    features.filter { !information.supports($0) }
      + (information.offers(quality: quality) ? [] : [quality])
  }

  /// For each region that the well-formed request may mean, the rule that refuses it; the set
  /// contains nil if one of them may be answered.
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
    // 2.1 does not define a refusal of too large sizes.
    guard information.version == .three else { return nil }
    if !size.isUp && needsEnlarging(region) { return .sizeAbove }
    return exceedsLimits(region) ? .sizeNone : nil
  }

  var isAboveLimits: Bool { !regions.isEmpty && regions.allSatisfy { exceedsLimits($0) } }

  /// Returns whether a region's size, with its sides rounded, exceeds the limits.
  private func exceedsLimits(
    _ region: PixelRegion, _ rounding: FloatingPointRoundingRule = .down
  ) -> Bool {
    switch size.kind {
    // These sizes are reduced to fit the limits, except `full` of 2.1.
    case .within: return false
    case .largest where !size.isUnscaled: return false
    default:
      let sides = scaledSides(region).map { $0.rounded(rounding) }
      return exceedsLimits(sides[0], sides[1])
    }
  }

  private func exceedsLimits(_ width: Double, _ height: Double) -> Bool {
    func exceeds(_ value: Double, _ limit: Int?) -> Bool {
      limit.map { value > Double($0) } ?? false
    }
    return exceeds(width, information.maxWidth) || exceeds(height, information.maxHeight)
      || exceeds(width * height, information.maxArea)
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
    if size.isUnscaled { return 1 }
    let (width, height) = (Double(region.width), Double(region.height))
    var factors = [
      information.maxWidth.map { Double($0) / width },
      information.maxHeight.map { Double($0) / height },
      information.maxArea.map { (Double($0) / (width * height)).squareRoot() },
    ].compactMap(\.self)
    if case .within(let w, let h) = size.kind {
      factors += [Double(w) / width, Double(h) / height]
    }
    // 3.0 enlarges only with ^; 2.1 does not say whether !w,h does.
    if !size.isUp && (information.version == .three || size.kind == .largest) {
      factors.append(1)
    }
    return factors.min() ?? 1
  }

  /// Returns whether a region may be answered at this size, before rotation.
  package func admits(width: Int, height: Int, of region: PixelRegion) -> Bool {
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
  static func sides(_ side: Double) -> [Int] { rounded(side).map { max(1, $0) } }

  func describedSize(of region: PixelRegion) -> String {
    let sides = scaledSides(region)
    func words(_ side: Double) -> String {
      Self.sides(side).map(String.init).joined(separator: " or ")
    }
    return "\(words(sides[0])) x \(words(sides[1]))"
  }
}
