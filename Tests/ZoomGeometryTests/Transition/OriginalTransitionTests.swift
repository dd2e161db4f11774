import Testing

@testable import ZoomGeometry

/// The defects of the published transition, each with the numbers that show it.
struct OriginalTransitionTests {
  private let forest = ViewRect(0, 192.875, 375, 281.25)
  private let petronas = ViewRect(0, 52.25, 375, 562.5)
  private let square = ViewRect(20, 50, 100, 100)

  /// Where on the screen something of the view is seen: a mask shows nothing beside the layer.
  private func seen(_ it: OriginalTransition, _ layer: ViewLayer, _ mask: ViewRect) -> ViewRect {
    var layer = layer
    layer.transform = it.startTransform
    let (right, bottom) = (min(mask.maxX, layer.size.width), min(mask.maxY, layer.size.height))
    let (left, top) = (max(mask.x, 0), max(mask.y, 0))
    return layer.toParent.boundingBox(of: ViewRect(left, top, right - left, bottom - top))
  }

  @Test func `neither zoomed nor turned it agrees with the corrected one`() throws {
    for (picture, thumbnail) in TransitionTests.cases {
      let right = try transition(picture, thumbnail)
      let it = OriginalTransition(frame: right.full, thumbnail: thumbnail, cornerRadius: 25)
      #expect(it.startTransform == right.startTransform)
      #expect(near(it.mask, right.mask))
      #expect(near(it.maskRadius, right.maskRadius, within: 1e-9))
    }
  }

  @Test func `TI-B1: petronas from a high thumbnail jumps in width, the corrected mask does not`()
    throws
  {
    let thumbnail = ViewRect(0, 0, 100, 200)
    let it = OriginalTransition(frame: petronas, thumbnail: thumbnail)
    #expect(it.mask.width == 281.25 && it.mask.height == 562.5)
    let first = it.mask(openedBy: 0)
    #expect(first.width == 375 && first.height == 562.5)
    #expect(it.mask(openedBy: 1).height == 562.5)
    #expect(it.mask(closedBy: 0).width == 281.25)

    let right = try transition(.petronas, thumbnail)
    #expect(near(try right.mask(openedBy: 0).width, 281.25, within: 1e-9))
    #expect(near(try right.mask(openedBy: 0.5).width, (281.25 + 375) / 2, within: 1e-9))
  }

  @Test func `TI-B3: dismissed in landscape the mask is that of the swapped box`() throws {
    var view = OriginalImageView(frame: forest, viewport: phone)
    view.turn(to: .landscapeLeft)
    view.completeTurn()
    let frame = view.layer.frame
    #expect(near(frame.width, 281.25, within: 1e-9) && near(frame.height, 375, within: 1e-9))
    let it = OriginalTransition(frame: frame, thumbnail: square)
    #expect(near(it.mask, ViewRect(0, 46.875, 281.25, 281.25)))
    // Of the thumbnail's 100 points 83.3 are filled, and they lie beside it.
    let landed = seen(it, view.layer, it.mask)
    #expect(prints(landed.height, as: 83.3, decimals: 1))
    #expect(!near(landed, square))

    // The scale is wrong too if the thumbnail is not square.
    let high = ViewRect(0, 0, 100, 200)
    let right = try transition(.forest, high)
    let wrong = OriginalTransition(frame: frame, thumbnail: high)
    #expect(prints(wrong.scale, as: 0.5333, decimals: 4))
    #expect(prints(right.scale, as: 0.7111, decimals: 4))
  }

  @Test func `TI-B4: a mask of the thumbnail's own ratio misses a converted one`() throws {
    let converted = ViewRect(20, 50, 200, 100)
    let it = OriginalTransition(
      frame: forest, thumbnail: converted, ownThumbnail: square, cornerRadius: 25)
    let layer = ViewLayer(frame: forest)
    #expect(near(seen(it, layer, it.mask).width, 150, within: 1e-9))
    #expect(near(seen(it, layer, it.mask).height, 150, within: 1e-9))
    #expect(near(it.maskRadius * it.scale, 37.5, within: 1e-9))

    let right = try transition(.forest, converted)
    var view = ViewLayer(frame: right.full)
    view.transform = right.startTransform
    #expect(near(view.toParent.boundingBox(of: right.mask), converted))
    #expect(near(right.maskRadius * right.scale, 25, within: 1e-9))
  }

  @Test func `TI-B5: no thumbnail gives a singular transform, no picture gives NaN`() {
    let nothing = ViewRect(0, 0, 0, 0)
    let it = OriginalTransition(frame: forest, thumbnail: nothing, cornerRadius: 25)
    #expect(it.scale == 0)
    #expect(it.startTransform.inverted() == nil)
    #expect(it.mask.width.isNaN)
    #expect(it.maskRadius == 25)
    #expect(OriginalTransition(frame: nothing, thumbnail: nothing).scale.isNaN)
  }

  /// Frames and thumbnails, and how large the opening and the closing mask are half-way.
  static let ways: [(ViewSize, ViewSize, ViewSize, ViewSize)] = [
    // Portrait: the wide mask is 200x50, the high one 100x400.
    (ViewSize(200, 400), ViewSize(40, 10), ViewSize(200, 225), ViewSize(200, 225)),
    (ViewSize(200, 400), ViewSize(10, 40), ViewSize(200, 400), ViewSize(100, 400)),
    // Landscape, with masks of 400x100 and 50x200, and a square frame, which counts as one.
    (ViewSize(400, 200), ViewSize(40, 10), ViewSize(400, 200), ViewSize(400, 100)),
    (ViewSize(400, 200), ViewSize(10, 40), ViewSize(225, 200), ViewSize(225, 200)),
    (ViewSize(200, 200), ViewSize(40, 10), ViewSize(200, 200), ViewSize(200, 50)),
    (ViewSize(200, 200), ViewSize(10, 40), ViewSize(125, 200), ViewSize(125, 200)),
  ]

  @Test(arguments: ways)
  func `TI-B1: half-way one side of the mask is half-way and the other at its end`(
    frame: ViewSize, thumbnail: ViewSize, opening: ViewSize, closing: ViewSize
  ) {
    let it = OriginalTransition(
      frame: ViewRect(7, 9, frame.width, frame.height),
      thumbnail: ViewRect(1, 2, thumbnail.width, thumbnail.height))
    for (mask, size) in [(it.mask(openedBy: 0.5), opening), (it.mask(closedBy: 0.5), closing)] {
      let wanted = ViewRect(
        (frame.width - size.width) / 2, (frame.height - size.height) / 2, size.width, size.height)
      #expect(mask == wanted)
    }
    #expect(it.maskRadius == 0)
  }
}

/// The defects of the published gestures, each with the numbers that show it.
///
/// The same inputs stand in the tests of the corrected types with the right results.
struct OriginalImageViewTests {
  private var forest: OriginalImageView {
    OriginalImageView(frame: ViewRect(0, 192.875, 375, 281.25), viewport: phone)
  }

  @Test func `TI-B14: the anchor of a view without an extent is no number`() {
    var view = OriginalImageView(frame: ViewRect(0, 0, 0, 0), viewport: phone)
    view.beginPinch(at: ViewPoint(0, 0))
    #expect(view.layer.anchor.x.isNaN && view.layer.anchor.y.isNaN)
  }

  @Test func `a pinch ends and a tap resets in any turn, which lying flat keeps`() {
    for (factor, settled) in [(0.5, 1.0), (2, 2), (5, 3)] {
      var view = forest
      for device in [DeviceOrientation.landscapeLeft, .faceUp] {
        view.turn(to: device)
        view.completeTurn()
      }
      view.beginPinch(at: ViewPoint(150, 250))
      view.pinch(by: factor)
      view.endPinch()
      #expect(near(view.layer.transform, Affine.scale(settled).then(.rotation(.pi / 2))))
      guard settled > 1 else { continue }
      let isDismissed = view.singleTap()
      #expect(!isDismissed && view.layer == forest.layer)
    }
  }

  @Test func `it pans on both axes, and ends a pan inside`() {
    var view = forest
    view.pan(by: ViewPoint(3, -5))
    #expect(view.layer.position == ViewPoint(190.5, 328.5))
    // Too small for the screen on both axes, so back to its middle.
    _ = view.endPan(velocity: ViewPoint(10, 10))
    #expect(view.layer.position == middle)
    // At 3x, 1125x843.75 points, thrown far: as far as the picture reaches.
    view.pinch(by: 3)
    _ = view.endPan(velocity: ViewPoint(1e6, -1e6))
    #expect(view.layer.position == ViewPoint(562.5, 245.125))
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

  @Test func `between two layers scale, angle and place go their own ways, the angle the shorter`()
  {
    let layer = { (scale: Double, degrees: Double, x: Double) in
      var layer = ViewLayer(frame: ViewRect(0, 0, 40, 30))
      layer.transform = Affine.scale(scale).then(.rotation(degrees / 180 * .pi))
        .then(.translation(x: x, y: 2 * x))
      layer.position = ViewPoint(3 * x, -x)
      layer.anchor = ViewPoint(x / 10, x / 20)
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
