internal import PropertyTesting
internal import ZoomGeometry
internal import ZoomLaws
internal import ZoomPipeline

extension RegionLaws {
  static let exactness = [exact, part, overlap, tiles, form]

  private static let exact = Law<PixelSubject>(
    "PX-2", "A peek is the full decode's crop, byte for byte where the pipeline promises it.",
    source: "house rule: byte for byte what a full decode then crop delivers",
    forEach: { .regions(in: $0.reference.size) },
    examples: { PixelRegion.telling(in: $0.reference.size) },
    inWords: { "region \($0)" }
  ) { subject, region, testCase in
    let size = subject.reference.size
    // If a side is no longer than a block, most regions touch an edge anyway.
    let isLarge = min(size.width, size.height) > 32
    testCase.classify(
      region.maxX == size.width || region.maxY == size.height, as: "at the right or bottom edge",
      atLeast: isLarge ? 0.1 : nil)
    testCase.classify(
      Stretch.blocks.contains { region.x % $0 == 0 && region.x > 0 || region.maxX % $0 == 0 },
      as: "on a block's border", atLeast: isLarge ? 0.1 : nil)
    testCase.classify(region.area == 1, as: "one pixel")
    let expected = try subject.reference.whole().cut(region)
    try subject.requireTrue(
      subject.pixels(region), expected, at: region,
      "the peek is not the crop of the full decode (\(size))")
  }

  private static let part = Law<PixelSubject>(
    "PX-3", "The peek of a part is the part of the peek.",
    source: "verifier: crop(a) of crop(b) = crop(a + b)",
    forEach: { subject in
      Gen<PixelRegion>.regions(in: subject.reference.size).flatMap { outer in
        Gen<PixelRegion>.regions(in: outer.size).map { (outer, $0) }
      }
    }, inWords: { "part \($1) of region \($0)" }
  ) { subject, input, _ in
    let (outer, inner) = input
    let whole = try subject.pixels(outer)
    try subject.requireForm(whole, of: outer)
    try subject.requireTrue(
      subject.pixels(inner.moved(outer.x, outer.y)), whole.cut(inner),
      at: inner.moved(outer.x, outer.y), "the part's peek is not the part of the peek")
  }

  private static let overlap = Law<PixelSubject>(
    "PX-4", "Two overlapping peeks agree in the overlap.",
    source: "verifier: seams and overlaps of tiles",
    forEach: { subject in
      Gen<PixelRegion>.regions(in: subject.reference.size, longest: 64).flatMap { core in
        Gens.zip(
          .constant(core), .grown(core, in: subject.reference.size),
          .grown(core, in: subject.reference.size))
      }
    }, inWords: { "regions \($1) and \($2), which share \($0)" }
  ) { subject, input, _ in
    let (core, one, other) = input
    let first = try subject.pixels(one)
    let second = try subject.pixels(other)
    try subject.requireForm(first, of: one)
    try subject.requireForm(second, of: other)
    try subject.requireTrue(
      second.cut(core.moved(-other.x, -other.y)), first.cut(core.moved(-one.x, -one.y)),
      at: core, "the two peeks disagree where they overlap")
  }

  private static let tiles = Law<PixelSubject>(
    "PX-5", "The tiles of a region, put together, are the region.",
    source: "Cantaloupe#80; verifier: full crop by tiles = full",
    forEach: { subject in
      Gen<PixelRegion>.regions(in: subject.reference.size, longest: 256).flatMap { region in
        // At most six tiles across and six down.
        Gens.zip(
          .constant(region), .integer(in: (region.width + 5) / 6...region.width),
          .integer(in: (region.height + 5) / 6...region.height))
      }
    }, inWords: { "region \($0) in tiles of \($1)x\($2)" }
  ) { subject, input, testCase in
    let (region, width, height) = input
    testCase.classify(
      region.width % width != 0 || region.height % height != 0, as: "with a part of a tile")
    let whole = try subject.pixels(region)
    try subject.requireForm(whole, of: region)
    for top in stride(from: 0, to: region.height, by: height) {
      for left in stride(from: 0, to: region.width, by: width) {
        let tile = PixelRegion.checked(
          left, top, min(width, region.width - left), min(height, region.height - top))
        try subject.requireTrue(
          subject.pixels(tile.moved(region.x, region.y)), whole.cut(tile),
          at: tile.moved(region.x, region.y), "the tile \(tile) of the region is not its part")
      }
    }
  }

  private static let form = Law<PixelSubject>(
    "PX-6",
    "An answer has the size asked for, the picture's bands and samples, and says how it was made"
      + " and in which colours.",
    source: "house rule: the answer is pixels of size, bands, format and colour interpretation",
    forEach: { .requests(in: $0.reference.size) },
    inWords: { $0.inWords }
  ) { subject, request, _ in
    let header = subject.reference.header
    try Property.require(
      subject.source.size == header.size,
      "the source says the picture is \(subject.source.size), and it is \(header.size)")
    let answer = try subject.source.read(request)
    let (pixels, form) = (answer.pixels, subject.reference.form)
    try Property.require(
      pixels.size == request.outputSize, "the answer is \(pixels.size), not \(request.outputSize)")
    try Property.require(
      (pixels.bands, pixels.format, pixels.interpretation) == form,
      "the answer has \(pixels.bands) bands of \(pixels.format.rawValue) in"
        + " \(pixels.interpretation.rawValue), and should have \(form.bands) of"
        + " \(form.format.rawValue) in \(form.interpretation.rawValue)")
    try Property.require(
      answer.colour == subject.pipeline.colour,
      "the answer is said to be in \(answer.colour?.title ?? "the picture's colours"), and should be"
        + " in \(subject.pipeline.colour?.title ?? "those")")
    try Property.require(
      (answer.resampling == .none) == (request.reduction == .none) || !subject.pipeline.isExact,
      "the answer at 1:\(request.reduction.rawValue) is said to be made by"
        + " \(answer.resampling.rawValue)")
  }

  static let shaping = [turns, reductions, reducedParts]

  private static let turns = Law<PixelSubject>(
    "PX-11",
    "A turned peek is the upright peek turned, and turning it back gives the upright peek.",
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
      "turned back, the peek differs from the upright one")
  }

  private static let reductions = Law<PixelSubject>(
    "PX-12",
    "A reduced peek is the mean of its blocks or the decoder's own reduction, whichever the answer"
      + " states, and it is not shifted.",
    source: "libvips#504, libvips#703, libvips#4841, sharp#452: half a pixel; iipsrv#283",
    forEach: { .reducedRequests(in: $0.reference.size) },
    examples: {
      let size = $0.reference.size
      return RegionRequest.raggedEdges(of: size) + RegionRequest.edgeOf422(in: size)
    }, inWords: { $0.inWords }
  ) { subject, request, testCase in
    let size = subject.reference.size
    testCase.classify(
      request.isRaggedStrip(of: size), as: "at most three blocks, the last one a part",
      atLeast: Reduction.ofDecoders.contains { !size.hasWholeBlocks(of: $0) } ? 0.05 : nil)
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

extension PixelSubject {
  /// Throws unless an answer has the region's size.
  func requireForm(_ pixels: Pixels, of region: PixelRegion) throws {
    try Property.require(
      pixels.size == region.size, "the peek of \(region) is \(pixels.size), not \(region.size)")
  }
}

extension Gen where Value == PixelRegion {
  /// Returns a region with up to 40 pixels more on each side, within the picture.
  fileprivate static func grown(_ core: PixelRegion, in size: PixelSize) -> Gen {
    let more = Gen<Int>.integer(in: 0...40)
    return Gens.zip(more, more, more, more).map { left, top, right, bottom in
      let (x, y) = (max(0, core.x - left), max(0, core.y - top))
      return .checked(
        x, y, min(size.width, core.maxX + right) - x, min(size.height, core.maxY + bottom) - y)
    }
  }
}
