import Testing

@testable import ZoomGeometry

struct LayerFiniteTests {
  static let rect = ViewRect(1, 2, 3, 4)

  /// Expects that a layer is finite, and no longer is if one of its numbers becomes NaN or infinite.
  func check<Value>(
    _ value: Value, _ paths: [WritableKeyPath<Value, Double>], as layer: (Value) -> Layer
  ) {
    #expect(layer(value).isFinite)
    for path in paths {
      for number in [Double.nan, .infinity, -.infinity] {
        var changed = value
        changed[keyPath: path] = number
        #expect(!layer(changed).isFinite, "\(path)")
      }
    }
  }

  @Test func `a layer with any number that is not finite is not finite`() {
    var picture = PictureLayer(
      content: PictureRect(1, 2, 3, 4), size: ViewSize(3, 4), transform: .identity)
    let numbers: [WritableKeyPath<PictureLayer, Double>] = [
      \.content.x, \.content.y, \.content.width, \.content.height, \.size.width, \.size.height,
      \.transform.a, \.transform.b, \.transform.c, \.transform.d, \.transform.tx, \.transform.ty,
      \.cornerRadius, \.opacity,
    ]
    check(picture, numbers, as: Layer.picture)
    // A mask does not hide a size that is not finite.
    picture.mask = Self.rect
    check(picture, numbers, as: Layer.picture)
    check(
      FillLayer(rect: Self.rect, shade: 0),
      [\.rect.x, \.rect.y, \.rect.width, \.rect.height, \.shade, \.opacity, \.cornerRadius],
      as: Layer.fill)
    check(
      OutlineLayer(rect: Self.rect, width: 1, shade: 0),
      [\.rect.x, \.rect.y, \.rect.width, \.rect.height, \.width, \.shade], as: Layer.outline)
    check(Self.rect, [\.x, \.y, \.width, \.height]) { mask in
      picture.mask = mask
      return .picture(picture)
    }
    picture.mask = nil
    let shadow = Shadow(offset: ViewPoint(1, 1), radius: 2, opacity: 1)
    for layer: (Shadow) -> Layer in [
      { .fill(FillLayer(rect: Self.rect, shade: 0, shadow: $0)) },
      { .outline(OutlineLayer(rect: Self.rect, width: 1, shade: 0, shadow: $0)) },
      { shadow in
        picture.shadow = shadow
        return .picture(picture)
      },
    ] { check(shadow, [\.offset.x, \.offset.y, \.radius, \.opacity], as: layer) }
  }
}

struct ZoomStateTests {
  @Test func `a state with a number that is not finite is not finite`() throws {
    let layer = Layer.outline(OutlineLayer(rect: ViewRect(.nan, 0, 1, 1), width: 1, shade: 1))
    let screen = try Screen(size: phone)
    #expect(ZoomState(screen: screen, layers: []).isFinite)
    #expect(!ZoomState(screen: screen, layers: [layer]).isFinite)
    #expect(!ZoomState(time: .infinity, screen: screen, layers: []).isFinite)
    #expect(!ZoomState(screen: screen, layers: [], force: .nan).isFinite)
  }
}

struct PictureLayerMapTests {
  /// A layer of 60 x 40 picture pixels from (7, 3) on 30 x 80 points: shape and scale differ on the
  /// axes.
  private let layer = PictureLayer(
    content: PictureRect(7, 3, 60, 40),
    size: ViewSize(30, 80), transform: .translation(x: 5, y: -4))

  @Test(
    arguments: [
      (nil, ViewRect(0, 0, 30, 80)), (ViewRect(4, 6, 2, 3), ViewRect(4, 6, 2, 3)),
      (ViewRect(-9, -8, 20, 30), ViewRect(0, 0, 11, 22)),
      (ViewRect(20, 70, 60, 120), ViewRect(20, 70, 10, 10)), (ViewRect(-9, 6, 9, 9), nil),
      (ViewRect(30, 6, 9, 9), nil), (ViewRect(4, -9, 9, 9), nil), (ViewRect(4, 80, 9, 9), nil),
    ] as [(ViewRect?, ViewRect?)])
  func `the part of a layer inside its mask is visible`(mask: ViewRect?, part: ViewRect?) {
    var masked = layer
    masked.mask = mask
    #expect(masked.visible == part)
  }

  @Test func `the picture pixels returned for a part of a layer are the ones drawn there`() throws {
    let content = layer.content(of: ViewRect(10, 20, 5, 30))
    let map = try #require(layer.map(to: Screen(size: phone, scale: 2)))
    let drawn = map.boundingBox(of: ViewRect(content.x, content.y, content.width, content.height))
    #expect(near(drawn, ViewRect(30, 32, 10, 60)))
  }

  @Test func `pixels that a rectangle covers by at most a 1024th are not touched`() throws {
    let screen = try Screen(size: ViewSize(40, 90))
    func touched(_ x: Double, _ y: Double, _ maxX: Double, _ maxY: Double) -> PixelRegion? {
      screen.touched(by: ViewRect(x, y, maxX - x, maxY - y))
    }
    #expect(touched(3, 5, 8, 11) == PixelRegion(3, 5, 5, 6))
    #expect(touched(2.9995, 4.9995, 8.0005, 11.0005) == PixelRegion(3, 5, 5, 6))
    #expect(touched(2.998, 4.998, 8.002, 11.002) == PixelRegion(2, 4, 7, 8))
    // A pixel that is covered by exactly 1/1024 is not touched; one covered by 1/1023.5 is.
    let (limit, more) = (1.0 / 1024, 1 / 1023.5)
    #expect(touched(3 - limit, 5 - limit, 8 + limit, 11 + limit) == PixelRegion(3, 5, 5, 6))
    #expect(touched(3 - more, 5 - more, 8 + more, 11 + more) == PixelRegion(2, 4, 7, 8))
    // Pixels that are covered by less than half are touched, too.
    #expect(touched(3.8, 5.8, 8.2, 11.2) == PixelRegion(3, 5, 6, 7))
    #expect(touched(-7, -9, 400, 900) == PixelRegion(0, 0, 40, 90))
    for (x, y, maxX, maxY) in [
      (-9.0, 5.0, 0.0, 9.0), (40, 5, 50, 9), (5, -9, 9, 0), (5, 90, 9, 99), (5, 5, 5, 5),
    ] {
      #expect(touched(x, y, maxX, maxY) == nil)
    }
  }
}

struct ScreenTests {
  @Test func `points times scale are pixels, rounded, and at least one`() throws {
    let plus = try Screen(size: ViewSize(414, 736), scale: 2.608)
    #expect(try plus.pixels == PixelSize(1080, 1919))
    #expect(try Screen(size: phone, scale: 2).pixels == PixelSize(750, 1334))
    #expect(try Screen(size: phone).pixels == PixelSize(375, 667))
    let speck = try Screen(size: ViewSize(1e-6, 0.4), scale: 1)
    #expect(try speck.pixels == PixelSize(1, 1))
  }

  @Test func `a screen with a side of more pixels than allowed is refused, and the side named`()
    throws
  {
    let side = Double(Screen.maximumSide)
    #expect(throws: Never.self) { try Screen(size: ViewSize(side, side)) }
    expectRefused("screen.width * scale", .tooLarge(limit: 32768)) {
      try Screen(size: ViewSize(side + 1, 1))
    }
    expectRefused("screen.height * scale") {
      try Screen(size: ViewSize(1, side / 2), scale: 2.1)
    }
    #expect(throws: Never.self) { try Screen(size: ViewSize(2 * side, 2), scale: 0.5) }
  }

  @Test(arguments: [1.0, 2, 2.625, 3, 49])
  func `a place moves to the nearest pixel edge that is not beyond a limit`(scale: Double) throws {
    let screen = try Screen(size: phone, scale: scale)
    let pixels = (0...120).map { Double($0) / scale }
    // Limits on a pixel edge, and between two edges on either side of their middle.
    for limit in pixels[...100].flatMap({ [$0, $0 + 0.3 / scale, $0 + 0.7 / scale] }) {
      for place in [limit - 0.6 / scale, limit, limit + 5 / scale] where place > 0 {
        let free = pixels.filter { $0 <= limit }
        let nearest = try #require(free.min { abs($0 - place) < abs($1 - place) })
        #expect(screen.onPixel(place, upTo: limit) == nearest)
      }
    }
  }

  @Test(arguments: [1.0, 2, 3000])
  func `a number within a billionth of whole pixels counts as whole, but 0 and less do not`(
    pixels: Double
  ) throws {
    let screen = try Screen(size: phone, scale: 2)
    for share in [1 - 5e-10, 1, 1 + 5e-10] {
      #expect(screen.showsWhole(pixelOf: pixels / 2 * share))
    }
    for share in [0, 1 - 2e-9, 1 + 2e-9, -1] {
      #expect(!screen.showsWhole(pixelOf: pixels / 2 * share))
    }
  }

  @Test func `the safe area is what the device leaves free`() throws {
    let notch = ViewInsets(top: 44, left: 10, bottom: 34, right: 20)
    let screen = try Screen(size: phone, insets: notch)
    #expect(screen.safeArea == ViewRect(10, 44, 345, 589))
    #expect(try Screen(size: phone).safeArea == Screen(size: phone).bounds)
    let half = ViewInsets(top: 100, left: 187.5, bottom: 233.5, right: 0)
    #expect(try Screen(size: phone, insets: half).safeArea.width == 187.5)
  }

  @Test(arguments: [
    (ViewInsets(top: 200, bottom: 134), "334.0 leave less than half of the screen's height"),
    (ViewInsets(left: 100, right: 88), "188.0 leave less than half of the screen's width"),
  ])
  func `insets that leave less than half of a side are refused`(
    insets: ViewInsets, message: String
  ) {
    let error = #expect(throws: GeometryError.self) { try Screen(size: phone, insets: insets) }
    #expect(error?.description == "screen.insets: \(message)")
  }
}
