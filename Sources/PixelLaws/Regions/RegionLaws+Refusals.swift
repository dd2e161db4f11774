internal import PropertyTesting
internal import ZoomGeometry
internal import ZoomLaws
internal import ZoomPipeline

extension RegionLaws {
  static let outside = Law<PixelSubject>(
    "PX-14",
    "A request that leaves the picture, or holds parts of blocks, is refused as such and in time.",
    source: "house rule: never clamped; iipsrv#52 (a hang), hymir#277 (a server error)",
    forEach: { .impossible(in: $0.reference.size) },
    examples: { RegionRequest.impossible(in: $0.reference.size) }, inWords: { $0.inWords }
  ) { subject, request, testCase in
    let size = subject.reference.size
    let isOutside = !request.region.isInside(size)
    testCase.classify(isOutside, as: "outside the picture")
    testCase.classify(!isOutside, as: "with parts of blocks")
    switch subject.outcome(of: request) {
    case .success(let answer):
      throw PropertyFailure(
        "a picture of \(size) gave \(answer.pixels.size) pixels for it instead of refusing")
    case .failure(let error) where error.code == .outOfTime: throw error
    case .failure(let error):
      try Property.require(error.code == .outside, "it is refused, but not as outside: \(error)")
    case nil:
      throw PropertyFailure("it is neither answered nor refused within \(subject.patience)")
    }
    // A refusal must leave the source usable.
    _ = try subject.pixels(.checked(0, 0, 1, 1))
  }
}

extension RegionRequest {
  /// Returns requests across and beyond the edges, and one that contains partial blocks.
  fileprivate static func impossible(in size: PixelSize) -> [RegionRequest] {
    let (width, height) = (size.width, size.height)
    let outside: [PixelRegion] = [
      .checked(0, 0, width + 1, 1), .checked(0, 0, 1, height + 1), .checked(-1, 0, 1, 1),
      .checked(0, -1, 2, 2), .checked(width, 0, 1, 1), .checked(0, height, 1, 1),
    ]
    let part: [RegionRequest] =
      width > 2 ? [RegionRequest(.checked(1, 0, 1, 1), reduction: .half)] : []
    return outside.map { RegionRequest($0) } + part
  }
}

extension Gen where Value == RegionRequest {
  /// Returns a generator of requests that no picture of this size can answer.
  fileprivate static func impossible(in size: PixelSize) -> Gen {
    let beyond = Gen<Int>.weighted([
      (4, .integer(in: 1...40)), (1, .integer(in: 1...PixelSize.maximumSide / 2)),
    ])
    let outside = Gens.zip(
      Gen<PixelRegion>.regions(in: size), beyond, Gen<Int>.integer(in: 0...5),
      Gen<Reduction>.element(of: Reduction.ofDecoders)
    ).map { region, far, kind, reduction in
      let leaving: PixelRegion =
        switch kind {
        // Across an edge by `far` pixels.
        case 0: .checked(region.x, region.y, size.width - region.x + far, region.height)
        case 1: .checked(region.x, region.y, region.width, size.height - region.y + far)
        case 2: .checked(-far, region.y, region.width, region.height)
        case 3: .checked(region.x, -far, region.width, region.height)
        // Entirely outside.
        case 4: .checked(size.width - 1 + far, region.y, region.width, region.height)
        default: .checked(region.x, size.height - 1 + far, region.width, region.height)
        }
      return RegionRequest(leaving, reduction: reduction)
    }
    let halved = Gens.zip(
      Gen<PixelRegion>.regions(in: size), .element(of: [Reduction.half, .quarter])
    ).compactMap { region, reduction -> RegionRequest? in
      let request = RegionRequest(region, reduction: reduction)
      let isWhole = region == region.holdingBlocks(of: reduction.rawValue, in: size)
      return isWhole ? nil : request
    }
    // Every request inside a picture of one pixel covers whole blocks.
    return size.area == 1 ? outside : .weighted([(3, outside), (1, halved)])
  }
}
