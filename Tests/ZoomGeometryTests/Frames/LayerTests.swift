import Foundation
import Testing

@testable import ZoomGeometry

struct LayerTests {
  @Test func `a whole picture fills its frame`() throws {
    let picture = try PixelSize(1600, 1200)
    let frame = ViewRect(20, 30, 160, 240)
    let layer = PictureLayer(whole: picture, in: frame)
    #expect(layer.content == PictureRect(0, 0, 1600, 1200))
    #expect(layer.transform.boundingBox(of: layer.seen) == frame)
    #expect(layer.opacity == 1 && layer.cornerRadius == 0 && layer.shadow == nil)
  }

  @Test func `what is seen is the mask, or everything`() throws {
    var layer = PictureLayer(whole: try PixelSize(3, 2), in: ViewRect(5, 6, 30, 20))
    #expect(layer.seen == ViewRect(0, 0, 30, 20))
    layer.mask = ViewRect(1, 2, 3, 4)
    #expect(layer.seen == ViewRect(1, 2, 3, 4))
  }

  @Test func `layers survive being stored`() throws {
    let rect = ViewRect(1, 2, 3, 4)
    let shadow = Shadow(offset: ViewPoint(6.6, 6.6), radius: 10, opacity: 0.8)
    let layers: [Layer] = [
      .picture(
        PictureLayer(
          content: PictureRect(1, 2, 3, 4),
          size: ViewSize(5, 6), transform: .rotation(0.4), mask: rect,
          cornerRadius: 7, opacity: 0.5, shadow: shadow)),
      .fill(FillLayer(rect: rect, shade: 0.2, opacity: 0.3, cornerRadius: 4, shadow: shadow)),
      .outline(OutlineLayer(rect: rect, width: 2, shade: 1, shadow: shadow)),
    ]
    #expect(try stored(layers) == layers)
  }
}

struct LayerFiniteTests {
  static let bad = [Double.nan, .infinity, -.infinity]
  static let rect = ViewRect(1, 2, 3, 4)
  static let shadow = Shadow(offset: ViewPoint(1, 1), radius: 2, opacity: 1)

  private let plain = PictureLayer(
    content: PictureRect(1, 2, 3, 4), size: ViewSize(3, 4), transform: .identity)

  /// Expects that a layer is finite, and is not with any of its numbers bad.
  func check<Value>(
    _ value: Value, _ paths: [WritableKeyPath<Value, Double>], as layer: (Value) -> Layer
  ) {
    #expect(layer(value).isFinite)
    for path in paths {
      for number in Self.bad {
        var changed = value
        changed[keyPath: path] = number
        #expect(!layer(changed).isFinite, "\(path)")
      }
    }
  }

  @Test func `a picture with any number that is not finite is not`() {
    check(
      plain,
      [
        \.content.x, \.content.y, \.content.width, \.content.height, \.size.width, \.size.height,
        \.transform.a, \.transform.ty, \.cornerRadius, \.opacity,
      ], as: Layer.picture)
    for number in Self.bad {
      var masked = plain
      masked.mask = ViewRect(0, 0, 1, number)
      #expect(!Layer.picture(masked).isFinite)
      // A mask does not hide a size that is not finite.
      masked.mask = Self.rect
      #expect(Layer.picture(masked).isFinite)
      for side in [\ViewSize.width, \.height] {
        var endless = masked
        endless.size[keyPath: side] = number
        #expect(!Layer.picture(endless).isFinite)
      }
    }
  }

  @Test func `a fill with any number that is not finite is not`() {
    check(
      FillLayer(rect: Self.rect, shade: 0),
      [
        \.rect.x, \.rect.y, \.rect.width, \.rect.height, \.shade, \.opacity, \.cornerRadius,
      ], as: Layer.fill)
  }

  @Test func `an outline with any number that is not finite is not`() {
    check(
      OutlineLayer(rect: Self.rect, width: 1, shade: 0),
      [\.rect.x, \.rect.y, \.rect.width, \.rect.height, \.width, \.shade], as: Layer.outline)
  }

  @Test func `nor is a layer with such a shadow`() {
    let paths: [WritableKeyPath<Shadow, Double>] = [\.offset.x, \.offset.y, \.radius, \.opacity]
    check(Self.shadow, paths) { .fill(FillLayer(rect: Self.rect, shade: 0, shadow: $0)) }
    check(Self.shadow, paths) {
      .outline(OutlineLayer(rect: Self.rect, width: 1, shade: 0, shadow: $0))
    }
    check(Self.shadow, paths) { shadow in
      var layer = plain
      layer.shadow = shadow
      return .picture(layer)
    }
  }
}

struct ZoomStateTests {
  func state(_ layers: [Layer], time: Double = 0, force: Double = 0) throws -> ZoomState {
    ZoomState(
      time: time, screen: try Screen(size: phone), layers: layers, recogniser: .began,
      force: force, events: [.peek, .pop])
  }

  func picture(_ x: Double) throws -> PictureLayer {
    let frame = ViewRect(x, 0, 3, 3)
    return PictureLayer(whole: try PixelSize(3, 3), in: frame)
  }

  func outline(_ x: Double) -> Layer {
    .outline(OutlineLayer(rect: ViewRect(x, 0, 1, 1), width: 1, shade: 1))
  }

  @Test func `the topmost picture and outline are the last ones`() throws {
    let fill = Layer.fill(FillLayer(rect: ViewRect(0, 0, 1, 1), shade: 0))
    let layers: [Layer] = [
      .picture(try picture(1)), outline(1), .picture(try picture(2)), outline(2), fill,
    ]
    let state = try state(layers)
    #expect(state.picture == (try picture(2)))
    #expect(state.previewFrame?.x == 2)
    #expect(try self.state([fill]).picture == nil)
    #expect(try self.state([fill]).previewFrame == nil)
  }

  @Test func `a number that is not finite anywhere makes the state so`() throws {
    #expect(try state([outline(1)]).isFinite)
    #expect(try !state([outline(.nan)]).isFinite)
    #expect(try !state([], time: .infinity).isFinite)
    #expect(try !state([], force: .nan).isFinite)
  }

  @Test func `gestures are over when ended, cancelled or failed`() {
    #expect(RecogniserState.allCases.filter(\.isTerminal) == [.ended, .cancelled, .failed])
  }

  @Test func `a state survives being stored`() throws {
    let state = try state([.picture(try picture(1)), outline(2)], time: 1.5, force: 0.25)
    #expect(try stored(state) == state)
  }
}

struct PictureLayerMapTests {
  /// 60 x 40 picture pixels from (7, 3) on 30 x 80 points: neither shape nor scale is the same on
  /// both axes.
  private let layer = PictureLayer(
    content: PictureRect(7, 3, 60, 40),
    size: ViewSize(30, 80), transform: .translation(x: 5, y: -4))

  @Test func `without a mask the whole layer is visible, with one what both hold`() {
    #expect(layer.visible == ViewRect(0, 0, 30, 80))
    // A mask on a grid that reaches out on every side, against the two intervals by themselves.
    for x in [-9.0, 0, 4, 30, 31] {
      for y in [-9.0, 0, 6, 80, 81] {
        for (width, height) in [(2.0, 3.0), (9, 9), (60, 120)] {
          var masked = layer
          masked.mask = ViewRect(x, y, width, height)
          let (left, right) = ([0, x].max() ?? 0, [30, x + width].min() ?? 0)
          let (top, bottom) = ([0, y].max() ?? 0, [80, y + height].min() ?? 0)
          let shared = ViewRect(left, top, right - left, bottom - top)
          #expect(masked.visible == (left < right && top < bottom ? shared : nil))
        }
      }
    }
  }

  @Test func `numbers that nothing can be drawn with make a layer invisible`() {
    let changes: [(inout PictureLayer, Double) -> Void] = [
      { $0.content.width = $1 }, { $0.content.height = $1 }, { $0.size.width = $1 },
      { $0.size.height = $1 },
    ]
    for change in changes {
      for bad in [0, -1, -0.5, Double.nan, .infinity] {
        var broken = layer
        // So that a size that is infinite is not seen to be by what is seen of it.
        broken.mask = ViewRect(0, 0, 1, 1)
        change(&broken, bad)
        #expect(broken.visible == nil)
      }
      var small = layer
      change(&small, 0.25)
      #expect(small.visible != nil)
    }
    var moved = layer
    moved.transform.tx = .nan
    #expect(moved.visible == nil)
    moved = layer
    moved.content.x = .infinity
    #expect(moved.visible == nil)
    moved = layer
    moved.mask = ViewRect(0, .nan, 1, 1)
    #expect(moved.visible == nil)
  }

  @Test func `the content of a part is drawn on the part`() throws {
    let part = ViewRect(10, 20, 5, 30)
    let content = layer.content(of: part)
    let map = try #require(layer.map(to: Screen(size: phone, scale: 2)))
    let drawn = map.boundingBox(of: ViewRect(content.x, content.y, content.width, content.height))
    #expect(near(drawn, ViewRect(30, 32, 10, 60)))
  }

  @Test func `content is clipped to the picture, and left as it is if it is off by a rounding`()
    throws
  {
    let picture = try PixelSize(50, 90)
    for x in [-20.0, -10, 0, 12, 49, 50] {
      for y in [-30.0, -20, 0, 12, 89, 90] {
        for (width, height) in [(10.0, 20.0), (38, 78), (90, 150)] {
          let rect = PictureRect(x, y, width, height)
          let (left, right) = ([0, x].max() ?? 0, [50, x + width].min() ?? 0)
          let (top, bottom) = ([0, y].max() ?? 0, [90, y + height].min() ?? 0)
          let shared = PictureRect(left, top, right - left, bottom - top)
          #expect(rect.clipped(to: picture) == (left < right && top < bottom ? shared : nil))
        }
      }
    }
    for share in [0.5, 1, 1.5] {
      let off = share * ExactMap.tolerance
      for rect in [
        PictureRect(-off, 0, 50, 90),
        PictureRect(0, -off, 50, 90),
        PictureRect(0, 0, 50 + off, 90),
        PictureRect(0, 0, 50, 90 + off),
      ] {
        // The limit itself is still a rounding.
        #expect((rect.clipped(to: picture) == rect) == (share <= 1))
      }
    }
  }

  @Test func `pixels that a rectangle covers by no more than a thousandth are not touched`() throws
  {
    let screen = try Screen(size: ViewSize(40, 90))
    let region = { (x: Int, y: Int, width: Int, height: Int) in
      PixelRegion(x, y, width, height)
    }
    func touched(_ x: Double, _ y: Double, _ maxX: Double, _ maxY: Double) -> PixelRegion? {
      screen.touched(by: ViewRect(x, y, maxX - x, maxY - y))
    }
    #expect(touched(3, 5, 8, 11) == region(3, 5, 5, 6))
    #expect(touched(2.9995, 4.9995, 8.0005, 11.0005) == region(3, 5, 5, 6))
    #expect(touched(2.998, 4.998, 8.002, 11.002) == region(2, 4, 7, 8))
    // The limit is 1/1024 exactly, which is none; 1/1023.5 is just more.
    let (limit, more) = (1.0 / 1024, 1 / 1023.5)
    #expect(touched(3 - limit, 5 - limit, 8 + limit, 11 + limit) == region(3, 5, 5, 6))
    #expect(touched(3 - more, 5 - more, 8 + more, 11 + more) == region(2, 4, 7, 8))
    // Less than a half of a pixel is touched too.
    #expect(touched(3.8, 5.8, 8.2, 11.2) == region(3, 5, 6, 7))
    #expect(touched(-7, -9, 400, 900) == region(0, 0, 40, 90))
    for (x, y, maxX, maxY) in [
      (-9.0, 5.0, 0.0, 9.0), (40, 5, 50, 9), (5, -9, 9, 0), (5, 90, 9, 99), (5, 5, 5, 5),
    ] {
      #expect(touched(x, y, maxX, maxY) == nil)
    }
  }

  @Test func `what is left out of a layer or a state is nothing special`() throws {
    let fill = FillLayer(rect: ViewRect(0, 0, 1, 1), shade: 0.5)
    #expect(fill.transform == .identity && fill.opacity == 1)
    #expect(fill.cornerRadius == 0 && fill.shadow == nil)
    let state = ZoomState(screen: try Screen(size: phone), layers: [])
    #expect(state.time == 0 && state.force == 0)
  }
}
