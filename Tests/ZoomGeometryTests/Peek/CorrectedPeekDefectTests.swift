import Testing

@testable import ZoomGeometry

/// Each defect of the published peek, on the corrected form: it is not there.
@Suite struct CorrectedPeekDefectTests {
  private let phone = ViewSize(width: 375, height: 667)
  private let forest = PixelSize(uncheckedWidth: 1600, height: 1200)

  @Test(arguments: [
    (1600, 1200, 1225.0, 825.0), (4535, 1823, 4160, 1448), (3264, 4896, 2889, 4521),
  ])
  func `FZ-B2: corrected, a touch at the far corner shows the last square that fits`(
    width: Int, height: Int, x: Double, y: Double
  ) throws {
    let setup = try PeekSetup(
      picture: PixelSize(width: width, height: height), viewport: phone)
    let corner = ViewPoint(x: setup.shownFrame.maxX, y: setup.shownFrame.maxY)
    let crop = try #require(try setup.peek(at: corner)).exact
    #expect(crop == PictureRect(x: x, y: y, width: 375, height: 375))
  }

  @Test func `FZ-B4: corrected, the contents rectangle is the peek's square, not the view's`()
    throws
  {
    let setup = try PeekSetup(picture: forest, viewport: phone)
    let rect = try #require(try setup.peek(at: ViewPoint(x: 187.5, y: 333.5))).contentsRect
    #expect(rect.height == 375.0 / 1200)
    #expect(rect.width == 375.0 / 1600)
  }

  @Test func `FZ-B7, FZ-B8: corrected, an empty viewport, an empty picture and NaN are refused`()
    throws
  {
    #expect(throws: GeometryError.self) {
      try PeekSetup(picture: forest, viewport: ViewSize(width: 0, height: 667))
    }
    #expect(throws: GeometryError.self) { try PixelSize(width: 0, height: 1200) }
    let setup = try PeekSetup(picture: forest, viewport: phone)
    for bad in [Double.nan, .infinity, -.infinity] {
      #expect(throws: GeometryError.self) { try setup.peek(at: ViewPoint(x: bad, y: 1)) }
    }
  }

  @Test func `FZ-B9: corrected, a tiny scale gives the crop of a large one, or is refused`() throws
  {
    let whole = try PeekSetup(
      picture: forest, viewport: ViewSize(width: 1600, height: 1200), side: 375)
    let tiny = try PeekSetup(
      picture: forest, viewport: ViewSize(width: 1600e-280, height: 1200e-280), side: 375)
    let crop = try #require(try whole.peek(at: ViewPoint(x: 800, y: 600))).region
    #expect(try tiny.peek(at: ViewPoint(x: 800e-280, y: 600e-280))?.region == crop)
    let least = Double.leastNonzeroMagnitude
    #expect(throws: GeometryError.self) {
      try PeekSetup(
        picture: forest, viewport: ViewSize(width: 160 * least, height: 120 * least), side: 375)
    }
  }

  @Test(arguments: Orientation.allCases)
  func `FZ-B13: the touched pixel is in the stored crop, however the picture is stored`(
    orientation: Orientation
  ) throws {
    let stored = orientation.swapsAxes ? forest.transposed : forest
    let setup = try PeekSetup(picture: forest, viewport: phone)
    // Pixel (1100, 100): no turn or mirror leaves it anywhere near.
    let touch = ViewPoint(x: 257.8125, y: 192.875 + 23.4375)
    let peek = try #require(try setup.peek(at: touch))
    let region = try orientation.storedRegion(forUpright: peek.region, storedSize: stored)
    let pixel = try orientation.storedPoint(
      forUpright: PixelPoint(x: Int(peek.touched.x), y: Int(peek.touched.y)), storedSize: stored)
    #expect(region.contains(x: pixel.x, y: pixel.y))

    // As published the upright fractions cut the stored bitmap: right only where it is upright.
    let rect = setup.originalPeek(at: touch).contentsRect
    let left = rect.x * Double(stored.width)
    let top = rect.y * Double(stored.height)
    let isInside =
      (left..<left + 375).contains(Double(pixel.x)) && (top..<top + 375).contains(Double(pixel.y))
    #expect(isInside == (orientation == .up))
  }
}
