import Testing
import ZoomGeometry

/// Worked examples of the corrected form, where the published one goes wrong.
struct PeekTests {
  /// Centre and bottom right corner of the sample pictures: FZ-B1 and FZ-B2.
  static let origins: [(SamplePicture, (Double, Double), (Double, Double))] = [
    (.forest, (612.5, 412.5), (1225, 825)),
    (.pharmacy, (2080, 724), (4160, 1448)),
    (.petronas, (1444.5, 2260.5), (2889, 4521)),
  ]

  @Test(arguments: origins)
  func `the sample pictures are cropped around the touch and inside`(
    picture: SamplePicture, centre: (Double, Double), corner: (Double, Double)
  ) throws {
    let setup = try PeekSetup(picture: picture.size(), viewport: phone)
    let atCentre = try #require(try setup.peek(at: middle))
    // The touch's picture coordinates come from a quotient that is not exact for all pictures;
    // a billionth of a pixel is far above that and far below anything seen.
    #expect(near(atCentre.exact.x, centre.0, within: 1e-9))
    #expect(near(atCentre.exact.y, centre.1, within: 1e-9))
    #expect(atCentre.region.size == (try PixelSize(width: 375, height: 375)))
    #expect(atCentre.size == ViewSize(width: 375, height: 375))

    let end = ViewPoint(x: setup.shownFrame.maxX, y: setup.shownFrame.maxY)
    let atCorner = try #require(try setup.peek(at: end))
    #expect(near(atCorner.exact.x, corner.0, within: 1e-9))
    #expect(near(atCorner.exact.y, corner.1, within: 1e-9))
    #expect(atCorner.region.maxX == setup.picture.width)
    #expect(atCorner.region.maxY == setup.picture.height)
  }

  @Test func `FZ-B12: the centre of forest is the region 375x375+613+413`() throws {
    let peek = try #require(try onPhone(1600, 1200).peek(at: middle))
    #expect(peek.region.description == "375x375+613+413")
  }

  @Test func `FZ-B1: a picture three times as high as wide shows the touched pixel`() throws {
    let peek = try #require(try onPhone(1000, 3000).peek(at: middle))
    #expect(near(peek.exact.y, 1312.5, within: 1e-9))
    #expect(near(peek.exact.maxY, 1687.5, within: 1e-9))
  }

  @Test func `FZ-B5: at the picture's corner the frame is at the corner of the shown picture`()
    throws
  {
    let peek = try #require(try onPhone(1600, 1200).peek(at: ViewPoint(x: 0, y: 192.875)))
    #expect(peek.exact == PictureRect(x: 0, y: 0, width: 375, height: 375))
    #expect(peek.frame == ViewRect(x: 0, y: 192.875, width: 87.890625, height: 87.890625))
  }

  @Test(arguments: [(200, 100), (1, 1), (374, 375)])
  func `FZ-B6: a picture smaller than the peek is shown whole at its own size`(
    width: Int, height: Int
  ) throws {
    let setup = try onPhone(width, height)
    for touch in [middle, ViewPoint(x: 0, y: 0), ViewPoint(x: 374, y: 666)] {
      let peek = try #require(try setup.peek(at: touch))
      #expect(peek.region == PixelRegion(whole: setup.picture))
      #expect(peek.contentsRect == UnitRect(x: 0, y: 0, width: 1, height: 1))
      #expect(peek.size == ViewSize(width: Double(width), height: Double(height)))
    }
  }

  @Test(arguments: [(300, 2000), (1, 10_000)])
  func `FZ-B6: a picture narrower than the peek is shown in full width`(
    width: Int, height: Int
  ) throws {
    let peek = try #require(try onPhone(width, height).peek(at: middle))
    #expect(peek.exact.x == 0)
    #expect(peek.exact.width == Double(width))
    #expect(peek.exact.height == 375)
    #expect(near(peek.exact.y, Double(height) / 2 - 187.5, within: 1e-9))
    #expect(peek.contentsRect.width == 1)
    #expect(peek.size == ViewSize(width: Double(width), height: 375))
  }

  /// Device pixels: 6s (375 points at 2), Plus (414 at 3), large tablet (1024 at 2).
  static let screens: [(SamplePicture, (Double, Double), Double, (Int, Int))] = [
    (.forest, (375, 667), 2, (750, 750)),
    (.forest, (414, 736), 3, (1242, 1200)),
    (.forest, (1024, 1366), 2, (1600, 1200)),
    (.pharmacy, (1024, 1366), 2, (2048, 1823)),
    (.petronas, (1024, 1366), 2, (2048, 2048)),
  ]

  @Test(arguments: screens)
  func `FZ-B10: at the screen's scale a peek has the pixels of the screen`(
    picture: SamplePicture, viewport: (Double, Double), scale: Double, pixels: (Int, Int)
  ) throws {
    let setup = try PeekSetup(
      picture: picture.size(), viewport: ViewSize(width: viewport.0, height: viewport.1),
      scale: scale)
    let peek = try #require(try setup.peek(at: ViewPoint(x: 200, y: 300)))
    #expect(peek.region.size == (try PixelSize(width: pixels.0, height: pixels.1)))
    // Quotients of whole numbers by 2 and 3: one rounding on either side.
    #expect(near(peek.size.width, Double(pixels.0) / scale, within: 2 * viewport.0.ulp))
    #expect(near(peek.size.height, Double(pixels.1) / scale, within: 2 * viewport.0.ulp))
  }
}
