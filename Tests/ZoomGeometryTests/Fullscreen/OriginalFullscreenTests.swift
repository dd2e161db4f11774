import Testing
import ZoomGeometry

/// The defects of the published formulas, each with the number that shows it, beside the
/// correction.
struct OriginalFullscreenTests {
  /// Window, device, and by how far the mixed case is off in x; in y it is as far the other way.
  static let table: [(ViewSize, DeviceOrientation, Double)] = [
    (ViewSize(width: 375, height: 667), .landscapeLeft, -146),
    (ViewSize(width: 375, height: 667), .landscapeRight, -146),
    (ViewSize(width: 320, height: 480), .landscapeLeft, -80),
    (ViewSize(width: 320, height: 480), .landscapeRight, -80),
    (ViewSize(width: 768, height: 1024), .landscapeLeft, -128),
    (ViewSize(width: 768, height: 1024), .landscapeRight, -128),
  ]

  @Test(arguments: table)
  func `the translation is right for new bounds, or for a kept corner, and wrong for the mix`(
    window: ViewSize, device: DeviceOrientation, off: Double
  ) throws {
    let form = OriginalFullscreen(window: window, device: device, interface: .portrait)
    let turned = ViewSize(width: window.height, height: window.width)
    let whole = ViewRect(x: 0, y: 0, width: window.width, height: window.height)
    let middle = ViewPoint(x: window.width / 2, y: window.height / 2)
    #expect(form.size == turned)

    // As shipped: from the new bounds, the centre kept; the translation is zero.
    let shipped = form.transform(source: turned)
    #expect(shipped.tx == 0 && shipped.ty == 0)
    #expect(form.layer == layer(size: turned, centre: middle, transform: shipped))
    #expect(difference(form.layer.frame, whole) < 1e-9 * window.height)

    // ZV-P1, ZV-P3: from the old bounds, the centre kept.
    let mixed = layer(size: turned, centre: middle, transform: form.transform(source: window))
    let moved = ViewRect(x: off, y: -off, width: window.width, height: window.height)
    #expect(difference(mixed.frame, moved) < 1e-9 * window.height)

    // From the old bounds, the corner kept at (0, 0).
    let corner = ViewPoint(x: turned.width / 2, y: turned.height / 2)
    let kept = layer(size: turned, centre: corner, transform: form.transform(source: window))
    #expect(difference(kept.frame, whole) < 1e-9 * window.height)

    // The corrected form translates by what the centre is off, so every centre will do.
    let setup = try setup(device, window: whole)
    for centre in [middle, corner] {
      let view = layer(
        size: setup.size, centre: centre, transform: try setup.transform(centre: centre))
      #expect(view.frame == whole)
    }
  }

  @Test func `sines and cosines leave a residue on the screen, quarter turns none`() throws {
    // Across the longer side, 667 x 6.1e-17.
    let far = ViewPoint(x: 667, y: 0)
    let published = original(.landscapeLeft).layer.transform.apply(to: far)
    #expect(published.x != 0)
    #expect(near(published.x, 4.08e-14, within: 0.005e-14))
    #expect(try setup(.landscapeLeft).layer.transform.apply(to: far) == ViewPoint(x: 0, y: 667))
  }

  @Test(arguments: [DeviceOrientation.landscapeLeft, .landscapeRight])
  func `ZV-B1: dismissed in landscape the view comes back with its sides swapped`(
    device: DeviceOrientation
  ) throws {
    let proxy = ViewRect(x: 20, y: 30, width: 100, height: 50)
    let end = OriginalFullscreen.zoomedOut(original(device).layer, to: proxy).end
    #expect(difference(end.frame, ViewRect(x: 45, y: 5, width: 50, height: 100)) < 1e-9)
    #expect(end.transform == .identity)
    #expect(try FullscreenSetup.zoomedOut(setup(device).layer, to: proxy).frame == proxy)
  }

  @Test(arguments: [DeviceOrientation.portrait, .portraitUpsideDown])
  func `ZV-B1: dismissed upright or upside down it comes back right`(
    device: DeviceOrientation
  ) throws {
    let proxy = ViewRect(x: 20, y: 30, width: 100, height: 50)
    let end = OriginalFullscreen.zoomedOut(original(device).layer, to: proxy).end
    #expect(difference(end.frame, proxy) < 1e-9)
  }

  @Test func `ZV-B1: the turn goes at once, so the animation back begins with a lying view`() {
    let shown = original(.landscapeLeft).layer
    let start = OriginalFullscreen.zoomedOut(shown, to: portraitWindow).start
    #expect(start.frame == ViewRect(x: -146, y: 146, width: 667, height: 375))
    #expect(difference(shown.frame, portraitWindow) < 1e-9)
  }

  @Test func `ZV-B2: taken to full screen in landscape, the view jumps to its size and turn`() {
    let inline = ViewLayer(frame: ViewRect(x: 20, y: 30, width: 100, height: 50))
    let (start, end) = original(.landscapeLeft).zoomedIn(inline)
    #expect(start.position == inline.position)
    #expect(start.size == ViewSize(width: 667, height: 375))
    // As large as the window, about the middle of a small view.
    #expect(
      difference(start.frame, ViewRect(x: -117.5, y: -278.5, width: 375, height: 667)) < 1e-9)
    #expect(end.size == start.size && end.transform == start.transform)
    #expect(end.position == ViewPoint(x: 187.5, y: 333.5))

    let over = original(.portraitUpsideDown).zoomedIn(inline).start
    #expect(over.size == inline.size && over.transform.a == -1)
    #expect(original(.portrait).zoomedIn(inline).start == inline)
  }

  static let wide: [(ViewRect, ViewRect)] = [
    (
      ViewRect(x: 0, y: 0, width: 667, height: 375),
      ViewRect(x: 146, y: 0, width: 375, height: 375)
    ),
    (
      ViewRect(x: 0, y: 0, width: 1024, height: 768),
      ViewRect(x: 128, y: 0, width: 768, height: 768)
    ),
  ]

  @Test(arguments: wide)
  func `ZV-B3, ZV-P10: in a window wider than high, strips at the sides stay uncovered`(
    window: ViewRect, square: ViewRect
  ) throws {
    let published = original(.portrait, window: window).blanking
    #expect(published == square)
    #expect(!published.contains(ViewPoint(x: square.x / 2, y: 1)))
    #expect(!published.contains(ViewPoint(x: square.maxX + 1, y: 1)))
    let corrected = try setup(.portrait, window: window).blanking
    #expect(corrected.x == 0 && corrected.maxX == window.width)
  }

  @Test func `ZV-B3: in a window higher than wide the square covers, unless the window is moved`()
    throws
  {
    let square = ViewRect(x: -146, y: 0, width: 667, height: 667)
    #expect(original(.portrait).blanking == square)
    #expect(try setup(.portrait).blanking == square)
    let moved = ViewRect(x: 0, y: 40, width: 375, height: 667)
    #expect(original(.portrait, window: moved).blanking.maxY < moved.maxY)
    #expect(try setup(.portrait, window: moved).blanking.maxY == moved.maxY)
  }

  @Test func `ZV-B4: in a window that has turned with the interface the view is turned again`()
    throws
  {
    let window = ViewRect(x: 0, y: 0, width: 667, height: 375)
    let published = original(.landscapeLeft, interface: .landscapeRight, window: window)
    #expect(published.size == ViewSize(width: 375, height: 667))
    // It covers the window, but lies on its side: up in the content is right in the window.
    #expect(difference(published.layer.frame, window) < 1e-9)
    #expect(near(direction(0, -1, under: published.layer.transform).x, 1, within: 1e-15))

    let corrected = try setup(
      .landscapeLeft, interface: .landscapeRight, window: window, kind: .turning)
    #expect(corrected.size == ViewSize(width: 667, height: 375))
    #expect(corrected.layer.transform == .identity)
    #expect(corrected.layer.frame == window)
    // Told a fixed window, it does as published.
    let fixed = try setup(.landscapeLeft, interface: .landscapeRight, window: window)
    #expect(fixed.size == published.size)
  }

  @Test(arguments: [InterfaceOrientation.landscapeLeft, .landscapeRight])
  func `ZV-B5, ZV-P7: an unknown device is taken for upright while the interface lies`(
    interface: InterfaceOrientation
  ) throws {
    let published = original(.unknown, interface: interface)
    #expect(published.size == ViewSize(width: 375, height: 667))
    #expect(published.layer.transform == .identity)
    let corrected = try setup(.unknown, interface: interface)
    #expect(corrected.size == ViewSize(width: 667, height: 375))
    #expect(corrected.turn == original(.faceUp, interface: interface).turn)
  }

  @Test(arguments: InterfaceOrientation.allCases)
  func `ZV-P6: lying flat, the published form goes by the interface's number`(
    interface: InterfaceOrientation
  ) throws {
    for device in [DeviceOrientation.faceUp, .faceDown] {
      #expect(
        try original(device, interface: interface).turn == setup(device, interface: interface).turn)
    }
  }

  @Test func `ZV-B9: without a window the view is sized to nothing`() throws {
    let nowhere = ViewRect(x: 0, y: 0, width: 0, height: 0)
    let published = original(.landscapeLeft, window: nowhere)
    #expect(published.layer.size == ViewSize(width: 0, height: 0))
    #expect(published.blanking.width == 0)
    #expect(throws: GeometryError.self) { try setup(.landscapeLeft, window: nowhere) }
  }

  @Test func `ZV-B11: a window that is not finite gives NaN and infinities`() throws {
    let window = ViewRect(x: 0, y: 0, width: .nan, height: .infinity)
    let published = original(.landscapeLeft, window: window)
    #expect(published.layer.position.x.isNaN)
    #expect(published.blanking.x.isNaN && published.blanking.width == .infinity)
    #expect(published.transform(source: published.size).tx.isNaN)
    #expect(throws: GeometryError.self) { try setup(.landscapeLeft, window: window) }
  }
}
