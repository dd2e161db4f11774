import Testing
import ZoomGeometry

/// The defects of the published formulas, each with the number that shows it.
///
/// The same inputs stand in `PeekTests` with the right results.
struct OriginalPeekTests {
  static let centres: [(SamplePicture, Double, Double, Double)] = [
    (.forest, 459.375, 46.875, 37.5),
    (.pharmacy, 836.128, 112.128, 20.1),
    (.petronas, 2166.75, -93.75, 75),
  ]

  @Test(arguments: centres)
  func `FZ-B1: the crop is too low in wide pictures and too high in high ones`(
    picture: SamplePicture, top: Double, tooLow: Double, percent: Double
  ) throws {
    let setup = try PeekSetup(picture: picture.size(), viewport: phone)
    let crop = setup.originalPeek(at: middle).shownCrop
    let right = try #require(try setup.peek(at: middle)).exact
    #expect(prints(crop.x, as: right.x, decimals: 9))
    #expect(prints(crop.y, as: top, decimals: 3))
    #expect(prints(crop.y - right.y, as: tooLow, decimals: 3))
    let (width, height) = (Double(setup.picture.width), Double(setup.picture.height))
    #expect(prints(crop.y - right.y, as: 187.5 * (1 - height / width), decimals: 9))
    let touched = 100 * (height / 2 - crop.y) / crop.height
    #expect(prints(touched, as: percent, decimals: 1))
  }

  @Test func `FZ-B1: in a picture more than twice as high as wide the touched pixel is missed`()
    throws
  {
    let crop = try onPhone(1000, 3000).originalPeek(at: middle).shownCrop
    #expect(prints(crop.y, as: 937.5, decimals: 9))
    #expect(prints(crop.maxY, as: 1312.5, decimals: 9))
    #expect(crop.maxY < 1500)
  }

  @Test func `FZ-B1: the crops of a picture and of its transpose do not correspond`() throws {
    let wide = try onPhone(1600, 1200)
    let high = try onPhone(1200, 1600)
    let error = { (setup: PeekSetup) in
      let right = try #require(try setup.peek(at: middle)).exact.y
      return setup.originalPeek(at: middle).shownCrop.y - right
    }
    #expect(prints(try error(wide), as: 46.875, decimals: 9))
    #expect(prints(try error(high), as: -62.5, decimals: 9))
  }

  @Test func `FZ-B1: touching the middle of the crop again and again drifts`() throws {
    let setup = try onPhone(1600, 1200)
    var tops: [Double] = []
    var touch = middle
    for _ in 0..<4 {
      let crop = setup.originalPeek(at: touch).shownCrop
      tops.append(crop.y)
      touch = viewPoint(setup, crop.x + 187.5, crop.y + 187.5)
    }
    for (step, top) in tops.enumerated() {
      #expect(prints(top, as: 459.375 + 46.875 * Double(step), decimals: 9))
    }
  }

  static let corners: [(SamplePicture, (Double, Double), (Double, Double))] = [
    (.forest, (1412.5, 1059.375), (187.5, 234.375)),
    (.pharmacy, (4347.5, 1747.628), (187.5, 299.628)),
    (.petronas, (3076.5, 4614.75), (187.5, 93.75)),
  ]

  @Test(arguments: corners)
  func `FZ-B2: at the bottom right corner the crop runs off the picture`(
    picture: SamplePicture, origin: (Double, Double), over: (Double, Double)
  ) throws {
    let setup = try PeekSetup(picture: picture.size(), viewport: phone)
    let end = ViewPoint(x: setup.shownFrame.maxX, y: setup.shownFrame.maxY)
    let crop = setup.originalPeek(at: end).shownCrop
    #expect(prints(crop.x, as: origin.0, decimals: 3))
    #expect(prints(crop.y, as: origin.1, decimals: 3))
    #expect(prints(crop.maxX - Double(setup.picture.width), as: over.0, decimals: 3))
    #expect(prints(crop.maxY - Double(setup.picture.height), as: over.1, decimals: 3))
  }

  @Test func `FZ-B2: in a square picture too`() throws {
    let setup = try PeekSetup(
      picture: PixelSize(width: 1600, height: 1600), viewport: ViewSize(width: 375, height: 375))
    let crop = setup.originalPeek(at: ViewPoint(x: 375, y: 187.5)).shownCrop
    #expect(crop.maxX == 1787.5)
    #expect(crop.maxY == 987.5)
  }

  @Test func `FZ-B4: the crop has the size of the preview's view, not of the peek`() throws {
    let upright = try onPhone(1600, 1200).originalPeek(at: middle).contentsRect
    #expect(upright.width == 375.0 / 1600)
    #expect(upright.height == 667.0 / 1200)
    let landscape = OriginalPeek(
      touch: middle, viewport: ViewSize(width: 667, height: 375), pictureWidth: 1600,
      pictureHeight: 1200, peekSide: 375
    ).contentsRect
    #expect(landscape.width == 667.0 / 1600)
    #expect(landscape.height == 375.0 / 1200)
    let laidOut = OriginalPeek(
      touch: middle, viewport: phone, pictureWidth: 1600, pictureHeight: 1200, peekSide: 375,
      previewView: ViewSize(width: 375, height: 375)
    ).contentsRect
    #expect(laidOut.height == 0.3125)
    #expect(laidOut.y == upright.y)
  }

  @Test func `FZ-B5: the frame leaves the picture and is not the crop's outline`() throws {
    let setup = try onPhone(1600, 1200)
    let corner = setup.originalPeek(at: ViewPoint(x: 0, y: 192.875))
    #expect(prints(corner.frame.x, as: -43.95, decimals: 2))
    #expect(prints(corner.frame.maxX, as: 43.95, decimals: 2))
    #expect(prints(corner.frame.y, as: 148.93, decimals: 2))
    #expect(corner.shownCrop == PictureRect(x: 0, y: 0, width: 375, height: 375))

    let centre = setup.originalPeek(at: middle)
    let outline = setup.shownFrame.y + centre.shownCrop.y * setup.fitScale
    #expect(prints(outline - centre.frame.y, as: 10.99, decimals: 2))
  }

  @Test func `FZ-B6: of a small picture more is asked for than there is`() throws {
    let small = try onPhone(200, 100).originalPeek(at: middle)
    #expect(small.fitScale == 1.875)
    #expect(small.frame.width == 703.125)
    #expect(small.offset == 0.9375)
    #expect(small.contentsRect.width == 1.875)
    #expect(small.contentsRect.height == 6.67)
    #expect(try onPhone(300, 2000).originalPeek(at: middle).contentsRect.width == 1.25)
    let thread = try onPhone(1, 10_000).originalPeek(at: middle)
    // The scale is multiplied in and divided out again (FZ-B9).
    #expect(prints(thread.offset, as: 187.5, decimals: 9))
    #expect(thread.contentsRect.width == 375)
  }

  @Test func `FZ-B7: an empty viewport and a NaN touch give NaN, infinities clamp`() throws {
    let empty = OriginalPeek(
      touch: middle, viewport: ViewSize(width: 0, height: 0), pictureWidth: 1600,
      pictureHeight: 1200, peekSide: 375)
    #expect(empty.fitScale == 0)
    #expect(empty.offset.isNaN)
    #expect(empty.contentsRect.x.isNaN && empty.contentsRect.y.isNaN)

    let setup = try onPhone(1600, 1200)
    #expect(setup.originalPeek(at: ViewPoint(x: .nan, y: 333.5)).contentsRect.x.isNaN)
    let far = setup.originalPeek(at: ViewPoint(x: .infinity, y: -.infinity)).contentsRect
    #expect(far.x == 1)
    #expect(far.y == 0)
  }

  @Test func `FZ-B8: an empty picture gives NaN and infinities`() {
    let empty = OriginalPeek(
      touch: middle, viewport: phone, pictureWidth: 0, pictureHeight: 0, peekSide: 375)
    #expect(empty.fitScale == .infinity)
    #expect(empty.contentsRect.x.isNaN && empty.contentsRect.y.isNaN)
    #expect(empty.contentsRect.width == .infinity)
    // With only the width missing, infinity less infinity, right of the viewport's middle.
    let thin = OriginalPeek(
      touch: ViewPoint(x: 200, y: 300), viewport: phone, pictureWidth: 0, pictureHeight: 1200,
      peekSide: 375)
    #expect(thin.offset == .infinity)
    #expect(thin.contentsRect.x.isNaN)
  }

  @Test func `FZ-B9: a subnormal scale loses the offset's digits`() {
    let side = 375.4
    let offset = OriginalPeek(
      touch: ViewPoint(x: 0, y: 0), viewport: ViewSize(width: 0x1p-1063, height: 0x1p-1063),
      pictureWidth: 1600, pictureHeight: 1200, peekSide: side
    ).offset
    #expect(offset == 375.0 / 3200)
    #expect(offset != side / 3200)
  }

  /// The laws' own test: on a form that is known to be wrong they must find something.
  @Test func `the sample finds the published form out`() throws {
    let leaves = try PeekCase.counterexample { test in
      let crop = test.setup.originalPeek(at: test.touch).shownCrop
      return test.setup.side > min(test.width, test.height)
        || (crop.maxX <= test.width && crop.maxY <= test.height)
    }
    #expect(leaves != nil)
    let misses = try PeekCase.counterexample { test in
      let crop = test.setup.originalPeek(at: test.touch).shownCrop
      return test.place != .picture || crop.maxY >= test.peek.touched.y
    }
    #expect(misses != nil)
    let frame = try PeekCase.counterexample { test in
      let frame = test.setup.originalPeek(at: test.touch).frame
      return frame.x >= test.setup.shownFrame.x - test.points
    }
    #expect(frame != nil)
  }
}
