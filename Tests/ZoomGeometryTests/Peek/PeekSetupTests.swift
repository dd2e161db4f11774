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
    let viewport = ViewSize(width: row.viewport.0, height: row.viewport.1)
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

  @Test func `the shown frame fills one direction, is centred and keeps the picture's shape`()
    throws
  {
    let broken = try PeekCase.counterexample { test in
      let shown = test.setup.shownFrame
      let viewport = test.setup.viewport
      // Filling is exact. The rest is a product and a difference, each rounded.
      let fills = shown.width == viewport.width || shown.height == viewport.height
      let fits = shown.x >= 0 && shown.y >= 0
      let centred =
        near(shown.x + shown.maxX, viewport.width, within: test.points)
        && near(shown.y + shown.maxY, viewport.height, within: test.points)
      let shaped =
        near(shown.width, test.width * test.setup.fitScale, within: test.points)
        && near(shown.height, test.height * test.setup.fitScale, within: test.points)
      return fills && fits && centred && shaped
    }
    #expect(broken == nil)
  }

  @Test func `the peek's side is the viewport's shorter one unless given`() throws {
    let picture = try PixelSize(width: 1600, height: 1200)
    #expect(try PeekSetup(picture: picture, viewport: phone).side == 375)
    let landscape = ViewSize(width: 667, height: 375)
    #expect(try PeekSetup(picture: picture, viewport: landscape).side == 375)
    #expect(try PeekSetup(picture: picture, viewport: phone, side: 200).side == 200)
  }

  @Test(arguments: [
    ("viewport.width", 0), ("viewport.height", 1), ("side", 2), ("scale", 3),
  ])
  func `an invalid number is refused and named`(argument: String, place: Int) throws {
    let picture = try PixelSize(width: 1600, height: 1200)
    let values: [(Double, GeometryError.Reason)] = [
      (.nan, .notFinite), (.infinity, .notFinite), (-.infinity, .notFinite), (0, .notPositive),
      (-0.0, .notPositive), (-1, .notPositive), (-.leastNonzeroMagnitude, .notPositive),
    ]
    for (value, reason) in values {
      var numbers = [375.0, 667, 375, 1]
      numbers[place] = value
      let error = #expect(throws: GeometryError.self) {
        try PeekSetup(
          picture: picture, viewport: ViewSize(width: numbers[0], height: numbers[1]),
          side: numbers[2], scale: numbers[3])
      }
      #expect(error?.argument == argument)
      #expect(error?.reason == reason)
    }
  }

  @Test func `numbers so small that the arithmetic underflows are refused`() throws {
    let picture = try PixelSize(width: 1600, height: 1200)
    let speck = ViewSize(width: 0x1p-1063, height: 0x1p-1063)
    let fit = #expect(throws: GeometryError.self) {
      try PeekSetup(picture: picture, viewport: speck, side: 375)
    }
    #expect(fit?.argument == "viewport / picture")
    #expect(fit?.reason == .tooSmall)
    let crop = #expect(throws: GeometryError.self) {
      try PeekSetup(picture: picture, viewport: phone, side: 1e-200, scale: 1e-200)
    }
    #expect(crop?.argument == "side * scale")
    let frame = #expect(throws: GeometryError.self) {
      try PeekSetup(
        picture: picture, viewport: ViewSize(width: 1e-200, height: 1e-200), side: 1e-200)
    }
    #expect(frame?.argument == "frame")
  }

  @Test func `a frame that would vanish on the screen is refused`() throws {
    let error = #expect(throws: GeometryError.self) {
      try PeekSetup(
        picture: PixelSize(width: 1, height: 1), viewport: ViewSize(width: 1e-300, height: 1e-300),
        side: 1e-100)
    }
    #expect(error?.argument == "frame" && error?.value == "0.0")
    #expect(error?.reason == .tooSmall)
  }
}
