import Testing
import ZoomGeometry

/// FZ-B2: how often the published crop runs off the picture, and what the published form keeps.
struct OriginalPeekShareTests {
  @Test(arguments: [(SamplePicture.forest, 28.96), (.pharmacy, 19.89), (.petronas, 7.55)])
  func `of all touches on the picture this share runs off it`(
    picture: SamplePicture, percent: Double
  ) throws {
    let setup = try PeekSetup(picture: picture.size(), viewport: phone)
    let (width, height) = (Double(setup.picture.width), Double(setup.picture.height))
    let closed = 1 - (1 - 187.5 / width) * (1 - (375 - 187.5 * height / width) / height)
    #expect(prints(100 * closed, as: percent, decimals: 2))

    // Each axis of the crop depends on its own axis of the touch, so the share of the plane comes
    // from two lines. Each line's count is off by at most one touch, 1/20000, and the share by at
    // most their sum.
    let steps = 20_000
    let shown = setup.shownFrame
    var inside = (x: 0, y: 0)
    for step in 0..<steps {
      let part = (Double(step) + 0.5) / Double(steps)
      let touch = ViewPoint(x: shown.x + part * shown.width, y: shown.y + part * shown.height)
      let crop = setup.originalPeek(at: touch).shownCrop
      if crop.maxX <= width { inside.x += 1 }
      if crop.maxY <= height { inside.y += 1 }
    }
    let counted = 1 - Double(inside.x) / Double(steps) * Double(inside.y) / Double(steps)
    #expect(near(counted, closed, within: 2 / Double(steps)))
  }

  @Test func `FZ-P3 and FZ-P9 hold across: the crop is centred in x and follows the touch`() throws
  {
    var centred = 0
    let broken = try PeekCase.counterexample { test in
      let (setup, touched) = (test.setup, test.peek.touched)
      let crop = setup.originalPeek(at: test.touch).shownCrop
      let further = ViewPoint(x: test.touch.x + 0.01 * setup.viewport.width, y: test.touch.y)
      let next = setup.originalPeek(at: further).shownCrop
      guard crop.x <= next.x else { return false }
      guard setup.side / 2 <= touched.x, touched.x <= test.width - setup.side / 2 else {
        return true
      }
      centred += 1
      return near(crop.x + setup.side / 2, touched.x, within: test.pixels)
    }
    #expect(broken == nil)
    #expect(centred > 500)
  }

  @Test func `FZ-P10 holds: scaling viewport and touch by a power of two leaves the crop`() throws {
    let broken = try PeekCase.counterexample { test in
      let (setup, touch) = (test.setup, test.touch)
      let scaled = OriginalPeek(
        touch: ViewPoint(x: 4 * touch.x, y: 4 * touch.y),
        viewport: ViewSize(width: 4 * setup.viewport.width, height: 4 * setup.viewport.height),
        pictureWidth: test.width, pictureHeight: test.height, peekSide: setup.side)
      return scaled.shownCrop == setup.originalPeek(at: touch).shownCrop
    }
    #expect(broken == nil)
  }

  @Test func `FZ-P12 holds as long as the picture is wide enough, and no longer`() throws {
    for width in [376, 750, 1600, 100_000] {
      let setup = try onPhone(width, width)
      let frame = setup.originalPeek(at: middle).frame
      // A product and two quotients of rounded numbers, at most 1.
      let share = frame.width / setup.shownFrame.width
      #expect(near(share, 375 / Double(width), within: 8 * (1.0).ulp))
    }
    let small = try onPhone(200, 200)
    #expect(small.originalPeek(at: middle).frame.width > small.shownFrame.width)
  }
}
