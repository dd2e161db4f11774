internal import PropertyTesting
internal import ZoomGeometry
internal import ZoomLaws
internal import ZoomPipeline

extension RegionLaws {
  static let shaping = [turns, reductions, reducedParts]

  private static let turns = Law<PixelSubject>(
    "PX-11", "A turned peek is the peek turned, and turning it on to a whole turn gives it back.",
    source: "verifier: rotating by 90 degrees four times is nothing",
    forEach: { .requests(in: $0.reference.size) },
    examples: { subject in
      // Not square where the picture allows, so that swapped sides show.
      let size = subject.reference.size
      let region = PixelRegion.checked(0, 0, min(5, size.width), min(3, size.height))
      return QuarterTurn.allCases.dropFirst().map { RegionRequest(region, turn: $0) }
    }, inWords: { $0.inWords }
  ) { subject, request, testCase in
    testCase.classify(request.turn.swapsAxes, as: "width and height change places")
    let upright = try subject.pixels(RegionRequest(request.region, reduction: request.reduction))
    let turned = try subject.pixels(request)
    try subject.requireTrue(
      turned, upright.quarterTurned(request.turn), "the turned peek is not the peek turned")
    try subject.requireTrue(
      turned.quarterTurned(request.turn.inverse), upright,
      "turned on to a whole turn the peek is another")
  }

  private static let reductions = Law<PixelSubject>(
    "PX-12",
    "A reduced peek is the mean of its blocks where it says so, and always in the same place.",
    source: "libvips#504, libvips#703, libvips#4841, sharp#452: half a pixel; iipsrv#283",
    forEach: { .requests(in: $0.reference.size, reductions: [.half, .quarter, .eighth]) },
    examples: { subject in
      // To the last blocks, which are parts, and not from the first.
      [Reduction.half, .quarter, .eighth].compactMap { reduction in
        let (size, side) = (subject.reference.size, reduction.rawValue)
        guard min(size.width, size.height) > side else { return nil }
        let left = max(1, (size.width - 48) / side) * side
        let top = max(1, (size.height - 40) / side) * side
        return RegionRequest(
          .checked(left, top, size.width - left, size.height - top), reduction: reduction)
      }
    }, inWords: { $0.inWords }
  ) { subject, request, _ in
    let exact = try subject.pixels(request.region)
    try subject.requireForm(exact, of: request.region)
    try subject.requireReduced(subject.source.read(request), from: exact, request)
  }

  private static let reducedParts = Law<PixelSubject>(
    "PX-13", "The reduced peek of a part is the part of the reduced peek.",
    source: "klokantech/iiifserver#21, iipsrv#228: a region that depends on the scale",
    forEach: { subject in
      let size = subject.reference.size
      return Gen<RegionRequest>.requests(in: size, reductions: [.half, .quarter, .eighth])
        .flatMap { outer in
          Gen<PixelRegion>.regions(in: outer.region.size).map { inner in
            let part = inner.moved(outer.region.x, outer.region.y)
              .holdingBlocks(of: outer.reduction.rawValue, in: size)
            return (outer, part)
          }
        }
    },
    inWords: { "part \($1) of \($0.inWords)" }
  ) { subject, input, _ in
    let (outer, part) = input
    let side = outer.reduction.rawValue
    let whole = try subject.pixels(RegionRequest(outer.region, reduction: outer.reduction))
    let wholeBlocks = outer.region.reduced(by: side)
    try subject.requireForm(whole, of: wholeBlocks)
    let expected = whole.cut(part.reduced(by: side).moved(-wholeBlocks.x, -wholeBlocks.y))
    try subject.requireTrue(
      subject.pixels(RegionRequest(part, reduction: outer.reduction)), expected,
      "the reduced part is not the part of the reduced peek")
  }
}

extension PixelSubject {
  /// Throws unless an answer is what its region, one to one and upright, comes to when reduced.
  func requireReduced(_ answer: RegionAnswer, from exact: Pixels, _ request: RegionRequest) throws {
    // Formats whose means nobody here defines are compared by nobody.
    guard let means = exact.meanOfBlocks(request.reduction.rawValue) else { return }
    let expected = means.quarterTurned(request.turn)
    switch answer.resampling {
    case .none, .blockMean:
      try requireTrue(answer.pixels, expected, "the reduced peek is not the mean of its blocks")
    // How a level was made, nobody knows; laws ask for none.
    case .decoder, .stored: try requireMeanKept(answer.pixels, expected)
    }
  }

  /// Throws where a decoder's own reduction has another form, brightness or place.
  ///
  /// An inverse DCT of fewer points is no block mean: a pixel may differ by much, above all where a
  /// block overhangs the picture, and the mean of 64 of them by 10 levels on pure noise.
  private func requireMeanKept(_ got: Pixels, _ expected: Pixels) throws {
    try trustComparator()
    let seen = comparator.compare(got, expected)
    let demand = "the reduced peek does not show the same"
    func fail(_ shift: PixelShift?) -> PixelMismatch {
      PixelMismatch(demand, got: got, expected: expected, comparison: seen, shift: shift)
    }
    guard seen.formDifference == nil else { throw fail(nil) }
    guard got.size.area >= 64 else { return }
    let difference = abs(got.meanLevel - expected.meanLevel) / expected.fullScale
    guard difference <= 10.0 / 255 else { throw fail(comparator.shift(got, expected, 8)) }
    guard min(got.size.width, got.size.height) >= 16,
      let shift = comparator.shift(got, expected, 0), shift.explained > 0.5
    else { return }
    guard shift.length <= 0.15 else { throw fail(shift) }
  }
}
