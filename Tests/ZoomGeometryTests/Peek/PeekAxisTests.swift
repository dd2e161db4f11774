import Testing
import ZoomGeometry

/// The integer crop beside the exact one (FZ-P15, FZ-B12).
struct PeekAxisTests {
  /// One axis of a peek: where the exact and the integer crop begin, and how long they are.
  struct Axis {
    let origin: Double
    let length: Double
    let firstPixel: Int
    let pixels: Int
  }

  func axes(_ peek: Peek) -> [Axis] {
    let (exact, region) = (peek.exact, peek.region)
    return [
      Axis(
        origin: exact.x, length: exact.width, firstPixel: region.x, pixels: region.width),
      Axis(
        origin: exact.y, length: exact.height, firstPixel: region.y, pixels: region.height),
    ]
  }

  @Test func `FZ-P15: the integer crop begins within half a pixel of the exact one`() throws {
    let broken = try PeekCase.counterexample { test in
      axes(test.peek).allSatisfy { axis in
        let distance = abs(Double(axis.firstPixel) - axis.origin)
        // A single pixel is the touched one, wherever in it the touch is: it begins less than one
        // pixel before the touch, and the exact crop, shorter than 1.5, at most 0.75 before it.
        return axis.pixels == 1 && axis.length != 1 ? distance < 1 : distance <= 0.5
      }
    }
    #expect(broken == nil)
  }

  @Test func `FZ-P15: the integer crop is as long as the exact one, rounded, and never empty`()
    throws
  {
    let broken = try PeekCase.counterexample { test in
      axes(test.peek).allSatisfy { axis in
        if axis.length < 0.5 { return axis.pixels == 1 }
        return abs(Double(axis.pixels) - axis.length) <= 0.5
      }
    }
    #expect(broken == nil)
  }

  /// A peek of `side` pixels at a place of a picture that fits its viewport one to one.
  func region(side: Double, at x: Double, _ y: Double) throws -> PixelRegion {
    let setup = try PeekSetup(
      picture: PixelSize(width: 1000, height: 1000),
      viewport: ViewSize(width: 1000, height: 1000), side: side)
    return try #require(try setup.peek(at: ViewPoint(x: x, y: y))).region
  }

  static let origins: [(Double, Int)] = [
    (2, 1), (2.25, 1), (2.5, 2), (2.75, 2), (3, 2), (1.4999999999999998, 0), (1.5, 1),
  ]

  @Test(arguments: origins)
  func `FZ-B12: an origin half-way between two pixels rounds up`(touch: Double, first: Int) throws {
    // The crop is two pixels long, so its exact origin is the touch less 1.
    #expect(try region(side: 2, at: touch, 500).x == first)
    #expect(try region(side: 2, at: 500, touch).y == first)
  }

  static let lengths: [(Double, Int)] = [
    (0.1, 1), (0.5, 1), (1.4, 1), (1.5, 2), (2.5, 3), (375.4, 375), (375.5, 376),
  ]

  @Test(arguments: lengths)
  func `a length half-way between two pixels rounds up, and none becomes one`(
    side: Double, pixels: Int
  ) throws {
    #expect(try region(side: side, at: 500, 500).width == pixels)
  }

  @Test(arguments: [0.1, 0.6, 1.0, 1.4])
  func `a crop of one pixel is the touched pixel`(side: Double) throws {
    let touched: [(Double, Int)] = [
      (4, 4), (4.19, 4), (4.99, 4), (999.5, 999), (1000, 999), (0, 0),
    ]
    for (touch, pixel) in touched {
      #expect(try region(side: side, at: touch, 500).x == pixel, "\(touch)")
    }
  }

  @Test func `a rounded length does not push the crop out of the picture`() throws {
    // Exact: 624.5 ... 1000. Rounded half up, 376 pixels from 625 would end at 1001.
    let region = try region(side: 375.5, at: 1000, 1000)
    #expect(region == (try PixelRegion(x: 624, y: 624, width: 376, height: 376)))
  }
}
