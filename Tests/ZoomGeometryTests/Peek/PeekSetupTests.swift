import Testing

@testable import ZoomGeometry

struct PeekSetupTests {
  @Test func `numbers so small that the arithmetic underflows are refused`() throws {
    let picture = try PixelSize(1600, 1200)
    expectRefused("viewport / picture", .tooSmall) {
      try PeekSetup(picture: picture, viewport: ViewSize(0x1p-1063, 0x1p-1063), side: 375)
    }
    expectRefused("side * scale") {
      try PeekSetup(picture: picture, viewport: phone, side: 1e-200, scale: 1e-200)
    }
    expectRefused("frame") {
      try PeekSetup(picture: picture, viewport: ViewSize(1e-200, 1e-200), side: 1e-200)
    }
  }

  @Test func `a peek larger than any number shows the whole picture`() throws {
    let setup = try PeekSetup(
      picture: forest, viewport: phone, side: .greatestFiniteMagnitude,
      scale: .greatestFiniteMagnitude)
    let peek = try #require(try setup.peek(at: middle))
    #expect(peek.region == PixelRegion(whole: setup.picture))
    #expect(peek.frame == setup.shownFrame)
  }

  @Test func `a peek that nothing cuts off is exactly as large as asked for`() throws {
    // For some of these numbers `side * scale / scale` is not `side`.
    var differs = 0
    for step in 1...400 {
      let (side, scale) = (Double(step) / 7, 1 + Double(step % 13) / 11)
      if side * scale / scale != side { differs += 1 }
      let setup = try PeekSetup(
        picture: PixelSize(4000, 3000), viewport: phone, side: side, scale: scale)
      let peek = try setup.peek(at: ViewPoint(187, 333))
      #expect(peek?.size == ViewSize(side, side))
    }
    #expect(differs > 0)
  }

  @Test(arguments: [0.1, 0.6, 1.0, 1.4])
  func `a crop of one pixel is the touched pixel`(side: Double) throws {
    let setup = try PeekSetup(
      picture: PixelSize(1000, 1000), viewport: ViewSize(1000, 1000), side: side)
    let touched: [(Double, Int)] = [
      (4, 4), (4.19, 4), (4.99, 4), (999.5, 999), (1000, 999), (0, 0),
    ]
    for (touch, pixel) in touched {
      #expect(try setup.peek(at: ViewPoint(touch, 500))?.region.x == pixel, "\(touch)")
    }
  }

  @Test func `FZ-B9: the corrected crop is the same at a tiny scale as at a large one`() throws {
    let whole = try PeekSetup(picture: forest, viewport: ViewSize(1600, 1200), side: 375)
    let tiny = try PeekSetup(picture: forest, viewport: ViewSize(1600e-280, 1200e-280), side: 375)
    let crop = try #require(try whole.peek(at: ViewPoint(800, 600))).region
    #expect(try tiny.peek(at: ViewPoint(800e-280, 600e-280))?.region == crop)
  }
}

/// The defects of the published formulas, each with the number that shows it.
///
/// `PeekSetup` has the right results for the same inputs.
struct OriginalPeekTests {
  @Test func `FZ-B7: an empty viewport and a NaN touch give NaN, infinities clamp`() throws {
    let empty = OriginalPeek(
      touch: middle, viewport: ViewSize(0, 0), pictureWidth: 1600,
      pictureHeight: 1200, peekSide: 375)
    #expect(empty.fitScale == 0)
    #expect(empty.offset.isNaN)
    #expect(empty.contentsRect.x.isNaN && empty.contentsRect.y.isNaN)

    let setup = try PeekSetup(picture: forest, viewport: phone)
    #expect(setup.originalPeek(at: ViewPoint(.nan, 333.5)).contentsRect.x.isNaN)
    let far = setup.originalPeek(at: ViewPoint(.infinity, -.infinity)).contentsRect
    #expect(far.x == 1)
    #expect(far.y == 0)
  }

  @Test func `FZ-B9: a subnormal scale loses the offset's digits`() {
    let side = 375.4
    let offset = OriginalPeek(
      touch: ViewPoint(0, 0), viewport: ViewSize(0x1p-1063, 0x1p-1063),
      pictureWidth: 1600, pictureHeight: 1200, peekSide: side
    ).offset
    #expect(offset == 375.0 / 3200)
    #expect(offset != side / 3200)
  }
}
