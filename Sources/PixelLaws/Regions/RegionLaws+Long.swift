internal import PropertyTesting
internal import ZoomGeometry
internal import ZoomLaws
internal import ZoomPipeline

/// Laws of regions longer than `Gen.longestSide`, which the other laws leave out to stay cheap.
extension RegionLaws {
  /// Limits of implementations: 2^12 for tiles, 2^15 for Int16 and 2^16 for UInt16 numbers.
  private static let powers = [1 << 12, 1 << 15, 1 << 16]

  /// The most pixels per request: 100 MB with 8 bits and three bands.
  private static let mostPixels = 1 << 25

  /// The longest other side of a region with a long side.
  static let breadth = 64

  static let long = Law<PixelSubject>(
    "PX-15",
    "Peeks of whole rows, whole columns and sides next to 2^12, 2^15 and 2^16 are right.",
    source: "a worker that failed beyond 3,000 pixels and was called correct",
    forEach: { subject in
      let reductions: [Reduction] = [.none, .none, .none, .half, .quarter, .eighth]
      let size = subject.reference.size
      return Gens.zip(longRegions(in: size), .element(of: reductions), .allCases)
        .map { region, reduction, turn in
          RegionRequest(
            region.holdingBlocks(of: reduction.rawValue, in: size), reduction: reduction,
            turn: turn)
        }
    },
    inWords: { $0.inWords }
  ) { subject, request, testCase in
    let (size, region) = (subject.reference.size, request.region)
    // The other laws cover smaller pictures.
    let isLarge = max(size.width, size.height) > Gen<PixelRegion>.longestSide
    testCase.classify(region.width == size.width, as: "whole rows", atLeast: isLarge ? 0.02 : nil)
    testCase.classify(
      region.height == size.height, as: "whole columns", atLeast: isLarge ? 0.02 : nil)
    let hasPower = !sidesAtPowers(in: max(size.width, size.height)).isEmpty
    testCase.classify(
      [region.width, region.height].contains { sidesAtPowers(in: $0).contains($0) },
      as: "a side next to 2^12, 2^15 or 2^16", atLeast: hasPower ? 0.02 : nil)
    try subject.requireLong(request)
  }

  /// A separate law, because its one case costs as much as all of PX-15.
  static let whole = Law<PixelSubject>(
    "PX-18",
    "One request for the whole picture, or for its first rows up to 2^25 pixels, is right.",
    source: "verifier: the largest request that a program must answer",
    forEach: { subject in
      let size = subject.reference.size
      let rows = min(size.height, max(1, mostPixels / size.width))
      return .constant(RegionRequest(.checked(0, 0, size.width, rows)))
    }, inWords: { $0.inWords }
  ) { subject, request, _ in try subject.requireLong(request) }

  /// Returns the lengths up to `side` that are at or next to a power of two.
  private static func sidesAtPowers(in side: Int) -> Set<Int> {
    Set(powers.flatMap { $0 - 1...$0 + 1 }.filter { $0 <= side })
  }

  /// Returns a generator of regions with a long width or height.
  static func longRegions(in size: PixelSize) -> Gen<PixelRegion> {
    let wide = Gens.zip(
      longStretches(of: size.width), Stretch.stretches(of: size.height, longest: breadth))
    let tall = Gens.zip(
      Stretch.stretches(of: size.width, longest: breadth), longStretches(of: size.height))
    return Gen<(Stretch, Stretch)>.oneOf(wide, tall).map {
      .checked($0.start, $1.start, $0.length, $1.length)
    }
  }

  /// Returns a generator of ranges of any length, often the whole side or next to a power of two.
  ///
  /// The length is one choice, so that it shrinks to the shortest length that fails.
  private static func longStretches(of side: Int) -> Gen<Stretch> {
    let known = sidesAtPowers(in: side).sorted()
    return Gen { testCase throws(Discarded) in
      let length =
        1
        + Int(
          testCase.index(through: UInt64(side - 1)) { random in
            let kind = random.next(through: 4)
            if kind == 0 { return random.next(through: UInt64(side - 1)) }
            if kind > 2 || known.isEmpty { return UInt64(side - 1) }
            return UInt64(known[Int(random.next(through: UInt64(known.count - 1)))] - 1)
          })
      return Stretch(start: testCase.integer(in: 0...side - length), length: length)
    }
  }
}

extension PixelSubject {
  /// Throws unless a request is answered correctly or refused because of the memory budget.
  fileprivate func requireLong(_ request: RegionRequest) throws {
    let exact = try reference.whole().cut(request.region)
    let answer: RegionAnswer
    do throws(PipelineError) { answer = try source.read(request) } catch {
      guard error.code == .overBudget else { throw error }
      throw Discarded()
    }
    guard request.reduction == .none else {
      try requireReduced(answer, from: exact, request, of: reference)
      return
    }
    try requireTrue(
      answer.pixels, exact.quarterTurned(request.turn),
      "the peek is not the crop of the full decode (\(reference.size))")
  }
}
