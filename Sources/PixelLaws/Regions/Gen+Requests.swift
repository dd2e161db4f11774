package import PropertyTesting
package import ZoomGeometry
package import ZoomPipeline

extension Gen where Value == RegionRequest {
  /// Returns a generator of requests, some reduced and turned; the simplest is the first pixel.
  package static func requests(
    in size: PixelSize, reductions: [Reduction] = Reduction.allCases
  ) -> Gen {
    Gens.zip(.regions(in: size), .element(of: reductions), .allCases).map {
      region, reduction, turn in
      RegionRequest(
        region.holdingBlocks(of: reduction.rawValue, in: size), reduction: reduction, turn: turn)
    }
  }

  /// Returns a generator of reduced requests; the simplest is the first pixel.
  ///
  /// If the picture has partial blocks, a third of the requests are narrow strips that end in one.
  static func reducedRequests(in size: PixelSize) -> Gen {
    let any = requests(in: size, reductions: [.half, .quarter, .eighth])
    let ragged = Reduction.allCases.filter { !size.hasWholeBlocks(of: $0) }
    return ragged.isEmpty ? any : .weighted([(2, any), (1, raggedStrips(in: size, ragged))])
  }

  /// Returns strips at the right or bottom edge that end in a partial block.
  private static func raggedStrips(in size: PixelSize, _ reductions: [Reduction]) -> Gen {
    Gens.zip(
      .element(of: reductions), .integer(in: 1...3), .bool,
      Gen<PixelRegion>.regions(in: size), .allCases
    ).map { reduction, blocks, isBottom, region, turn in
      let isAtRight = !size.width.isMultiple(of: reduction.rawValue)
      let isAtBottom = !size.height.isMultiple(of: reduction.rawValue)
      let strip = RegionRequest.lastBlocks(
        blocks, of: size, reduction, alongBottom: isAtBottom && (isBottom || !isAtRight),
        across: region)
      return RegionRequest(strip.region, reduction: reduction, turn: turn)
    }
  }
}

extension RegionRequest {
  /// Returns strips of two blocks along whole edges that end in a partial block, at each reduction.
  static func raggedEdges(of size: PixelSize) -> [RegionRequest] {
    Reduction.allCases.flatMap { reduction in
      [(false, size.width), (true, size.height)].compactMap { isBottom, length in
        length.isMultiple(of: reduction.rawValue)
          ? nil
          : lastBlocks(
            2, of: size, reduction, alongBottom: isBottom, across: PixelRegion(whole: size))
      }
    }
  }

  /// Returns the last `count` blocks at the right or bottom edge, along the extent of a region.
  fileprivate static func lastBlocks(
    _ count: Int, of size: PixelSize, _ reduction: Reduction, alongBottom: Bool,
    across region: PixelRegion
  ) -> RegionRequest {
    func start(_ length: Int) -> Int {
      max(reduction.reduced(length) - count, 0) * reduction.rawValue
    }
    let (left, top) = (start(size.width), start(size.height))
    let strip: PixelRegion =
      alongBottom
      ? .checked(region.x, top, region.width, size.height - top)
      : .checked(left, region.y, size.width - left, region.height)
    return RegionRequest(
      strip.holdingBlocks(of: reduction.rawValue, in: size), reduction: reduction)
  }
}

extension PixelSize {
  /// Whether both sides are multiples of a reduction's blocks.
  func hasWholeBlocks(of reduction: Reduction) -> Bool {
    width.isMultiple(of: reduction.rawValue) && height.isMultiple(of: reduction.rawValue)
  }
}

extension RegionRequest {
  /// Whether the request asks for at most three blocks across or down, with a partial last one.
  func isRaggedStrip(of size: PixelSize) -> Bool {
    let side = reduction.rawValue
    func isRagged(_ length: Int, _ end: Int, _ whole: Int) -> Bool {
      end == whole && !whole.isMultiple(of: side) && length <= 3 * side
    }
    return isRagged(region.width, region.maxX, size.width)
      || isRagged(region.height, region.maxY, size.height)
  }

  /// A phrase such as "region 3x4+5+6 at 1:2, turned 90 degrees".
  var inWords: String {
    var words = "region \(region)"
    if reduction != .none { words += " at 1:\(reduction.rawValue)" }
    if turn != .none { words += ", turned \(turn.rawValue * 90) degrees" }
    return words
  }
}
