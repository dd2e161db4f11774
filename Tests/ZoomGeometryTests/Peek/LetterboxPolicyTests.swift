import Testing
import ZoomGeometry

/// FZ-P13: a touch in the letterbox shows the nearest place or nothing.
struct LetterboxPolicyTests {
  @Test func `FZ-P13: clamp shows what the nearest place of the picture shows`() throws {
    let broken = try PeekCase.counterexample { test in
      let shown = test.setup.shownFrame
      let nearest = ViewPoint(
        x: test.touch.x.clamped(to: shown.x...shown.maxX),
        y: test.touch.y.clamped(to: shown.y...shown.maxY))
      guard let peek = try test.touched(at: nearest) else { return false }
      return near(peek.exact.x, test.peek.exact.x, within: test.pixels)
        && near(peek.exact.y, test.peek.exact.y, within: test.pixels)
    }
    #expect(broken == nil)
  }

  @Test func `FZ-P13: reject shows nothing beside the picture and the same on it`() throws {
    var shownAnyway = 0
    let broken = try PeekCase.counterexample { test in
      let setup = try PeekSetup(
        picture: test.setup.picture, viewport: test.setup.viewport, side: test.setup.side,
        scale: test.setup.scale, letterbox: .reject)
      let peek = try setup.peek(at: test.touch)
      shownAnyway += peek == nil ? 0 : 1
      switch test.place {
      case .picture, .border, .corner: return peek == test.peek
      case .letterbox, .outside: return peek == nil
      }
    }
    #expect(broken == nil)
    #expect(shownAnyway > 1000)
  }

  @Test func `the picture's border counts as picture, the next number does not`() throws {
    let setup = try PeekSetup(
      picture: PixelSize(width: 1600, height: 1200), viewport: phone, letterbox: .reject)
    // forest is shown from 192.875 to 474.125.
    #expect(try setup.peek(at: ViewPoint(x: 0, y: 192.875)) != nil)
    #expect(try setup.peek(at: ViewPoint(x: 375, y: 474.125)) != nil)
    #expect(try setup.peek(at: ViewPoint(x: 187.5, y: (192.875).nextDown)) == nil)
    #expect(try setup.peek(at: ViewPoint(x: 187.5, y: (474.125).nextUp)) == nil)
    #expect(try setup.peek(at: ViewPoint(x: (375.0).nextUp, y: 300)) == nil)
    #expect(try setup.peek(at: ViewPoint(x: (0.0).nextDown, y: 300)) == nil)
  }

  /// From `threshold` on downwards the published crop lies wholly below the picture.
  @Test(arguments: [
    (SamplePicture.forest, 507.084, 24.0), (.pharmacy, 415.105, 37.8), (.petronas, 647.063, 3.0),
  ])
  func `FZ-B3: published, a touch below the picture shows nothing of it`(
    picture: SamplePicture, threshold: Double, percent: Double
  ) throws {
    let setup = try PeekSetup(picture: picture.size(), viewport: phone)
    let height = Double(setup.picture.height)
    // The threshold is printed to three decimals, so 0.001 points on either side of it decide.
    let touches: [(Double, Bool)] = [
      (threshold - 0.001, false), (threshold + 0.001, true), (666, true),
    ]
    for (y, isEmpty) in touches {
      let original = setup.originalPeek(at: ViewPoint(x: 187.5, y: y))
      #expect((original.shownCrop.y >= height) == isEmpty)
      #expect((original.contentsRect.y == 1) == isEmpty)
      let peek = try #require(try setup.peek(at: ViewPoint(x: 187.5, y: y)))
      #expect(peek.region.maxY == setup.picture.height)
    }
    // The share of the viewport that is empty depends on y alone, and is counted on a grid of
    // 6670 rows: off by at most one row, 0.015 %, besides the 0.05 % of the printed decimal.
    let rows = 6670
    let empty = (0..<rows).count { row in
      let y = 667 * (Double(row) + 0.5) / Double(rows)
      return setup.originalPeek(at: ViewPoint(x: 187.5, y: y)).shownCrop.y >= height
    }
    #expect(near(100 * Double(empty) / Double(rows), percent, within: 0.065))
  }

  @Test func `FZ-B3: published, a touch above the picture shows its top`() throws {
    let setup = try onPhone(1600, 1200)
    #expect(setup.originalPeek(at: ViewPoint(x: 187.5, y: 1)).contentsRect.y == 0)
    let below = setup.originalPeek(at: ViewPoint(x: 187.5, y: 666))
    #expect(below.shownCrop.y == 1200)
  }
}
