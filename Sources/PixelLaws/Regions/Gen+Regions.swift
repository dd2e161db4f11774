package import PropertyTesting
package import ZoomGeometry
internal import ZoomLaws
package import ZoomPipeline

extension PixelRegion {
  /// Returns a region from numbers that are known to be valid.
  package static func checked(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> PixelRegion {
    do { return try PixelRegion(x: x, y: y, width: width, height: height) } catch {
      preconditionFailure("\(error)")
    }
  }

  /// Returns the region moved right by `x` and down by `y` pixels.
  func moved(_ x: Int, _ y: Int) -> PixelRegion { .checked(self.x + x, self.y + y, width, height) }

  /// Returns the smallest region of whole blocks that contains this one, clamped to the picture.
  package func holdingBlocks(of side: Int, in picture: PixelSize) -> PixelRegion {
    let (left, top) = (x / side * side, y / side * side)
    return .checked(
      left, top, min((maxX + side - 1) / side * side, picture.width) - left,
      min((maxY + side - 1) / side * side, picture.height) - top)
  }

  /// Returns the upright region for a region of a stored picture with an orientation tag.
  package func seen(through orientation: Orientation, of size: PixelSize) -> PixelRegion {
    let (right, bottom) = (size.width - maxX, size.height - maxY)
    return switch orientation {
    case .up: self
    case .upMirrored: .checked(right, y, width, height)
    case .down: .checked(right, bottom, width, height)
    case .downMirrored: .checked(x, bottom, width, height)
    case .leftMirrored: .checked(y, x, height, width)
    case .right: .checked(bottom, x, height, width)
    case .rightMirrored: .checked(bottom, right, height, width)
    case .left: .checked(y, right, height, width)
    }
  }

  /// Returns a few small regions that expose common mistakes at once.
  static func telling(in size: PixelSize) -> [PixelRegion] {
    // The square shows whether x and y were exchanged, but not whether width and height were.
    // The other region is the last pixel.
    let side = min(7, size.width, size.height)
    return [
      .checked((size.width - side) / 2, (size.height - side) / 3, side, side),
      .checked(size.width - 1, size.height - 1, 1, 1),
    ]
  }
}

/// A range of rows or columns.
struct Stretch: Sendable {
  let start: Int
  let length: Int

  /// The usual sides of coding blocks, MCUs and tiles; readers often fail at their borders.
  static let blocks = [8, 16, 32, 64, 128, 256]

  private enum RegionKind { case pixel, anywhere, whole, farEnd, border }

  /// The kinds of range, repeated by weight, the simplest first.
  ///
  /// The list is the same for every side, so that a choice keeps its meaning during shrinking.
  private static let kinds =
    [.pixel, .pixel] + [RegionKind](repeating: .anywhere, count: 4) + [.whole, .whole]
    + [.farEnd, .farEnd, .farEnd] + [RegionKind](repeating: .border, count: 6)

  /// Returns a generator of ranges within a side.
  ///
  /// It draws pixels, any range, the far end, ranges at the borders of blocks, and the whole side
  /// if that is no longer than `longest`; the simplest value is the first pixel.
  static func stretches(of side: Int, longest: Int) -> Gen<Stretch> {
    let longest = min(side, longest)
    let blocks = Self.blocks.filter { $0 < side }
    let last = UInt64(kinds.count - 1)
    // One body without nested generators: laws create this generator for every case.
    return Gen { testCase throws(Discarded) in
      testCase.span(.alternative) { testCase in
        switch kinds[Int(testCase.index(through: last) { $0.next(through: last) })] {
        case .pixel: return Stretch(start: testCase.integer(in: 0...side - 1), length: 1)
        case .whole where side <= longest: return Stretch(start: 0, length: side)
        case .border where !blocks.isEmpty:
          let block = blocks[testCase.integer(in: 0...blocks.count - 1)]
          let border = testCase.integer(in: 0...side / block) * block
          let start = min(max(border + testCase.integer(in: -1...1), 0), side - 1)
          let length = testCase.integer(in: 1...3) * block / 2 + testCase.integer(in: -1...1)
          return Stretch(start: start, length: min(max(length, 1), longest, side - start))
        case .anywhere, .whole, .border:
          let length = testCase.integer(in: 1...longest)
          return Stretch(start: testCase.integer(in: 0...side - length), length: length)
        case .farEnd:
          let length = testCase.integer(in: 1...min(longest, 40))
          return Stretch(start: side - length, length: length)
        }
      }
    }
  }
}

extension Gen where Value == PixelRegion {
  /// The longest side of a region of a large picture: four tiles of the usual size.
  static var longestSide: Int { 1024 }

  /// Returns a generator of regions, many at borders of blocks; the simplest is the first pixel.
  package static func regions(in size: PixelSize, longest: Int = Gen.longestSide) -> Gen {
    Gens.zip(
      Stretch.stretches(of: size.width, longest: longest),
      Stretch.stretches(of: size.height, longest: longest)
    ).map { .checked($0.start, $1.start, $0.length, $1.length) }
  }
}

extension Gen where Value == RegionRequest {
  /// Returns a generator of requests, some reduced and turned; the simplest is the first pixel.
  package static func requests(
    in size: PixelSize, reductions: [Reduction] = Reduction.ofDecoders
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
    let ragged = Reduction.ofDecoders.filter { !size.hasWholeBlocks(of: $0) }
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
    Reduction.ofDecoders.flatMap { reduction in
      [(false, size.width), (true, size.height)].compactMap { isBottom, length in
        length.isMultiple(of: reduction.rawValue)
          ? nil
          : lastBlocks(
            2, of: size, reduction, alongBottom: isBottom, across: PixelRegion(whole: size))
      }
    }
  }

  /// Returns a strip of the corpus' jpeg-422 that exposed a violation of PX-12; few random cases ask
  /// for one like it.
  static func edgeOf422(in size: PixelSize) -> [RegionRequest] {
    guard (size.width, size.height) == (613, 457) else { return [] }
    return [RegionRequest(.checked(600, 144, 13, 256), reduction: .eighth)]
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

extension PixelSize {
  /// Whether both sides are multiples of a reduction's blocks.
  func hasWholeBlocks(of reduction: Reduction) -> Bool {
    width.isMultiple(of: reduction.rawValue) && height.isMultiple(of: reduction.rawValue)
  }
}
