import Testing

@testable import ZoomGeometry

struct AffineTests {
  @Test func `turns add as their maps do, exactly`() {
    for first in QuarterTurn.allCases {
      for second in QuarterTurn.allCases {
        #expect(Affine.turn(first).then(.turn(second)) == .turn(first + second))
      }
    }
  }

  @Test func `a map that flattens, overflows or is not a number has no inverse`() {
    #expect(Affine.scale(0).inverted() == nil)
    #expect(Affine(a: 1, b: 2, c: 2, d: 4, tx: 0, ty: 0).inverted() == nil)
    #expect(Affine.scale(.nan).inverted() == nil)
    #expect(Affine.scale(.infinity).inverted() == nil)
    #expect(Affine.scale(1e-200).inverted() == nil)
    #expect(Affine(a: 1e-100, b: 0, c: 0, d: 1e-100, tx: 1e300, ty: 0).inverted() == nil)
  }
}

struct ViewLayerTests {
  let frame = ViewRect(20, 30, 100, 50)

  @Test(arguments: QuarterTurn.allCases)
  func `a turned layer whose frame is set has exactly that frame`(turn: QuarterTurn) {
    var layer = ViewLayer(frame: ViewRect(1, 2, 3, 4), boundsOrigin: ViewPoint(5, 6))
    layer.transform = .turn(turn)
    layer.anchor = ViewPoint(0.25, 1)
    layer.setFrame(frame)
    #expect(layer.frame == frame)
    #expect(layer.size == ViewSize(100, 50).turned(by: turn))
  }

  @Test func `without an inverse the size stays, and nothing is NaN`() {
    var layer = ViewLayer(frame: ViewRect(1, 2, 3, 4))
    layer.transform = .scale(0)
    layer.setFrame(frame)
    #expect(layer.size == ViewSize(3, 4))
    #expect(layer.frame == ViewRect(20, 30, 0, 0))
  }
}

struct RectTests {
  @Test func `a rectangle contains its border, nothing beside it, and no NaN`() {
    let rect = ViewRect(10, 20, 30, 5)
    for x in [10.0, 25, 40] {
      for y in [20.0, 22, 25] { #expect(rect.contains(ViewPoint(x, y))) }
    }
    for (x, y) in [(9.5, 22.0), (40.5, 22), (25, 19.5), (25, 25.5), (.nan, 22), (25, .nan)] {
      #expect(!rect.contains(ViewPoint(x, y)))
    }
  }
}

struct AspectFitTests {
  @Test func `a side that limits the scale is filled to the last bit`() throws {
    let turned = phone.turned(by: .clockwise)
    let wide = AspectFit(picture: try PixelSize(700, 3), viewport: turned).frame
    #expect(wide.x == 0 && wide.width == 667)
    let high = AspectFit(picture: try PixelSize(3, 700), viewport: phone).frame
    #expect(high.y == 0 && high.height == 667)
  }

  @Test func `the frame is never larger than the viewport, however the product rounds`() throws {
    // In viewports of the picture's shape, both sides fit, apart from rounding.
    let isLarger = try [0.1, 0.3, 0.7, 1.1, 1.7, 2.3].contains { scale in
      try (1...60).contains { width in
        try (1...60).contains { height in
          let viewport = ViewSize(Double(width) * scale, Double(height) * scale)
          let frame = AspectFit(picture: try PixelSize(width, height), viewport: viewport).frame
          return frame.width > viewport.width || frame.height > viewport.height
            || frame.x < 0 || frame.y < 0
        }
      }
    }
    #expect(!isLarger)
  }
}

struct ClampTests {
  @Test func `clamping NaN traps`() async {
    await #expect(processExitsWith: .failure) { _ = Double.nan.clamped(to: 0...1) }
  }
}

struct GeometryErrorTests {
  @Test func `two errors about NaN are equal`() throws {
    let setup = try PeekSetup(picture: forest, viewport: phone)
    let touch = ViewPoint(.nan, 0)
    let first = #expect(throws: GeometryError.self) { try setup.peek(at: touch) }
    let second = #expect(throws: GeometryError.self) { try setup.peek(at: touch) }
    #expect(first != nil && first == second)
  }
}
