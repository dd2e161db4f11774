import Testing

@testable import ZoomGeometry

private let window = phone.atOrigin

private func setup(
  _ device: DeviceOrientation, window: ViewRect = window
) throws -> FullscreenSetup {
  try FullscreenSetup(window: window, kind: .fixed, device: device, interface: .portrait)
}

private func original(
  _ device: DeviceOrientation, window: ViewRect = window
) -> OriginalFullscreen {
  OriginalFullscreen(window: window.size, device: device, interface: .portrait)
}

/// Tests of the published formulas' defects: each shows the defect by a number, and that the correction lacks it.
struct OriginalFullscreenTests {
  @Test func `sine and cosine leave a residue on the screen; exact quarter turns do not`() throws {
    // Across the longer side, 667 x 6.1e-17.
    let far = ViewPoint(667, 0)
    let published = original(.landscapeLeft).layer.transform.apply(to: far)
    #expect(published.x != 0 && near(published.x, 4.08e-14, within: 0.005e-14))
    #expect(try setup(.landscapeLeft).layer.transform.apply(to: far) == ViewPoint(0, 667))
  }

  @Test
  func `ZV-B3: the square covers a tall window only if the window starts at the origin`() throws {
    let square = ViewRect(-146, 0, 667, 667)
    #expect(original(.portrait).blanking == square)
    #expect(try setup(.portrait).blanking == square)
    let moved = ViewRect(30, 40, 375, 667)
    #expect(original(.portrait, window: moved).blanking == square)
    #expect(try setup(.portrait, window: moved).blanking == ViewRect(-116, 40, 667, 667))
  }

  /// The windows, and the error in x of the article's transform; in y it has the other sign.
  static let windows = [(phone, -146.0), (ViewSize(320, 480), -80), (ViewSize(768, 1024), -128)]

  @Test(arguments: windows, [DeviceOrientation.landscapeLeft, .landscapeRight])
  func `a translation computed from the window's bounds moves a view that should stay centred`(
    row: (window: ViewSize, off: Double), device: DeviceOrientation
  ) {
    let (window, off) = row
    let published = original(device, window: window.atOrigin)
    #expect(
      near(published.transform(source: window).apply(to: ViewPoint(0, 0)), ViewPoint(off, -off)))
    // A translation made from the view's own bounds does not move it, nor does a half turn.
    #expect(near(published.transform(source: published.size), .rotation(published.turn.radians)))
    let half = original(.portraitUpsideDown, window: window.atOrigin).transform(source: window)
    #expect(near(half, .turn(.half)))
  }

  @Test func `ZV-B9, ZV-B11: zeros, NaN and infinities go in and come out`() {
    let nowhere = original(.landscapeLeft, window: ViewRect(0, 0, 0, 0))
    #expect(nowhere.layer.size == ViewSize(0, 0) && nowhere.blanking.width == 0)
    let endless = original(.landscapeLeft, window: ViewRect(0, 0, .nan, .infinity))
    #expect(endless.layer.position.x.isNaN && endless.transform(source: endless.size).tx.isNaN)
    #expect(endless.blanking.x.isNaN && endless.blanking.width == .infinity)
  }
}

struct StagePlaceTests {
  @Test func `a small view far out keeps its size`() {
    let far = Stage.Ancestor(frame: ViewRect(2e9, 2e9, 1, 1))
    let stage = Stage(ancestors: Array(repeating: far, count: 3))
    #expect(stage.placed(ViewRect(0, 0, 1e-6, 1e-6)) == ViewRect(6e9, 6e9, 1e-6, 1e-6))
  }
}
