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
      // Not square if the picture allows, so that swapped sides show.
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
    "A reduced peek is the mean of its blocks or what the decoder reduces, as it says, in its place.",
    source: "libvips#504, libvips#703, libvips#4841, sharp#452: half a pixel; iipsrv#283",
    forEach: { .reducedRequests(in: $0.reference.size) },
    examples: { RegionRequest.raggedEdges(of: $0.reference.size) }, inWords: { $0.inWords }
  ) { subject, request, testCase in
    let size = subject.reference.size
    testCase.classify(
      request.isRaggedStrip(of: size), as: "at most three blocks, the last one a part",
      atLeast: Reduction.allCases.contains { !size.hasWholeBlocks(of: $0) } ? 0.05 : nil)
    let exact = try subject.pixels(request.region)
    try subject.requireForm(exact, of: request.region)
    let isCompared = try subject.requireReduced(
      subject.source.read(request), from: exact, request, of: subject.reference)
    testCase.classify(isCompared, as: "large enough to compare")
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
