import Testing

@testable import ZoomGeometry

struct PictureLayerMapTests {
  /// 60 x 40 picture pixels from (7, 3) on 30 x 80 points: neither shape nor scale is the same on
  /// both axes.
  private let layer = PictureLayer(
    content: PictureRect(x: 7, y: 3, width: 60, height: 40),
    size: ViewSize(width: 30, height: 80), transform: .translation(x: 5, y: -4))

  @Test func `without a mask the whole layer is visible, with one what both hold`() {
    #expect(layer.visible == ViewRect(x: 0, y: 0, width: 30, height: 80))
    // A mask on a grid that reaches out on every side, against the two intervals by themselves.
    for x in [-9.0, 0, 4, 30, 31] {
      for y in [-9.0, 0, 6, 80, 81] {
        for (width, height) in [(2.0, 3.0), (9, 9), (60, 120)] {
          var masked = layer
          masked.mask = ViewRect(x: x, y: y, width: width, height: height)
          let (left, right) = ([0, x].max() ?? 0, [30, x + width].min() ?? 0)
          let (top, bottom) = ([0, y].max() ?? 0, [80, y + height].min() ?? 0)
          let shared = ViewRect(x: left, y: top, width: right - left, height: bottom - top)
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
        broken.mask = ViewRect(x: 0, y: 0, width: 1, height: 1)
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
    moved.mask = ViewRect(x: 0, y: .nan, width: 1, height: 1)
    #expect(moved.visible == nil)
  }

  @Test func `the content of a part is drawn on the part`() throws {
    let part = ViewRect(x: 10, y: 20, width: 5, height: 30)
    let content = layer.content(of: part)
    let map = try #require(layer.map(to: Screen(size: phone, scale: 2)))
    let drawn = map.boundingBox(
      of: ViewRect(x: content.x, y: content.y, width: content.width, height: content.height))
    #expect(near(drawn, ViewRect(x: 30, y: 32, width: 10, height: 60)))
  }

  @Test func `content is clipped to the picture, and left as it is if it is off by a rounding`()
    throws
  {
    let picture = try PixelSize(width: 50, height: 90)
    for x in [-20.0, -10, 0, 12, 49, 50] {
      for y in [-30.0, -20, 0, 12, 89, 90] {
        for (width, height) in [(10.0, 20.0), (38, 78), (90, 150)] {
          let rect = PictureRect(x: x, y: y, width: width, height: height)
          let (left, right) = ([0, x].max() ?? 0, [50, x + width].min() ?? 0)
          let (top, bottom) = ([0, y].max() ?? 0, [90, y + height].min() ?? 0)
          let shared = PictureRect(x: left, y: top, width: right - left, height: bottom - top)
          #expect(rect.clipped(to: picture) == (left < right && top < bottom ? shared : nil))
        }
      }
    }
    for share in [0.5, 1, 1.5] {
      let off = share * ExactMap.tolerance
      for rect in [
        PictureRect(x: -off, y: 0, width: 50, height: 90),
        PictureRect(x: 0, y: -off, width: 50, height: 90),
        PictureRect(x: 0, y: 0, width: 50 + off, height: 90),
        PictureRect(x: 0, y: 0, width: 50, height: 90 + off),
      ] {
        // The limit itself is still a rounding.
        #expect((rect.clipped(to: picture) == rect) == (share <= 1))
      }
    }
  }

  @Test func `pixels that a rectangle covers by no more than a thousandth are not touched`() throws
  {
    let screen = try Screen(size: ViewSize(width: 40, height: 90))
    let region = { (x: Int, y: Int, width: Int, height: Int) in
      PixelRegion(uncheckedX: x, y: y, width: width, height: height)
    }
    func touched(_ x: Double, _ y: Double, _ maxX: Double, _ maxY: Double) -> PixelRegion? {
      screen.touched(by: ViewRect(x: x, y: y, width: maxX - x, height: maxY - y))
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
    let fill = FillLayer(rect: ViewRect(x: 0, y: 0, width: 1, height: 1), shade: 0.5)
    #expect(fill.transform == .identity && fill.opacity == 1)
    #expect(fill.cornerRadius == 0 && fill.shadow == nil)
    let state = ZoomState(screen: try Screen(size: phone), layers: [])
    #expect(state.time == 0 && state.force == 0)
  }
}
