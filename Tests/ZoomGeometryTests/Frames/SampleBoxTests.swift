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
    let target = PixelRegion(uncheckedX: 5, y: 9, width: 14, height: 6)
    // Larger than what is seen: nothing is cut off.
    let content = PictureRect(x: -1000, y: -1000, width: 3000, height: 3000)
    let box = SampleBox(of: target, inverse, content: content, block: block)
    var (columns, rows): ([Int], [Int]) = ([], [])
    for x in target.x..<target.maxX {
      for y in target.y..<target.maxY {
        let centre = inverse.apply(to: ViewPoint(x: Double(x) + 0.5, y: Double(y) + 0.5))
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
    let target = PixelRegion(uncheckedX: 0, y: 0, width: 50, height: 50)
    let content = PictureRect(x: 20, y: 40, width: 30, height: 50)
    let box = SampleBox(of: target, .scale(x: 2, y: 3), content: content, block: 1)
    // From 20 - 2 to 50 + 2, and from 40 - 3 to 90 + 3, each as in the test above.
    #expect(box.columns == 16..<54)
    #expect(box.rows == 35..<95)
  }

  @Test func `numbers beyond all pictures stay where an integer can hold them`() {
    let target = PixelRegion(uncheckedX: 0, y: 0, width: 4, height: 4)
    let content = PictureRect(x: 0, y: 0, width: 1e300, height: 1e300)
    let box = SampleBox(of: target, .scale(1e290), content: content, block: 1)
    #expect(!box.columns.isEmpty && !box.rows.isEmpty)
  }

  @Test(arguments: QuarterTurn.allCases, [-0.9, 0, 0.9])
  func `a map is exact if no corner is off by more than the tolerance`(
    turn: QuarterTurn, share: Double
  ) throws {
    let target = PixelRegion(uncheckedX: 3, y: 5, width: 7, height: 4)
    let off = share * ExactMap.tolerance
    let inverse = Affine.turn(turn.inverse).then(.translation(x: 40 + off, y: 60 - off))
    let exact = try #require(ExactMap(inverse.inverted() ?? .identity, inverse, target))
    #expect(exact.turn == turn)
    let corners = [(3, 5), (10, 9)].map { x, y in
      Affine.turn(turn.inverse).apply(to: ViewPoint(x: Double(x), y: Double(y)))
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
}
