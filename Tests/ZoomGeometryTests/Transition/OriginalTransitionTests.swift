import Testing

@testable import ZoomGeometry

/// Tests of the published formulas' defects, each shown by numbers; `Timelines/TI-*` show the gestures' defects.
struct OriginalTransitionTests {
  private let fitted = ViewRect(0, 192.875, 375, 281.25)
  private let square = ViewRect(20, 50, 100, 100)

  @Test func `TI-B4: a mask for the unconverted thumbnail does not fit the converted one`() throws {
    let converted = ViewRect(20, 50, 200, 100)
    let it = OriginalTransition(
      frame: fitted, thumbnail: converted, ownThumbnail: square, cornerRadius: 25)
    #expect(near(it.mask.width * it.scale, 150, within: 1e-9))
    #expect(near(it.mask.height * it.scale, 150, within: 1e-9))
    #expect(near(it.maskRadius * it.scale, 37.5, within: 1e-9))
    let right = try Transition(
      picture: forest, viewport: phone, thumbnail: converted, cornerRadius: 25)
    #expect(near(right.mask.width * right.scale, 200, within: 1e-9))
    #expect(near(right.mask.height * right.scale, 100, within: 1e-9))
    #expect(near(right.maskRadius * right.scale, 25, within: 1e-9))
  }

  @Test
  func `TI-B5: an empty thumbnail makes the transform singular, an empty picture the scale NaN`() {
    let nothing = ViewRect(0, 0, 0, 0)
    let it = OriginalTransition(frame: fitted, thumbnail: nothing, cornerRadius: 25)
    #expect(it.scale == 0 && it.startTransform.inverted() == nil)
    #expect(it.mask.width.isNaN && it.maskRadius == 25)
    #expect(OriginalTransition(frame: nothing, thumbnail: nothing).scale.isNaN)
  }

  /// Rows of frame, thumbnail, and the sizes of the opening and of the closing mask half-way.
  static let ways: [(ViewSize, ViewSize, ViewSize, ViewSize)] = [
    // Portrait: the wide mask is 200x50, the high one 100x400.
    (ViewSize(200, 400), ViewSize(40, 10), ViewSize(200, 225), ViewSize(200, 225)),
    (ViewSize(200, 400), ViewSize(10, 40), ViewSize(200, 400), ViewSize(100, 400)),
    // Landscape, with masks of 400x100 and 50x200, and a square frame, which counts as landscape.
    (ViewSize(400, 200), ViewSize(40, 10), ViewSize(400, 200), ViewSize(400, 100)),
    (ViewSize(400, 200), ViewSize(10, 40), ViewSize(225, 200), ViewSize(225, 200)),
    (ViewSize(200, 200), ViewSize(40, 10), ViewSize(200, 200), ViewSize(200, 50)),
    (ViewSize(200, 200), ViewSize(10, 40), ViewSize(125, 200), ViewSize(125, 200)),
  ]

  @Test(arguments: ways)
  func `TI-B1: after half of the time one side of the mask is half-way, and the other at its end`(
    frame: ViewSize, thumbnail: ViewSize, opening: ViewSize, closing: ViewSize
  ) {
    let it = OriginalTransition(
      frame: ViewRect(7, 9, frame.width, frame.height),
      thumbnail: ViewRect(1, 2, thumbnail.width, thumbnail.height))
    for (isClosing, size) in [(false, opening), (true, closing)] {
      let mask = it.mask(isClosing: isClosing, at: 0.5)
      #expect(mask == frame.atOrigin.centred(size.width, size.height))
    }
    #expect(it.maskRadius == 0)
  }

  @Test func `TI-B14: the anchor of a view without an extent is NaN`() throws {
    let flat = try Transition(picture: forest, viewport: phone, thumbnail: square)
    var form = OriginalTransitionForm(
      ZoomScene(screen: try Screen(size: phone)), picture: forest, flat)
    let pinch = FingerTracker.Pinch(ratio: 0, step: 0, centre: middle, shift: ViewPoint(0, 0))
    form.follow(.pinched(pinch), at: 0)
    form.follow(.pinchBegan(centre: middle), at: 0)
    #expect(!form.layer(at: 0).transform.isFinite)
  }

  @Test func `TI-B2: a mask shows nothing beside its layer`() throws {
    for (thumbnail, seen) in [
      // A mask that begins outside the layer is empty on that axis.
      (ViewRect(0, 0, 10, 100), ViewRect(520.3125, 0, 0, 281.25)),
      (ViewRect(0, 0, 100, 10), ViewRect(0, 365.625, 375, 0)),
      (ViewRect(0, 0, 200, 100), ViewRect(0, 140.625, 375, 140.625)),
    ] {
      let screen = try Screen(size: phone)
      let stage = Stage(view: thumbnail)
      var form = OriginalTransitionForm(
        ZoomScene(screen: screen, stage: stage), picture: forest,
        Transition(picture: forest, screen: screen, stage: stage))
      form.present(at: 0)
      _ = form.doubleTap(middle, at: 1)
      form.dismiss(at: 2)
      #expect(near(try #require(form.layer(at: 2.3).mask), seen))
    }
  }

  @Test func `scale, angle and position of layers move separately, the angle the short way`() {
    let layer = { (scale: Double, degrees: Double, x: Double) in
      var layer = ViewLayer(frame: ViewRect(0, 0, 40, 30))
      layer.transform = Affine.scale(scale).then(.rotation(degrees / 180 * .pi))
        .then(.translation(x: x, y: 2 * x))
      layer.position = ViewPoint(3 * x, -x)
      layer.anchor = ViewPoint(x / 10, x / 20)
      return layer
    }
    for (from, to, half) in [(170.0, -170.0, 180.0), (0, 120, 60), (100, -120, 170)] {
      let way = layer(1, from, 0).moved(towards: layer(3, to, 10), by: 0.5)
      let wanted = layer(2, half, 5)
      #expect(near(way.transform, wanted.transform))
      #expect(near(way.position, wanted.position) && near(way.anchor, wanted.anchor))
    }
    // The end's transform is not decomposed, because not every transform can be.
    var skewed = layer(1, 0, 0)
    skewed.transform = Affine(a: 1, b: 0, c: 0.5, d: 2, tx: 3, ty: 4)
    #expect(layer(2, 30, 7).moved(towards: skewed, by: 1) == skewed)
  }
}
