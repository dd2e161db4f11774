import Testing

@testable import ZoomGeometry

/// The defects of the published transition, each with the numbers that show it.
struct OriginalTransitionTests {
  private let forest = ViewRect(x: 0, y: 192.875, width: 375, height: 281.25)
  private let petronas = ViewRect(x: 0, y: 52.25, width: 375, height: 562.5)
  private let square = ViewRect(x: 20, y: 50, width: 100, height: 100)

  /// Where on the screen something of the view is seen: a mask shows nothing beside the layer.
  private func seen(_ it: OriginalTransition, _ layer: ViewLayer, _ mask: ViewRect) -> ViewRect {
    var layer = layer
    layer.transform = it.startTransform
    let (right, bottom) = (min(mask.maxX, layer.size.width), min(mask.maxY, layer.size.height))
    let (left, top) = (max(mask.x, 0), max(mask.y, 0))
    return layer.toParent.boundingBox(
      of: ViewRect(x: left, y: top, width: right - left, height: bottom - top))
  }

  @Test func `neither zoomed nor turned it agrees with the corrected one`() throws {
    for (picture, thumbnail) in TransitionTests.cases {
      let right = try Transition(
        picture: picture.size(), viewport: phone, thumbnail: thumbnail, cornerRadius: 25)
      let it = OriginalTransition(frame: right.full, thumbnail: thumbnail, cornerRadius: 25)
      #expect(it.startTransform == right.startTransform)
      #expect(isNear(it.mask, right.mask))
      #expect(near(it.maskRadius, right.maskRadius, within: 1e-9))
    }
  }

  @Test func `TI-B1: petronas from a high thumbnail jumps in width, the corrected mask does not`()
    throws
  {
    let thumbnail = ViewRect(x: 0, y: 0, width: 100, height: 200)
    let it = OriginalTransition(frame: petronas, thumbnail: thumbnail)
    #expect(it.mask.width == 281.25 && it.mask.height == 562.5)
    let first = it.mask(openedBy: 0)
    #expect(first.width == 375 && first.height == 562.5)
    #expect(it.mask(openedBy: 1).height == 562.5)
    #expect(it.mask(closedBy: 0).width == 281.25)

    let right = try Transition(
      picture: SamplePicture.petronas.size(), viewport: phone, thumbnail: thumbnail)
    #expect(near(try right.mask(openedBy: 0).width, 281.25, within: 1e-9))
    #expect(near(try right.mask(openedBy: 0.5).width, (281.25 + 375) / 2, within: 1e-9))
  }

  @Test func `TI-B1: forest from a wide thumbnail jumps in height, the corrected mask does not`()
    throws
  {
    let thumbnail = ViewRect(x: 0, y: 0, width: 200, height: 50)
    let it = OriginalTransition(frame: forest, thumbnail: thumbnail)
    #expect(it.mask.width == 375 && it.mask.height == 93.75)
    let first = it.mask(openedBy: 0)
    #expect(first.width == 375 && first.height == 281.25)

    let right = try Transition(
      picture: SamplePicture.forest.size(), viewport: phone, thumbnail: thumbnail)
    #expect(near(try right.mask(openedBy: 0).height, 93.75, within: 1e-9))
  }

  @Test func `TI-B1: from a square thumbnail nothing jumps`() {
    for frame in [forest, petronas] {
      let it = OriginalTransition(frame: frame, thumbnail: square)
      #expect(it.mask(openedBy: 0) == it.mask)
      #expect(it.mask(closedBy: 1) == it.mask)
    }
  }

  @Test func `TI-B2: dismissed at 3x forest ends too small, the corrected one on the thumbnail`()
    throws
  {
    var view = OriginalImageView(frame: forest, viewport: phone)
    let tap1 = view.doubleTap()
    #expect(tap1)
    let frame = view.layer.frame
    #expect(frame.width == 1125 && frame.height == 843.75)
    let it = OriginalTransition(frame: frame, thumbnail: square)
    #expect(prints(it.scale, as: 0.118519, decimals: 6))
    #expect(it.mask == ViewRect(x: 140.625, y: 0, width: 843.75, height: 843.75))
    #expect(prints(view.layer.size.width * it.scale, as: 44.4, decimals: 1))
    #expect(prints(view.layer.size.height * it.scale, as: 33.3, decimals: 1))
    #expect(!isNear(seen(it, view.layer, it.mask), square))

    let right = try Transition(
      picture: SamplePicture.forest.size(), viewport: phone, thumbnail: square)
    #expect(prints(right.full.width * right.scale, as: 133.3, decimals: 1))
    #expect(near(right.full.height * right.scale, 100, within: 1e-9))
  }

  @Test func `TI-B3: dismissed in landscape the mask is that of the swapped box`() throws {
    var view = OriginalImageView(frame: forest, viewport: phone)
    view.turn(to: .landscapeLeft)
    view.completeTurn()
    let frame = view.layer.frame
    #expect(near(frame.width, 281.25, within: 1e-9) && near(frame.height, 375, within: 1e-9))
    let it = OriginalTransition(frame: frame, thumbnail: square)
    #expect(isNear(it.mask, ViewRect(x: 0, y: 46.875, width: 281.25, height: 281.25)))
    // Of the thumbnail's 100 points 83.3 are filled, and they lie beside it.
    let landed = seen(it, view.layer, it.mask)
    #expect(prints(landed.height, as: 83.3, decimals: 1))
    #expect(!isNear(landed, square))

    // The scale is wrong too if the thumbnail is not square.
    let high = ViewRect(x: 0, y: 0, width: 100, height: 200)
    let right = try Transition(
      picture: SamplePicture.forest.size(), viewport: phone, thumbnail: high)
    let wrong = OriginalTransition(frame: frame, thumbnail: high)
    #expect(prints(wrong.scale, as: 0.5333, decimals: 4))
    #expect(prints(right.scale, as: 0.7111, decimals: 4))
  }

  @Test func `TI-B4: a mask of the thumbnail's own ratio misses a converted one`() throws {
    let converted = ViewRect(x: 20, y: 50, width: 200, height: 100)
    let it = OriginalTransition(
      frame: forest, thumbnail: converted, ownThumbnail: square, cornerRadius: 25)
    let layer = ViewLayer(frame: forest)
    #expect(near(seen(it, layer, it.mask).width, 150, within: 1e-9))
    #expect(near(seen(it, layer, it.mask).height, 150, within: 1e-9))
    #expect(near(it.maskRadius * it.scale, 37.5, within: 1e-9))

    let right = try Transition(
      picture: SamplePicture.forest.size(), viewport: phone, thumbnail: converted,
      cornerRadius: 25)
    var view = ViewLayer(frame: right.full)
    view.transform = right.startTransform
    #expect(isNear(view.toParent.boundingBox(of: right.mask), converted))
    #expect(near(right.maskRadius * right.scale, 25, within: 1e-9))
  }

  @Test func `TI-B5: no thumbnail gives a singular transform, no picture gives NaN`() {
    let nothing = ViewRect(x: 0, y: 0, width: 0, height: 0)
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
    (
      ViewSize(width: 200, height: 400), ViewSize(width: 40, height: 10),
      ViewSize(width: 200, height: 225), ViewSize(width: 200, height: 225)
    ),
    (
      ViewSize(width: 200, height: 400), ViewSize(width: 10, height: 40),
      ViewSize(width: 200, height: 400), ViewSize(width: 100, height: 400)
    ),
    // Landscape, with masks of 400x100 and 50x200, and a square frame, which counts as one.
    (
      ViewSize(width: 400, height: 200), ViewSize(width: 40, height: 10),
      ViewSize(width: 400, height: 200), ViewSize(width: 400, height: 100)
    ),
    (
      ViewSize(width: 400, height: 200), ViewSize(width: 10, height: 40),
      ViewSize(width: 225, height: 200), ViewSize(width: 225, height: 200)
    ),
    (
      ViewSize(width: 200, height: 200), ViewSize(width: 40, height: 10),
      ViewSize(width: 200, height: 200), ViewSize(width: 200, height: 50)
    ),
    (
      ViewSize(width: 200, height: 200), ViewSize(width: 10, height: 40),
      ViewSize(width: 125, height: 200), ViewSize(width: 125, height: 200)
    ),
  ]

  @Test(arguments: ways)
  func `TI-B1: half-way one side of the mask is half-way and the other at its end`(
    frame: ViewSize, thumbnail: ViewSize, opening: ViewSize, closing: ViewSize
  ) {
    let it = OriginalTransition(
      frame: ViewRect(x: 7, y: 9, width: frame.width, height: frame.height),
      thumbnail: ViewRect(x: 1, y: 2, width: thumbnail.width, height: thumbnail.height))
    for (mask, size) in [(it.mask(openedBy: 0.5), opening), (it.mask(closedBy: 0.5), closing)] {
      let wanted = ViewRect(
        x: (frame.width - size.width) / 2, y: (frame.height - size.height) / 2,
        width: size.width, height: size.height)
      #expect(mask == wanted)
    }
    #expect(it.maskRadius == 0)
  }
}
