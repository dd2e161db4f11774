import Foundation
import Testing

@testable import ZoomGeometry

struct ScreenTests {
  @Test func `points times scale are pixels, rounded, and at least one`() throws {
    let plus = try Screen(size: ViewSize(414, 736), scale: 2.608)
    #expect(try plus.pixels == PixelSize(1080, 1919))
    #expect(try Screen(size: phone, scale: 2).pixels == PixelSize(750, 1334))
    #expect(try Screen(size: phone).pixels == PixelSize(375, 667))
    let speck = try Screen(size: ViewSize(1e-6, 0.4), scale: 1)
    #expect(try speck.pixels == PixelSize(1, 1))
    #expect(try Screen(size: phone).bounds == ViewRect(0, 0, 375, 667))
  }

  @Test(arguments: [0, -1, Double.nan, .infinity, 1e-7, 1e300])
  func `sides and scales that are no lengths are refused and named`(bad: Double) {
    expectRefused("screen.width") {
      try Screen(size: ViewSize(bad, 667))
    }
    expectRefused("screen.height") {
      try Screen(size: ViewSize(375, bad))
    }
    expectRefused("screen.scale") { try Screen(size: phone, scale: bad) }
  }

  @Test func `a screen of more pixels than the largest is refused, by the pixels it would have`()
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
  func `a place up to a limit is the nearest pixel's that is not beyond it`(scale: Double) throws {
    let screen = try Screen(size: phone, scale: scale)
    let pixels = (0...120).map { Double($0) / scale }
    // Limits on a pixel, and between two of them on either side of the middle.
    for limit in pixels[...100].flatMap({ [$0, $0 + 0.3 / scale, $0 + 0.7 / scale] }) {
      for place in [limit - 0.6 / scale, limit, limit + 5 / scale] where place > 0 {
        let free = pixels.filter { $0 <= limit }
        let nearest = try #require(free.min { abs($0 - place) < abs($1 - place) })
        #expect(screen.onPixel(place, upTo: limit) == nearest)
      }
    }
  }

  @Test(arguments: [1.0, 2, 3000])
  func `a whole number of pixels is one to a billionth, and none is not whole`(
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

  @Test func `a screen survives being stored, and its scale may be left out`() throws {
    let screen = try Screen(size: phone, scale: 3, insets: Self.notch)
    #expect(try stored(screen) == screen)
    let short = Data(#"{"width": 375, "height": 667}"#.utf8)
    #expect(try JSONDecoder().decode(Screen.self, from: short) == Screen(size: phone))
    let covered = Data(#"{"width": 375, "height": 667, "insets": {"bottom": 34}}"#.utf8)
    #expect(
      try JSONDecoder().decode(Screen.self, from: covered)
        == Screen(size: phone, insets: ViewInsets(bottom: 34)))
  }

  @Test(arguments: [
    #"{"width": 0, "height": 667}"#, #"{"width": 1e9, "height": 667}"#, #"{"width": 375}"#,
    #"{"width": 375, "height": 667, "scal": 2}"#, #"{"width": 375, "height": 667, "scale": -1}"#,
    #"{"width": 1e999, "height": 667}"#, "[]",
    #"{"width": 375, "height": 667, "insets": {"top": 400}}"#,
    #"{"width": 375, "height": 667, "insets": {"leading": 4}}"#,
  ])
  func `a stored screen is checked like any other`(text: String) {
    #expect(throws: DecodingError.self) { try decoded(Screen.self, text) }
  }

  static let notch = ViewInsets(top: 44, left: 10, bottom: 34, right: 20)

  @Test func `what the device covers is no safe area`() throws {
    let screen = try Screen(size: phone, insets: Self.notch)
    #expect(screen.safeArea == ViewRect(10, 44, 345, 589))
    #expect(try Screen(size: phone).safeArea == Screen(size: phone).bounds)
    let half = ViewInsets(top: 100, left: 187.5, bottom: 233.5, right: 0)
    #expect(try Screen(size: phone, insets: half).safeArea.width == 187.5)
  }

  static let coverings: [(ViewInsets, String, String)] = [
    (ViewInsets(top: -1), "screen.insets.top", "-1.0 is negative"),
    (ViewInsets(left: -1), "screen.insets.left", "-1.0 is negative"),
    (ViewInsets(bottom: .nan), "screen.insets.bottom", "nan is not finite"),
    (ViewInsets(right: .infinity), "screen.insets.right", "inf is not finite"),
    (
      ViewInsets(top: 200, bottom: 134), "screen.insets",
      "334.0 leave less than half of the screen's height"
    ),
    (
      ViewInsets(left: 100, right: 88), "screen.insets",
      "188.0 leave less than half of the screen's width"
    ),
  ]

  @Test(arguments: coverings)
  func `insets that are none, or leave no room to touch, are refused`(
    insets: ViewInsets, argument: String, message: String
  ) {
    let error = #expect(throws: GeometryError.self) { try Screen(size: phone, insets: insets) }
    #expect(error?.description == "\(argument): \(message)")
  }

  @Test func `what a system places by itself lies in the safe area`() throws {
    // Peek: forest in 345 x 589 points is 258.75 high, in the middle of them.
    let shown = ViewRect(10, 44 + (589 - 258.75) / 2, 345, 258.75)
    let peek = try play(.peek, [finger(0, .began, 5, 300)], insets: Self.notch)
    #expect(peek.lastBox == shown && peek.happened == [.rejectedTouch])
    let frame = try play(.peek, [finger(0, .began, 10, shown.y)], insets: Self.notch)
      .last?.previewFrame
    #expect(frame?.x == 10 && frame?.y == shown.y)
    // Full screen: a square of half of 345 in its middle.
    let inline = try play(.fullscreen, [], insets: Self.notch).first?.fills(0)
    #expect(inline == [ViewRect(96.25, 252.25, 172.5, 172.5)])
    // Force: 200 x 200 in its middle, (182.5, 338.5).
    let force = try play(.force, [], picture: PixelSize(600, 600), insets: Self.notch)
    #expect(force.lastBox == ViewRect(82.5, 238.5, 200, 200))
  }

  @Test(arguments: [(LayoutDirection.leftToRight, 30.0), (.rightToLeft, 235)])
  func `the thumbnail is at the side from which the page is read`(
    direction: LayoutDirection, x: Double
  ) throws {
    let stage = Stage(direction: direction)
    let box = try play(.transition, [], insets: Self.notch, stage: stage).lastBox
    #expect(box.map { near($0, ViewRect(x, 94, 100, 100)) } == true)
    let small = try Screen(size: ViewSize(60, 150))
    // Half of its size and margins, for 60 is half of 120.
    let left = direction == .leftToRight ? 10.0 : 0
    #expect(Transition.usualThumbnail(on: small, direction) == ViewRect(left, 25, 50, 50))
  }
}
