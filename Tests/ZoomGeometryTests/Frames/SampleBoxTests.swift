import Testing

@testable import ZoomGeometry

struct SampleBoxTests {
  /// Maps from the screen to the picture: scaled, turned, and turned by odd angles.
  static let inverses: [Affine] = [
    .scale(x: 0.7, y: 1.9), .scale(x: 3, y: 0.25),
    Affine.turn(.clockwise).then(.scale(x: 1.3, y: 0.6)).then(.translation(x: 90, y: 3)),
    Affine.rotation(0.4).then(.scale(x: 0.8, y: 2.2)).then(.translation(x: 33, y: -5)),
  ]

  @Test(arguments: inverses, [1, 2, 8])
  func `the box holds the blocks around each pixel's centre and one more on each side`(
    inverse: Affine, block: Int
  ) {
    let target = PixelRegion(5, 9, 14, 6)
    // Larger than what is seen: nothing is cut off.
    let content = PictureRect(-1000, -1000, 3000, 3000)
    let box = SampleBox(of: target, inverse, content: content, block: block)
    var (columns, rows): ([Int], [Int]) = ([], [])
    for x in target.x..<target.maxX {
      for y in target.y..<target.maxY {
        let centre = inverse.apply(to: ViewPoint(Double(x) + 0.5, Double(y) + 0.5))
        // The block whose centre is left of, or on, the place; the next one is right of it.
        columns.append(Int((centre.x / Double(block) - 0.5).rounded(.down)))
        rows.append(Int((centre.y / Double(block) - 0.5).rounded(.down)))
      }
    }
    for (range, needed) in [(box.columns, columns), (box.rows, rows)] {
      #expect(range.lowerBound == (needed.min() ?? 0) - 1)
      #expect(range.upperBound == (needed.max() ?? 0) + 3)
    }
  }

  @Test func `what lies farther beside the content than a pixel is long is not asked for`() {
    // A pixel of the screen is 2 x 3 pixels of the picture; the content is a part in the middle.
    let target = PixelRegion(0, 0, 50, 50)
    let content = PictureRect(20, 40, 30, 50)
    let box = SampleBox(of: target, .scale(x: 2, y: 3), content: content, block: 1)
    // From 20 - 2 to 50 + 2, and from 40 - 3 to 90 + 3, each as in the test above.
    #expect(box.columns == 16..<54)
    #expect(box.rows == 35..<95)
  }

  @Test func `numbers beyond all pictures stay where an integer can hold them`() {
    let target = PixelRegion(0, 0, 4, 4)
    let content = PictureRect(0, 0, 1e300, 1e300)
    let box = SampleBox(of: target, .scale(1e290), content: content, block: 1)
    #expect(!box.columns.isEmpty && !box.rows.isEmpty)
  }

  @Test(arguments: QuarterTurn.allCases, [-0.9, 0, 0.9])
  func `a map is exact if no corner is off by more than the tolerance`(
    turn: QuarterTurn, share: Double
  ) throws {
    let target = PixelRegion(3, 5, 7, 4)
    let off = share * ExactMap.tolerance
    let inverse = Affine.turn(turn.inverse).then(.translation(x: 40 + off, y: 60 - off))
    let exact = try #require(ExactMap(inverse.inverted() ?? .identity, inverse, target))
    #expect(exact.turn == turn)
    let corners = [(3, 5), (10, 9)].map { x, y in
      Affine.turn(turn.inverse).apply(to: ViewPoint(Double(x), Double(y)))
    }
    let (xs, ys) = (corners.map { Int($0.x) + 40 }, corners.map { Int($0.y) + 60 })
    #expect(exact.box.columns == (xs.min() ?? 0)..<(xs.max() ?? 0))
    #expect(exact.box.rows == (ys.min() ?? 0)..<(ys.max() ?? 0))
    for (x, y) in [(1.5, 0.0), (0, 1.5), (-1.5, 0), (0, -1.5)] {
      let far = Affine.turn(turn.inverse).then(
        .translation(x: 40 + x * ExactMap.tolerance, y: 60 + y * ExactMap.tolerance))
      #expect(ExactMap(far.inverted() ?? .identity, far, target) == nil)
    }
  }

  @Test(arguments: [
    // Left of its own row number and right of it, wider than it is high and higher than wide.
    PixelRegion(3, 5, 4, 9),
    PixelRegion(5, 3, 4, 7),
    PixelRegion(9, 2, 8, 3),
    PixelRegion(0, 8, 6, 1),
  ])
  func `a map that does nothing looks at the target's own pixels`(target: PixelRegion) throws {
    let exact = try #require(ExactMap(.identity, .identity, target))
    #expect(exact.turn == .none)
    #expect(exact.box.columns == target.x..<target.maxX)
    #expect(exact.box.rows == target.y..<target.maxY)
  }

  @Test func `a map that misses by the tolerance exactly is exact`() {
    // Sums of the tolerance and 0, 1 or 8 are off by no more than it, rounded as they are.
    let target = PixelRegion(0, 1, 8, 7)
    let off = ExactMap.tolerance
    for (x, y) in [(off, 0.0), (0, off), (off, off)] {
      let inverse = Affine.translation(x: x, y: y)
      #expect(ExactMap(.identity, inverse, target) != nil)
      // The first corner is at 0, which is off by exactly as much.
      let start = PixelRegion(0, 0, 8, 8)
      #expect(ExactMap(.identity, inverse, start) != nil)
    }
    for path in [\Affine.b, \.c] {
      for share in [-1.0, 1, -1.5, 1.5] {
        var map = Affine.identity
        map[keyPath: path] = share * off
        #expect((ExactMap(map, .identity, target) != nil) == (abs(share) == 1))
      }
    }
  }

  @Test func `a map is exact as long as all corners are below 2^40`() {
    let target = PixelRegion(3, 5, 7, 4)
    for (x, y) in [(0x1p40 - 10, 0.0), (0, 0x1p40 - 9)] {
      for (step, isExact) in [(-1.0, true), (0, false)] {
        let inverse = Affine.translation(x: x == 0 ? 0 : x + step, y: y == 0 ? 0 : y + step)
        #expect((ExactMap(.identity, inverse, target) != nil) == isExact)
      }
    }
  }

  @Test func `of content beside the target one column and one row are looked at`() {
    let target = PixelRegion(0, 0, 4, 4)
    let content = PictureRect(1000, 2000, 10, 10)
    let box = SampleBox(of: target, .identity, content: content, block: 1)
    // One before the block whose centre is left of 1000 - 1, and above 2000 - 1.
    #expect(box.columns == 997..<998 && box.rows == 1997..<1998)
  }
}
