import Testing

@testable import ZoomGeometry

struct FullscreenSetupTests {
  static let held: [(DeviceOrientation, QuarterTurn)] = [
    (.portrait, .none), (.portraitUpsideDown, .half), (.landscapeLeft, .clockwise),
    (.landscapeRight, .counterclockwise),
  ]

  /// Interfaces by their numbers, which are those of the devices.
  static let drawn: [(InterfaceOrientation, QuarterTurn)] = [
    (.unknown, .none), (.portrait, .none), (.portraitUpsideDown, .half),
    (.landscapeRight, .clockwise), (.landscapeLeft, .counterclockwise),
  ]

  @Test(arguments: held)
  func `a device that is held tells the turn, whatever the interface`(
    device: DeviceOrientation, turn: QuarterTurn
  ) throws {
    for interface in InterfaceOrientation.allCases {
      #expect(try setup(device, interface: interface).turn == turn)
      #expect(original(device, interface: interface).turn == turn)
    }
  }

  @Test(arguments: drawn)
  func `ZV-P6, ZV-P7: lying flat or unknown, the interface tells the turn, by its number`(
    interface: InterfaceOrientation, turn: QuarterTurn
  ) throws {
    for device in [DeviceOrientation.faceUp, .faceDown, .unknown] {
      #expect(try setup(device, interface: interface).turn == turn)
    }
    let same = DeviceOrientation(upright: interface)
    #expect(try setup(.faceUp, interface: interface).turn == setup(same).turn)
  }

  static let refused: [(ViewRect, String, GeometryError.Reason)] = [
    (ViewRect(0, 0, 0, 0), "window.width", .notPositive),
    (ViewRect(0, 0, 375, 0), "window.height", .notPositive),
    (ViewRect(0, 0, -375, 667), "window.width", .notPositive),
    (ViewRect(.nan, 0, 375, 667), "window.x", .notFinite),
    (ViewRect(0, 0, 375, .infinity), "window.height", .notFinite),
    (ViewRect(0, 0, 375, 1e-9), "window.height", .tooSmall),
    (ViewRect(0, 1e300, 375, 667), "window.y", .tooLarge(limit: PixelSize.maximumSide)),
  ]

  @Test(arguments: refused)
  func `ZV-B9, ZV-B11: a window without a size, or not of finite numbers, is refused and named`(
    window: ViewRect, argument: String, reason: GeometryError.Reason
  ) throws {
    expectRefused(argument, reason) { try setup(.portrait, window: window) }
  }

  @Test(arguments: [phone, ViewSize(320, 480), ViewSize(768, 1024)])
  func `ZV-P1: on the published screens it covers to the last bit`(size: ViewSize) throws {
    for device in DeviceOrientation.allCases {
      #expect(try setup(device, window: size.atOrigin).layer.frame == size.atOrigin)
    }
  }
}

struct FullscreenPlacementTests {
  let inline = FullscreenPlacement(frame: ViewRect(20, 30, 100, 50))

  func turned(_ turn: QuarterTurn) -> FullscreenPlacement {
    FullscreenPlacement(
      centre: ViewPoint(187.5, 333.5), size: ViewSize(375, 667).turned(by: turn), turn: turn)
  }

  @Test(arguments: QuarterTurn.allCases)
  func `it covers its card, and its transform is exact`(turn: QuarterTurn) {
    let placement = turned(turn)
    #expect(placement.covered == portraitWindow)
    #expect(placement.layer.frame == portraitWindow)
    #expect(placement.layer.transform == .turn(turn))
  }

  @Test(arguments: QuarterTurn.allCases)
  func `a movement begins where it begins and ends exactly at its end`(turn: QuarterTurn) {
    let end = turned(turn)
    let start = inline.unwound(towards: end)
    #expect(start.layer == inline.layer)
    #expect(start.moved(towards: end, by: 0) == start)
    #expect(start.moved(towards: end, by: 1) == end)
    let half = start.moved(towards: end, by: 0.5)
    #expect(half.centre == ViewPoint(128.75, 194.25))
    #expect(half.covered == ViewRect(10, 15, 237.5, 358.5))
    #expect(near(half.layer.transform.determinant, 1, within: 1e-15))
  }

  @Test(arguments: [(QuarterTurn.half, QuarterTurn.counterclockwise), (.counterclockwise, .half)])
  func `ZV-B10: a quarter turn is a quarter turn, also where the angles jump`(
    start: QuarterTurn, end: QuarterTurn
  ) {
    let goal = turned(end)
    let half = turned(start).unwound(towards: goal).moved(towards: goal, by: 0.5)
    // Between upside down and lying to the left, the content's up points there.
    let up = direction(0, -1, under: half.layer.transform)
    #expect(up.x < -0.7 && up.y > 0.7)
  }
}

/// The defects of the published formulas, each with the number that shows it, beside the
/// correction.
struct OriginalFullscreenTests {
  /// Window, and by how far the mixed case is off in x; in y it is as far the other way.
  static let table = [(phone, -146.0), (ViewSize(320, 480), -80), (ViewSize(768, 1024), -128)]

  @Test func `sines and cosines leave a residue on the screen, quarter turns none`() throws {
    // Across the longer side, 667 x 6.1e-17.
    let far = ViewPoint(667, 0)
    let published = original(.landscapeLeft).layer.transform.apply(to: far)
    #expect(published.x != 0)
    #expect(near(published.x, 4.08e-14, within: 0.005e-14))
    #expect(try setup(.landscapeLeft).layer.transform.apply(to: far) == ViewPoint(0, 667))
  }

  @Test func `ZV-B3: in a window higher than wide the square covers, unless the window is moved`()
    throws
  {
    let square = ViewRect(-146, 0, 667, 667)
    #expect(original(.portrait).blanking == square)
    #expect(try setup(.portrait).blanking == square)
    let moved = ViewRect(0, 40, 375, 667)
    #expect(original(.portrait, window: moved).blanking.maxY < moved.maxY)
    #expect(try setup(.portrait, window: moved).blanking.maxY == moved.maxY)
    let aside = ViewRect(30, 40, 375, 667)
    #expect(try setup(.portrait, window: aside).blanking == ViewRect(-116, 40, 667, 667))
  }

  @Test(arguments: table, [DeviceOrientation.landscapeLeft, .landscapeRight])
  func `a translation made from the window's bounds moves a view that keeps its centre`(
    row: (window: ViewSize, off: Double), device: DeviceOrientation
  ) {
    let (window, off) = row
    let published = OriginalFullscreen(window: window, device: device, interface: .portrait)
    let moved = published.transform(source: window).apply(to: ViewPoint(0, 0))
    #expect(near(moved, ViewPoint(off, -off)))
    // Made from the bounds that the view has been given, none does; nor does a half turn.
    let size = published.size
    #expect(near(published.transform(source: size), .rotation(published.turn.radians)))
    let half = OriginalFullscreen(
      window: window, device: .portraitUpsideDown, interface: .portrait
    ).transform(source: window)
    #expect(near(half, .turn(.half)))
  }

  @Test func `ZV-B1, ZV-B2: a movement begins and ends under the turn that has been set`() {
    let inline = ViewLayer(frame: ViewRect(20, 30, 100, 50))
    let held = original(.landscapeLeft)
    let there = held.zoomedIn(inline)
    #expect(there.start.transform == held.layer.transform && there.end == held.layer)
    #expect(there.start.position == inline.position && there.start.size == held.size)
    let back = OriginalFullscreen.zoomedOut(held.layer, to: inline.frame)
    #expect(back.start.transform == .identity && back.start.size == held.size)
    let swapped = ViewRect(45, 5, 50, 100)
    #expect(back.end.transform == .identity && near(back.end.frame, swapped))
  }

  @Test func `ZV-B9: without a window the view is sized to nothing`() throws {
    let nowhere = ViewRect(0, 0, 0, 0)
    let published = original(.landscapeLeft, window: nowhere)
    #expect(published.layer.size == ViewSize(0, 0))
    #expect(published.blanking.width == 0)
    #expect(throws: GeometryError.self) { try setup(.landscapeLeft, window: nowhere) }
  }

  @Test func `ZV-B11: a window that is not finite gives NaN and infinities`() throws {
    let window = ViewRect(0, 0, .nan, .infinity)
    let published = original(.landscapeLeft, window: window)
    #expect(published.layer.position.x.isNaN)
    #expect(published.blanking.x.isNaN && published.blanking.width == .infinity)
    #expect(published.transform(source: published.size).tx.isNaN)
    #expect(throws: GeometryError.self) { try setup(.landscapeLeft, window: window) }
  }
}
