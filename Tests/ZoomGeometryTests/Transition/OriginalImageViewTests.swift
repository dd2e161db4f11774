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

  @Test func `it pans on both axes, and ends a pan inside`() {
    var view = forest
    view.pan(by: ViewPoint(x: 3, y: -5))
    #expect(view.layer.position == ViewPoint(x: 190.5, y: 328.5))
    // Too small for the screen on both axes, so back to its middle.
    _ = view.endPan(velocity: ViewPoint(x: 10, y: 10))
    #expect(view.layer.position == middle)
    // At 3x, 1125x843.75 points, thrown far: as far as the picture reaches.
    view.pinch(by: 3)
    _ = view.endPan(velocity: ViewPoint(x: 1e6, y: -1e6))
    #expect(view.layer.position == ViewPoint(x: 562.5, y: 245.125))
  }

  @Test func `a turn to the right is a quarter counterclockwise, and over when it is completed`() {
    var view = forest
    view.turn(to: .landscapeRight)
    #expect(view.pendingAngle == -.pi / 2 && view.angle == 0)
    view.completeTurn()
    #expect(view.pendingAngle == nil && view.angle == -.pi / 2)
    #expect(near(view.layer.transform, Affine.turn(.counterclockwise)))
  }

  @Test(arguments: [1.0, 3])
  func `a pinch that ends at a bound is left as it is`(scale: Double) {
    var view = forest
    view.pinch(by: scale)
    // Begun and not completed, so that the angle is not the transform's.
    view.turn(to: .landscapeLeft)
    let before = view.layer.transform
    #expect(view.scale == scale)
    view.endPinch()
    #expect(view.layer.transform == before)
  }

  @Test func `a tap that resets brings the middle to the middle of the screen`() {
    var view = forest
    view.beginPinch(at: ViewPoint(x: 40, y: 250))
    view.pinch(by: 2)
    let isDismissed = view.singleTap()
    #expect(!isDismissed)
    #expect(view.layer == forest.layer)
  }

  @Test func `between two layers scale, angle and place go their own ways, the angle the shorter`()
  {
    let layer = { (scale: Double, degrees: Double, x: Double) in
      var layer = ViewLayer(frame: ViewRect(x: 0, y: 0, width: 40, height: 30))
      layer.transform = Affine.scale(scale).then(.rotation(degrees / 180 * .pi))
        .then(.translation(x: x, y: 2 * x))
      layer.position = ViewPoint(x: 3 * x, y: -x)
      layer.anchor = ViewPoint(x: x / 10, y: x / 20)
      return layer
    }
    // 170 to -170 degrees is 20 degrees, and 120 is 120.
    for (from, to, half) in [(170.0, -170.0, 180.0), (0, 120, 60), (100, -120, 170)] {
      let (start, end) = (layer(1, from, 0), layer(3, to, 10))
      let way = start.moved(towards: end, by: 0.5)
      let wanted = layer(2, half, 5)
      #expect(near(way.transform, wanted.transform))
      #expect(near(way.position, wanted.position) && near(way.anchor, wanted.anchor))
      #expect(near(start.moved(towards: end, by: 0).toParent, start.toParent))
    }
    // What is no scale and angle is not taken apart at the end.
    var skewed = layer(1, 0, 0)
    skewed.transform = Affine(a: 1, b: 0, c: 0.5, d: 2, tx: 3, ty: 4)
    #expect(layer(2, 30, 7).moved(towards: skewed, by: 1) == skewed)
  }
}
