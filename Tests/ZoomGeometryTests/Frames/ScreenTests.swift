import Foundation
import Testing
import ZoomGeometry

struct ScreenTests {
  @Test func `points times scale are pixels, rounded, and at least one`() throws {
    let plus = try Screen(size: ViewSize(width: 414, height: 736), scale: 2.608)
    #expect(try plus.pixels == PixelSize(width: 1080, height: 1919))
    #expect(try Screen(size: phone, scale: 2).pixels == PixelSize(width: 750, height: 1334))
    #expect(try Screen(size: phone).pixels == PixelSize(width: 375, height: 667))
    let speck = try Screen(size: ViewSize(width: 1e-6, height: 0.4), scale: 1)
    #expect(try speck.pixels == PixelSize(width: 1, height: 1))
    #expect(try Screen(size: phone).bounds == ViewRect(x: 0, y: 0, width: 375, height: 667))
  }

  @Test(arguments: [0, -1, Double.nan, .infinity, 1e-7, 1e300])
  func `sides and scales that are no lengths are refused and named`(bad: Double) {
    let width = #expect(throws: GeometryError.self) {
      try Screen(size: ViewSize(width: bad, height: 667))
    }
    #expect(width?.argument == "screen.width")
    let height = #expect(throws: GeometryError.self) {
      try Screen(size: ViewSize(width: 375, height: bad))
    }
    #expect(height?.argument == "screen.height")
    let scale = #expect(throws: GeometryError.self) { try Screen(size: phone, scale: bad) }
    #expect(scale?.argument == "screen.scale")
  }

  @Test func `a screen of more pixels than the largest is refused, by the pixels it would have`()
    throws
  {
    let side = Double(Screen.maximumSide)
    #expect(throws: Never.self) { try Screen(size: ViewSize(width: side, height: side)) }
    let wide = #expect(throws: GeometryError.self) {
      try Screen(size: ViewSize(width: side + 1, height: 1))
    }
    #expect(wide?.argument == "screen.width * scale")
    #expect(wide?.reason == .tooLarge(limit: 32768))
    let sharp = #expect(throws: GeometryError.self) {
      try Screen(size: ViewSize(width: 1, height: side / 2), scale: 2.1)
    }
    #expect(sharp?.argument == "screen.height * scale")
    #expect(throws: Never.self) {
      try Screen(size: ViewSize(width: 2 * side, height: 2), scale: 0.5)
    }
  }

  @Test func `a screen survives being stored, and its scale may be left out`() throws {
    let screen = try Screen(size: phone, scale: 3)
    let stored = try JSONEncoder().encode(screen)
    #expect(try JSONDecoder().decode(Screen.self, from: stored) == screen)
    let short = Data(#"{"width": 375, "height": 667}"#.utf8)
    #expect(try JSONDecoder().decode(Screen.self, from: short) == Screen(size: phone))
  }

  @Test(arguments: [
    #"{"width": 0, "height": 667}"#, #"{"width": 1e9, "height": 667}"#, #"{"width": 375}"#,
    #"{"width": 375, "height": 667, "scal": 2}"#, #"{"width": 375, "height": 667, "scale": -1}"#,
    #"{"width": 1e999, "height": 667}"#, "[]",
  ])
  func `a stored screen is checked like any other`(text: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Screen.self, from: Data(text.utf8))
    }
  }
}
