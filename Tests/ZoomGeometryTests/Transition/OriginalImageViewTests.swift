import Testing

@testable import ZoomGeometry

/// The defects of the published gestures, each with the numbers that show it.
///
/// The same inputs stand in the tests of the corrected types with the right results.
struct OriginalImageViewTests {
  private var forest: OriginalImageView {
    OriginalImageView(
      frame: ViewRect(x: 0, y: 192.875, width: 375, height: 281.25), viewport: phone)
  }

  @Test func `TI-B6: the rubber band depends on how often the fingers are sampled`() {
    var once = forest
    once.beginPinch(at: middle)
    once.pinch(by: 0.5)
    #expect(once.scale == 0.5)

    var twice = forest
    twice.beginPinch(at: middle)
    twice.pinch(by: 0.5.squareRoot())
    twice.pinch(by: 0.5.squareRoot())
    #expect(prints(twice.scale, as: 0.59460, decimals: 5))

    // Finely sampled it is the root.
    var finely = forest
    let factor = (0..<16).reduce(0.5) { root, _ in root.squareRoot() }
    for _ in 0..<65_536 { finely.pinch(by: factor) }
    #expect(near(finely.scale, 0.5.squareRoot(), within: 1e-4))

    // There is no band at the other end.
    var large = forest
    large.pinch(by: 10)
    #expect(large.scale == 10)
  }

  @Test func `TI-B7: a pan that ends where it may moves the content all the same`() {
    var view = forest
    view.beginPinch(at: ViewPoint(x: 93.75, y: 192.875 + 70.3125))
    #expect(view.layer.anchor == ViewPoint(x: 0.25, y: 0.25))
    #expect(isNear(view.layer.frame, forest.layer.frame))
    view.pinch(by: 3)
    view.endPinch()
    let before = view.layer.frame
    let inertia = view.endPan(velocity: ViewPoint(x: 0, y: 0))
    #expect(inertia.acceptable.contains(inertia.destination))
    #expect(near(view.layer.frame.x - before.x, -281.25, within: 1e-9))
    #expect(prints(view.layer.frame.y - before.y, as: -210.94, decimals: 2))
  }

  @Test func `TI-B8: a tap in landscape leaves the next portrait on its side`() {
    var view = forest
    view.turn(to: .landscapeLeft)
    view.completeTurn()
    view.pinch(by: 3)
    let tap1 = view.singleTap()
    #expect(!tap1)
    #expect(view.layer.transform == .identity)
    #expect(view.angle == .pi / 2)
    view.turn(to: .portrait)
    view.completeTurn()
    #expect(view.layer.transform == .rotation(-.pi / 2))
  }

  @Test func `TI-B9: no double tap in landscape, and none that zooms out`() {
    var view = forest
    let tap2 = view.doubleTap()
    #expect(tap2)
    #expect(view.scale == 3)
    let tap3 = view.doubleTap()
    #expect(!tap3)
    #expect(view.scale == 3)

    var turned = forest
    turned.turn(to: .landscapeRight)
    turned.completeTurn()
    let tap4 = turned.doubleTap()
    #expect(!tap4)
    #expect(turned.scale == 1)
  }

  @Test func `TI-B10: turns in quick succession add up`() {
    var quick = forest
    quick.turn(to: .landscapeLeft)
    quick.turn(to: .portrait)
    quick.completeTurn()
    #expect(quick.angle == 0)
    #expect(quick.layer.transform == .rotation(.pi / 2))

    var slow = forest
    slow.turn(to: .landscapeLeft)
    slow.completeTurn()
    slow.turn(to: .portrait)
    slow.completeTurn()
    #expect(slow.layer.transform == .identity)
  }

  @Test func `TI-B11: a pinch there and back misses the scale of one by a rounding`() {
    var view = forest
    for factor in [1.2, 1.7, 1 / 1.2, 1 / 1.7] { view.pinch(by: factor) }
    view.endPinch()
    #expect(view.scale == (1.0).nextUp)
    let tap5 = view.singleTap()
    #expect(!tap5)
    let tap6 = view.singleTap()
    #expect(tap6)
  }

  @Test func `TI-B12: a pinch that ends is brought into bounds, one that is cancelled is not`() {
    for (factor, settled) in [(0.5, 1.0), (2, 2), (5, 3)] {
      var view = forest
      view.pinch(by: factor)
      #expect(view.scale == factor)
      view.endPinch()
      #expect(view.scale == settled)
    }
  }

  @Test func `TI-B14: the anchor of a view without an extent is no number`() {
    var view = OriginalImageView(
      frame: ViewRect(x: 0, y: 0, width: 0, height: 0), viewport: phone)
    view.beginPinch(at: ViewPoint(x: 0, y: 0))
    #expect(view.layer.anchor.x.isNaN && view.layer.anchor.y.isNaN)
  }

  @Test func `lying flat keeps the angle, upside down counts as upright`() {
    var view = forest
    view.turn(to: .landscapeRight)
    view.completeTurn()
    let turned = view.layer.transform
    for flat in [DeviceOrientation.faceUp, .faceDown] {
      view.turn(to: flat)
      view.completeTurn()
      #expect(view.layer.transform == turned)
    }
    view.turn(to: .portraitUpsideDown)
    view.completeTurn()
    #expect(view.angle == 0)
  }
}
