internal import PropertyTesting
internal import ZoomGeometry
internal import ZoomPipeline

extension PixelSubject {
  /// Throws unless a reduced answer is the reduction of its region, whose exact upright pixels are
  /// `exact`; returns whether pixels, or at least their brightness, were compared.
  ///
  /// The mean of blocks follows from the exact pixels. A decoder's reduction does not: the inverse
  /// DCT of fewer points includes what the encoder put into the part of a block that overhangs the
  /// picture, which no exact pixel shows. So an exact pipeline must give what libvips' decoder
  /// gives, and others must keep brightness and place.
  @discardableResult
  func requireReduced(
    _ answer: RegionAnswer, from exact: Pixels, _ request: RegionRequest,
    of reference: ReferencePicture
  ) throws -> Bool {
    if pipeline.isExact, answer.resampling == .decoder,
      let whole = try reference.reduced(by: request.reduction)
    {
      let part = whole.cut(request.region.reduced(by: request.reduction.rawValue))
      try requireSame(
        answer.pixels, part.quarterTurned(request.turn),
        "the reduced peek is not the part of what libvips' decoder reduces")
      return true
    }
    // The mean of blocks is defined for some formats only.
    guard let means = exact.meanOfBlocks(request.reduction.rawValue) else { return false }
    switch answer.resampling {
    case .none, .blockMean:
      // Colours may be converted before or after the mean is taken.
      if let converted = try reference.convertedMeans(request),
        comparator.compare(answer.pixels, converted).isSame
      {
        return true
      }
      try requireTrue(
        answer.pixels, means.quarterTurned(request.turn),
        "the reduced peek is not the mean of its blocks")
      return true
    // The way in which a stored level was made is unknown, and laws do not ask for one.
    case .decoder, .stored: return try requireMeanKept(answer.pixels, means, request)
    }
  }

  /// Throws if an answer of unknown reduction differs in form, brightness or place; returns whether
  /// brightness was compared.
  private func requireMeanKept(
    _ got: Pixels, _ means: Pixels, _ request: RegionRequest
  ) throws -> Bool {
    try trustComparator()
    let demand = "the reduced peek does not show the same"
    let turned = means.quarterTurned(request.turn)
    guard comparator.compare(got, turned).formDifference == nil else {
      throw mismatch(demand, got, turned)
    }
    func requireBrightness(_ got: Pixels, _ expected: Pixels, within levels: Double) throws {
      func mean(_ pixels: Pixels) -> Double {
        pixels.bandMeans.reduce(0, +) / Double(pixels.size.area)
      }
      if abs(mean(got) - mean(expected)) > levels { throw mismatch(demand, got, expected) }
    }
    // On noise, the mean of 64 pixels differs by up to 10 levels, because colours are clamped.
    let (leastArea, levels) = (64, 10.0)
    guard got.size.area >= leastArea else { return false }
    let got = got.quarterTurned(request.turn.inverse)
    let blocks = request.wholeUnits
    // Pixels outside whole units differ by up to 64 levels more.
    let edges = 1 - Double(blocks?.area ?? 0) / Double(got.size.area)
    try requireBrightness(got, means, within: levels + 64 * edges)
    guard let blocks, blocks.area >= leastArea else { return true }
    let (inner, expected) = (got.cut(blocks), means.cut(blocks))
    try requireBrightness(inner, expected, within: levels)
    guard min(blocks.width, blocks.height) >= 16,
      let shift = comparator.shift(inner, expected, 0), shift.explained > 0.5
    else { return true }
    guard shift.length <= 0.15 else { throw mismatch(demand, inner, expected, within: 0) }
    return true
  }
}

extension RegionRequest {
  /// The part of the upright answer made of whole units of 32 pixels, the largest MCU; nil if none.
  fileprivate var wholeUnits: PixelRegion? {
    let (unit, side) = (32, reduction.rawValue)
    let (left, top) = ((region.x + unit - 1) / unit * unit, (region.y + unit - 1) / unit * unit)
    let (right, bottom) = (region.maxX / unit * unit, region.maxY / unit * unit)
    guard left < right, top < bottom else { return nil }
    return .checked(
      (left - region.x) / side, (top - region.y) / side, (right - left) / side,
      (bottom - top) / side)
  }
}
