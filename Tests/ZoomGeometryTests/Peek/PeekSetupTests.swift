import Testing
import ZoomGeometry

struct PeekSetupTests {
  /// The published geometry of a sample picture, each number with its printed decimals.
  struct Row: Sendable {
    let picture: SamplePicture
    let viewport: (Double, Double)
    let fit: (Double, Int)
    let frameSide: (Double, Int)
    let top: (Double, Int)
    let shownHeight: (Double, Int)
    let offset: (Double, Int)
  }

  /// On the whole screen, and in the view that the demonstration leaves to the picture.
  static let table = [
    Row(
      picture: .forest, viewport: (375, 667), fit: (0.234375, 6), frameSide: (87.8906, 4),
      top: (192.875, 3), shownHeight: (281.25, 2), offset: (0.117188, 6)),
    Row(
      picture: .pharmacy, viewport: (375, 667), fit: (0.082690187, 9), frameSide: (31.0088, 4),
      top: (258.1279, 4), shownHeight: (150.7442, 4), offset: (0.041345, 6)),
    Row(
      picture: .petronas, viewport: (375, 667), fit: (0.114889706, 9), frameSide: (43.0836, 4),
      top: (52.25, 2), shownHeight: (562.5, 1), offset: (0.057445, 6)),
    Row(
      picture: .forest, viewport: (355, 599), fit: (0.221875, 6), frameSide: (83.2031, 4),
      top: (166.375, 3), shownHeight: (266.25, 2), offset: (0.117188, 6)),
    Row(
      picture: .pharmacy, viewport: (355, 599), fit: (0.078280044, 9), frameSide: (29.3550, 4),
      top: (228.1477, 4), shownHeight: (142.7045, 4), offset: (0.041345, 6)),
    Row(
      picture: .petronas, viewport: (355, 599), fit: (0.108762255, 9), frameSide: (40.7858, 4),
      top: (33.25, 2), shownHeight: (532.5, 1), offset: (0.057445, 6)),
  ]

  @Test(arguments: table)
  func `the fit of the sample pictures is the published one`(row: Row) throws {
    let viewport = ViewSize(row.viewport.0, row.viewport.1)
    let setup = try PeekSetup(picture: row.picture.size(), viewport: viewport, side: 375)
    #expect(prints(setup.fitScale, as: row.fit.0, decimals: row.fit.1))
    #expect(setup.shownFrame.x == 0)
    #expect(setup.shownFrame.width == viewport.width)
    #expect(prints(setup.shownFrame.y, as: row.top.0, decimals: row.top.1))
    #expect(prints(setup.shownFrame.height, as: row.shownHeight.0, decimals: row.shownHeight.1))

    let original = setup.originalPeek(at: middle)
    #expect(prints(original.fitScale, as: row.fit.0, decimals: row.fit.1))
    #expect(prints(original.frame.width, as: row.frameSide.0, decimals: row.frameSide.1))
    #expect(prints(original.offset, as: row.offset.0, decimals: row.offset.1))
  }

  @Test func `the peek's side is the viewport's shorter one unless given`() throws {
    let picture = try PixelSize(1600, 1200)
    #expect(try PeekSetup(picture: picture, viewport: phone).side == 375)
    let landscape = ViewSize(667, 375)
    #expect(try PeekSetup(picture: picture, viewport: landscape).side == 375)
    #expect(try PeekSetup(picture: picture, viewport: phone, side: 200).side == 200)
  }

  @Test(arguments: [("viewport.width", 0), ("viewport.height", 1), ("side", 2), ("scale", 3)])
  func `an invalid number is refused and named`(argument: String, place: Int) throws {
    let picture = try PixelSize(1600, 1200)
    let values: [(Double, GeometryError.Reason)] = [
      (.nan, .notFinite), (.infinity, .notFinite), (-.infinity, .notFinite), (0, .notPositive),
      (-0.0, .notPositive), (-1, .notPositive), (-.leastNonzeroMagnitude, .notPositive),
    ]
    for (value, reason) in values {
      var numbers = [375.0, 667, 375, 1]
      numbers[place] = value
      expectRefused(argument, reason) {
        try PeekSetup(
          picture: picture, viewport: ViewSize(numbers[0], numbers[1]),
          side: numbers[2], scale: numbers[3])
      }
    }
  }

  @Test func `numbers so small that the arithmetic underflows are refused`() throws {
    let picture = try PixelSize(1600, 1200)
    let speck = ViewSize(0x1p-1063, 0x1p-1063)
    expectRefused("viewport / picture", .tooSmall) {
      try PeekSetup(picture: picture, viewport: speck, side: 375)
    }
    expectRefused("side * scale") {
      try PeekSetup(picture: picture, viewport: phone, side: 1e-200, scale: 1e-200)
    }
    expectRefused("frame") {
      try PeekSetup(picture: picture, viewport: ViewSize(1e-200, 1e-200), side: 1e-200)
    }
  }

  @Test func `a frame that would vanish on the screen is refused`() throws {
    let error = #expect(throws: GeometryError.self) {
      try PeekSetup(picture: PixelSize(1, 1), viewport: ViewSize(1e-300, 1e-300), side: 1e-100)
    }
    #expect(error?.argument == "frame" && error?.value == "0.0")
    #expect(error?.reason == .tooSmall)
  }
}

/// Worked examples of the corrected form, where the published one goes wrong.
struct PeekTests {
  @Test func `a touch beside the picture counts as the nearest place of it`() throws {
    let setup = try onPhone(1600, 1200)
    for (x, column) in [(-50.0, 0.0), (0, 0), (187.5, 800), (375, 1600), (400, 1600)] {
      for (y, row) in [(-50.0, 0.0), (192.875, 0), (333.5, 600), (474.125, 1200), (700, 1200)] {
        let touched = try #require(try setup.peek(at: ViewPoint(x, y))).touched
        #expect(touched == PicturePoint(x: column, y: row))
      }
    }
  }

  @Test func `frame and fractions are the crop's, and do not stick out by a rounding`() throws {
    // Part of the picture, less than a pixel of it, and all of it.
    for (width, side) in (1...600).flatMap({ [($0, 100.0), ($0, 0.7), ($0, 700)] }) {
      let setup = try PeekSetup(picture: PixelSize(width, 300), viewport: phone, side: side)
      for touch in [middle, ViewPoint(375, 667), ViewPoint(300, 300)] {
        let peek = try #require(try setup.peek(at: touch))
        let (rect, frame, shown) = (peek.contentsRect, peek.frame, setup.shownFrame)
        #expect(near(rect.x * Double(width), peek.exact.x, within: 1e-9))
        #expect(near(rect.y * 300, peek.exact.y, within: 1e-9))
        #expect(rect.x + rect.width <= 1 && rect.y + rect.height <= 1)
        #expect(near(frame.x, shown.x + peek.exact.x * setup.fitScale, within: 1e-9))
        #expect(near(frame.y, shown.y + peek.exact.y * setup.fitScale, within: 1e-9))
        #expect(frame.maxX <= shown.maxX && frame.width <= shown.width)
      }
    }
  }

  @Test func `a peek that nothing cuts off is exactly as large as asked for`() throws {
    // For some of these numbers the quotient of the product is not the number again.
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
    #expect(atCentre.region.size == (try PixelSize(375, 375)))
    #expect(atCentre.size == ViewSize(375, 375))

    let end = ViewPoint(setup.shownFrame.maxX, setup.shownFrame.maxY)
    let atCorner = try #require(try setup.peek(at: end))
    #expect(near(atCorner.exact.x, corner.0, within: 1e-9))
    #expect(near(atCorner.exact.y, corner.1, within: 1e-9))
    #expect(atCorner.region.maxX == setup.picture.width)
    #expect(atCorner.region.maxY == setup.picture.height)
  }

  @Test func `FZ-B1: a picture three times as high as wide shows the touched pixel`() throws {
    let peek = try #require(try onPhone(1000, 3000).peek(at: middle))
    #expect(near(peek.exact.y, 1312.5, within: 1e-9))
    #expect(near(peek.exact.maxY, 1687.5, within: 1e-9))
  }

  @Test(arguments: [(200, 100), (1, 1), (374, 375)])
  func `FZ-B6: a picture smaller than the peek is shown whole at its own size`(
    width: Int, height: Int
  ) throws {
    let setup = try onPhone(width, height)
    for touch in [middle, ViewPoint(0, 0), ViewPoint(374, 666)] {
      let peek = try #require(try setup.peek(at: touch))
      #expect(peek.region == PixelRegion(whole: setup.picture))
      #expect(peek.contentsRect == UnitRect(x: 0, y: 0, width: 1, height: 1))
      #expect(peek.size == ViewSize(Double(width), Double(height)))
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
    #expect(peek.size == ViewSize(Double(width), 375))
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
      picture: picture.size(), viewport: ViewSize(viewport.0, viewport.1), scale: scale)
    let peek = try #require(try setup.peek(at: ViewPoint(200, 300)))
    #expect(peek.region.size == (try PixelSize(pixels.0, pixels.1)))
    // Quotients of whole numbers by 2 and 3: one rounding on either side.
    #expect(near(peek.size.width, Double(pixels.0) / scale, within: 2 * viewport.0.ulp))
    #expect(near(peek.size.height, Double(pixels.1) / scale, within: 2 * viewport.0.ulp))
  }
}

/// The integer crop beside the exact one (FZ-P15, FZ-B12).
struct PeekAxisTests {
  /// A peek of `side` pixels at a place of a picture that fits its viewport one to one.
  func region(side: Double, at x: Double, _ y: Double) throws -> PixelRegion {
    let setup = try PeekSetup(
      picture: PixelSize(1000, 1000), viewport: ViewSize(1000, 1000), side: side)
    return try #require(try setup.peek(at: ViewPoint(x, y))).region
  }

  static let origins: [(Double, Int)] = [
    (2, 1), (2.25, 1), (2.5, 2), (2.75, 2), (3, 2), (1.4999999999999998, 0), (1.5, 1),
  ]

  @Test(arguments: origins)
  func `FZ-B12: an origin half-way between two pixels rounds up`(touch: Double, first: Int) throws {
    // The crop is two pixels long, so its exact origin is the touch less 1.
    #expect(try region(side: 2, at: touch, 500).x == first)
    #expect(try region(side: 2, at: 500, touch).y == first)
  }

  static let lengths: [(Double, Int)] = [
    (0.1, 1), (0.5, 1), (1.4, 1), (1.5, 2), (2.5, 3), (375.4, 375), (375.5, 376),
  ]

  @Test(arguments: lengths)
  func `a length half-way between two pixels rounds up, and none becomes one`(
    side: Double, pixels: Int
  ) throws {
    #expect(try region(side: side, at: 500, 500).width == pixels)
  }

  @Test(arguments: [0.1, 0.6, 1.0, 1.4])
  func `a crop of one pixel is the touched pixel`(side: Double) throws {
    let touched: [(Double, Int)] = [
      (4, 4), (4.19, 4), (4.99, 4), (999.5, 999), (1000, 999), (0, 0),
    ]
    for (touch, pixel) in touched {
      #expect(try region(side: side, at: touch, 500).x == pixel, "\(touch)")
    }
  }

  @Test func `a rounded length does not push the crop out of the picture`() throws {
    // Exact: 624.5 ... 1000. Rounded half up, 376 pixels from 625 would end at 1001.
    let region = try region(side: 375.5, at: 1000, 1000)
    #expect(region == (try PixelRegion(x: 624, y: 624, width: 376, height: 376)))
  }
}

/// FZ-P14: finite output for finite positive input, a typed error for all other.
struct PeekTotalityTests {
  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func `a touch that is not finite is refused and named`(value: Double) throws {
    for policy in LetterboxPolicy.allCases {
      let setup = try PeekSetup(picture: PixelSize(1600, 1200), viewport: phone, letterbox: policy)
      expectRefused("touch.x", .notFinite) { try setup.peek(at: ViewPoint(value, 1)) }
      expectRefused("touch.y") { try setup.peek(at: ViewPoint(1, value)) }
    }
  }

  @Test func `a peek larger than any number shows the whole picture`() throws {
    let setup = try PeekSetup(
      picture: PixelSize(1600, 1200), viewport: phone,
      side: .greatestFiniteMagnitude, scale: .greatestFiniteMagnitude)
    let peek = try #require(try setup.peek(at: middle))
    #expect(peek.region == PixelRegion(whole: setup.picture))
    #expect(peek.frame == setup.shownFrame)
  }
}
