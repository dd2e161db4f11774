import Testing

@testable import ZoomGeometry

/// The transition between thumbnail and full screen: the worked examples and TI-P1 to TI-P7.
struct TransitionTests {
  /// The sample pictures with thumbnails wide, high and square, on the phone's screen.
  static let cases: [(SamplePicture, ViewRect)] = SamplePicture.allCases.flatMap { picture in
    [(100.0, 100.0), (100, 200), (200, 50), (3, 400), (900, 900)].map { width, height in
      (picture, ViewRect(x: 20, y: 50, width: width, height: height))
    }
  }

  private func transition(
    _ picture: SamplePicture, _ thumbnail: ViewRect, radius: Double = 25
  ) throws -> Transition {
    try Transition(
      picture: picture.size(), viewport: phone, thumbnail: thumbnail, cornerRadius: radius)
  }

  @Test func `forest from a square thumbnail`() throws {
    let thumbnail = ViewRect(x: 20, y: 50, width: 100, height: 100)
    let forest = try transition(.forest, thumbnail)
    #expect(forest.full == ViewRect(x: 0, y: 192.875, width: 375, height: 281.25))
    #expect(prints(forest.scale, as: 0.355556, decimals: 6))
    #expect(forest.delta == ViewPoint(x: -117.5, y: -233.5))
    #expect(prints(forest.mask.x, as: 46.875, decimals: 9))
    #expect(prints(forest.mask.width, as: 281.25, decimals: 9))
    #expect(forest.mask.height == 281.25)
    #expect(forest.mask.y == 0)
    #expect(prints(forest.maskRadius, as: 70.3125, decimals: 9))
  }

  @Test func `petronas from a square thumbnail`() throws {
    let thumbnail = ViewRect(x: 20, y: 50, width: 100, height: 100)
    let petronas = try transition(.petronas, thumbnail)
    #expect(petronas.full == ViewRect(x: 0, y: 52.25, width: 375, height: 562.5))
    #expect(prints(petronas.scale, as: 0.266667, decimals: 6))
    #expect(prints(petronas.mask.y, as: 93.75, decimals: 9))
    #expect(petronas.mask.width == 375)
    #expect(prints(petronas.mask.height, as: 375, decimals: 9))
    #expect(prints(petronas.maskRadius, as: 93.75, decimals: 9))
  }

  @Test func `a thumbnail can be larger than the full screen: pharmacy from a high one`() throws {
    let pharmacy = try transition(.pharmacy, ViewRect(x: 0, y: 0, width: 100, height: 200))
    #expect(prints(pharmacy.full.y, as: 258.128, decimals: 3))
    #expect(prints(pharmacy.full.height, as: 150.744, decimals: 3))
    #expect(prints(pharmacy.scale, as: 1.326751, decimals: 6))
    #expect(prints(pharmacy.mask.x, as: 149.814, decimals: 3))
    #expect(prints(pharmacy.mask.width, as: 75.372, decimals: 3))
    #expect(pharmacy.mask.height == pharmacy.full.height)
  }

  @Test(arguments: cases)
  func `TI-P1: the start transform maps the mask onto the thumbnail`(
    picture: SamplePicture, thumbnail: ViewRect
  ) throws {
    let it = try transition(picture, thumbnail)
    let size = ViewSize(width: it.full.width, height: it.full.height)
    let seen = it.start.transform(of: size).boundingBox(of: it.mask)
    #expect(isNear(seen, thumbnail))
    // The same by way of the transform that is set on a view in the full frame.
    var view = ViewLayer(frame: it.full)
    view.transform = it.startTransform
    #expect(isNear(view.toParent.boundingBox(of: it.mask), thumbnail))
  }

  @Test(arguments: cases)
  func `TI-P2 and TI-P3: the mask is the centred crop of the thumbnail's ratio`(
    picture: SamplePicture, thumbnail: ViewRect
  ) throws {
    let it = try transition(picture, thumbnail)
    #expect(it.mask.x >= 0 && it.mask.y >= 0)
    #expect(it.mask.maxX <= it.full.width && it.mask.maxY <= it.full.height)
    let ratio = it.mask.width / it.mask.height
    #expect(near(ratio * thumbnail.height / thumbnail.width, 1, within: 1e-12))
    #expect(it.mask.width == it.full.width || it.mask.height == it.full.height)
    #expect(near(it.mask.centre.x, it.bounds.centre.x, within: 1e-12))
    #expect(near(it.mask.centre.y, it.bounds.centre.y, within: 1e-12))
    #expect(
      it.scale == max(thumbnail.width / it.full.width, thumbnail.height / it.full.height))
    #expect(it.scale > 0)
  }

  @Test(arguments: cases)
  func `TI-P4: the corners have the thumbnail's radius on the screen`(
    picture: SamplePicture, thumbnail: ViewRect
  ) throws {
    for radius in [0, 1.0, 25, 49, 51, 1000] {
      let it = try transition(picture, thumbnail, radius: radius)
      #expect(near(it.maskRadius * it.scale, radius, within: 1e-9))
      let fits = it.maskRadius <= min(it.mask.width, it.mask.height) / 2
      #expect(fits == (radius <= min(thumbnail.width, thumbnail.height) / 2))
    }
  }

  @Test(arguments: cases)
  func `TI-P5: the mask opens from the crop to the whole frame without a jump, TI-B1 not`(
    picture: SamplePicture, thumbnail: ViewRect
  ) throws {
    let it = try transition(picture, thumbnail)
    #expect(try it.mask(openedBy: 0) == it.mask)
    #expect(try it.mask(openedBy: 1) == it.bounds)
    #expect(try it.radius(openedBy: 0) == it.maskRadius)
    #expect(try it.radius(openedBy: 1) == 0)
    var before = it.mask
    for step in 1...100 {
      let mask = try it.mask(openedBy: Double(step) / 100)
      #expect(mask.width - before.width <= it.full.width / 100 + 1e-9)
      #expect(mask.height - before.height <= it.full.height / 100 + 1e-9)
      #expect(mask.width >= before.width && mask.height >= before.height)
      before = mask
    }
  }

  @Test func `TI-P6: presenting and dismissing lead to each other's beginning`() throws {
    let it = try transition(.forest, ViewRect(x: 20, y: 50, width: 100, height: 100))
    let fit = try TransitionFit(picture: SamplePicture.forest.size(), screen: Screen(size: phone))
    let there = it.start.moved(towards: fit.fitted, by: 1)
    #expect(there == fit.fitted)
    #expect(there.moved(towards: it.start, by: 1) == it.start)
    let size = ViewSize(width: it.full.width, height: it.full.height)
    let frame = there.transform(of: size).boundingBox(of: it.bounds)
    #expect(isNear(frame, it.full))
  }

  @Test(arguments: SamplePicture.allCases)
  func `TI-P7: the full frame is centred, touches two sides and has the picture's ratio`(
    picture: SamplePicture
  ) throws {
    let size = try picture.size()
    for viewport in [phone, ViewSize(width: 667, height: 375), ViewSize(width: 1, height: 600)] {
      let full = try Transition(
        picture: size, viewport: viewport,
        thumbnail: ViewRect(x: 0, y: 0, width: 10, height: 10)
      ).full
      #expect(full.width == viewport.width || full.height == viewport.height)
      #expect(full.width <= viewport.width && full.height <= viewport.height)
      #expect(near(full.centre.x, viewport.width / 2, within: 1e-9))
      #expect(near(full.centre.y, viewport.height / 2, within: 1e-9))
      let ratio = Double(size.width) / Double(size.height)
      #expect(near(full.width / full.height / ratio, 1, within: 1e-12))
    }
  }

  @Test func `TI-B5 and TI-P15: an empty thumbnail and numbers that are none are refused`() throws {
    let good = ViewRect(x: 0, y: 0, width: 10, height: 10)
    for bad in [0, -1, Double.nan, .infinity] {
      #expect(throws: GeometryError.self) {
        try transition(.forest, ViewRect(x: 0, y: 0, width: 10, height: bad))
      }
      #expect(throws: GeometryError.self) {
        try transition(.forest, ViewRect(x: 0, y: 0, width: bad, height: 10))
      }
      #expect(throws: GeometryError.self) {
        try Transition(
          picture: PixelSize(width: 1, height: 1), viewport: ViewSize(width: bad, height: 10),
          thumbnail: good)
      }
    }
    #expect(throws: GeometryError.self) { try transition(.forest, good, radius: -1) }
    #expect(throws: GeometryError.self) { try transition(.forest, good, radius: .nan) }
    #expect(throws: GeometryError.self) {
      try transition(.forest, good).mask(openedBy: .nan)
    }
  }

  @Test func `TI-P15: pictures from one pixel to the largest have finite transitions`() throws {
    for width in [1, 100_000, PixelSize.maximumSide] {
      for height in [1, 100_000, PixelSize.maximumSide] {
        for side in [1e-6, 1, 375, 2e9] {
          let it = try Transition(
            picture: PixelSize(width: width, height: height), viewport: phone,
            thumbnail: ViewRect(x: -2e9, y: 2e9, width: side, height: 100), cornerRadius: 2e9)
          #expect(it.mask.isFinite && it.startTransform.isFinite && it.maskRadius.isFinite)
          #expect(it.scale > 0 && it.mask.width > 0 && it.mask.height > 0)
        }
      }
    }
  }

  @Test func `a mask is cut at its own side of the picture only`() throws {
    // Higher than forest's 4:3 and lower than petronas' 2:3, so that one side is seen whole and
    // the other is longer than that.
    let forest = try transition(.forest, ViewRect(x: 0, y: 0, width: 120, height: 100)).mask
    #expect(isNear(forest, ViewRect(x: 18.75, y: 0, width: 337.5, height: 281.25)))
    let petronas = try transition(.petronas, ViewRect(x: 0, y: 0, width: 100, height: 120)).mask
    #expect(isNear(petronas, ViewRect(x: 0, y: 56.25, width: 375, height: 450)))
  }

  @Test func `a share beyond the way counts as its end, and corners are square unless told`() throws
  {
    let it = try transition(.forest, ViewRect(x: 0, y: 0, width: 100, height: 100))
    for (share, end) in [(-0.5, 0.0), (-0x1p1000, 0), (1.5, 1), (0x1p1000, 1)] {
      #expect(try it.mask(openedBy: share) == it.mask(openedBy: end))
      #expect(try it.radius(openedBy: share) == it.radius(openedBy: end))
    }
    let square = try Transition(
      picture: SamplePicture.forest.size(), viewport: phone,
      thumbnail: ViewRect(x: 0, y: 0, width: 100, height: 100))
    #expect(square.cornerRadius == 0 && square.maskRadius == 0)
  }
}

/// Tells whether two rectangles are the same to a billionth of a point.
func isNear(_ one: ViewRect, _ other: ViewRect) -> Bool {
  near(one.x, other.x, within: 1e-9) && near(one.y, other.y, within: 1e-9)
    && near(one.width, other.width, within: 1e-9)
    && near(one.height, other.height, within: 1e-9)
}
