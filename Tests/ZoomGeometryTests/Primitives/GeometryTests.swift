import Foundation
import Testing

@testable import ZoomGeometry

struct RectTests {
  let rect = ViewRect(10, 20, 30, 5)

  @Test func `a rectangle ends where it begins plus its size`() {
    #expect(rect.maxX == 40 && rect.maxY == 25)
    let picture = PictureRect(612.5, 412.5, 375, 200)
    #expect(picture.maxX == 987.5 && picture.maxY == 612.5)
    let unit = UnitRect(x: 0.25, y: 0.5, width: 0.125, height: 0.375)
    #expect(unit.maxX == 0.375 && unit.maxY == 0.875)
  }

  @Test func `a rectangle contains its border`() {
    for x in [10.0, 25, 40] {
      for y in [20.0, 22, 25] { #expect(rect.contains(ViewPoint(x, y))) }
    }
  }

  static let beside: [(Double, Double)] = [
    (9.5, 22), (40.5, 22), (25, 19.5), (25, 25.5), (.nan, 22), (25, .nan),
  ]

  @Test(arguments: beside)
  func `a rectangle contains neither what is beside it nor NaN`(x: Double, y: Double) {
    #expect(!rect.contains(ViewPoint(x, y)))
  }
}

struct AspectFitTests {
  static let frames: [(SamplePicture, ViewRect)] = [
    (.forest, ViewRect(0, 192.875, 375, 281.25)),
    (.petronas, ViewRect(0, 52.25, 375, 562.5)),
    (.pharmacy, ViewRect(0, 258.128, 375, 150.744)),
  ]

  @Test func `a side that limits the scale is filled to the last bit`() throws {
    let wide = fit(try PixelSize(700, 3), phone.transposed).frame
    #expect(wide.x == 0 && wide.width == 667)
    let high = fit(try PixelSize(3, 700), phone).frame
    #expect(high.y == 0 && high.height == 667)
  }

  @Test(arguments: frames)
  func `the sample pictures stand where they should`(
    picture: SamplePicture, frame: ViewRect
  ) throws {
    #expect(near(try fit(picture.size(), phone).frame, frame, within: 5e-4))
    let transposed = fit(try picture.size().transposed, phone.transposed).frame
    #expect(near(transposed.transposed, frame, within: 5e-4))
  }

  func fit(_ picture: PixelSize, _ viewport: ViewSize) -> AspectFit {
    AspectFit(picture: picture, viewport: viewport)
  }

  @Test func `the frame is never larger than the viewport, however the product rounds`() throws {
    // Viewports of the picture's own shape: both sides fit it but for a rounding.
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
  static let nearest: [(Double, Double)] = [
    (-1, 0), (0, 0), (0.25, 0.25), (10, 10), (10.5, 10), (.infinity, 10), (-.infinity, 0),
  ]

  @Test(arguments: nearest)
  func `a number becomes the nearest one of the range`(value: Double, nearest: Double) {
    #expect(value.clamped(to: 0...10) == nearest)
  }

  @Test func `a range of one number admits only that`() {
    #expect(3.0.clamped(to: 7...7) == 7)
    #expect(9.0.clamped(to: 7...7) == 7)
  }

  @Test func `NaN does not pass`() async {
    await #expect(processExitsWith: .failure) { _ = Double.nan.clamped(to: 0...1) }
  }

  @Test func `swapped bounds do not pass`() async {
    await #expect(processExitsWith: .failure) {
      // Read at run time, so that the compiler cannot refuse the range.
      let bounds = [1.0, 0.0]
      _ = 0.5.clamped(to: bounds[0]...bounds[1])
    }
  }
}

struct GeometryErrorTests {
  @Test func `an error says which argument, its value and what is wrong, in one line`() {
    let error = #expect(throws: GeometryError.self) { try PixelSize(3, -7) }
    #expect(error?.argument == "height")
    #expect(error?.value == "-7")
    #expect(error?.reason == .notPositive)
    #expect(error?.description == "height: -7 is not positive")
  }

  @Test func `every reason reads as a sentence`() throws {
    let size = try PixelSize(5, 3)
    let sentences: [(GeometryError.Reason, String)] = [
      (.notFinite, "is not finite"),
      (.notPositive, "is not positive"),
      (.tooLarge(limit: 9), "is larger in magnitude than 9"),
      (.tooSmall, "is too small to calculate with"),
      (.outside(size), "is not inside a picture of 5x3"),
    ]
    for (reason, sentence) in sentences { #expect(reason.description == sentence) }
  }

  @Test func `two errors about NaN are equal`() throws {
    let setup = try onPhone(1600, 1200)
    let touch = ViewPoint(.nan, 0)
    let first = #expect(throws: GeometryError.self) { try setup.peek(at: touch) }
    let second = #expect(throws: GeometryError.self) { try setup.peek(at: touch) }
    #expect(first != nil && first == second)
  }

  @Test func `a share above 1 is refused with its limit`() {
    let error = #expect(throws: GeometryError.self) {
      try CubicBezier(x1: 1.5, y1: 0, x2: 1, y2: 1)
    }
    #expect(error?.reason == .tooLarge(limit: 1))
  }
}

struct StrictDecodingTests {
  struct Note: Decodable, Equatable {
    enum CodingKeys: String, CodingKey, CaseIterable {
      case pitch
      case length = "beats"
    }

    let pitch: Int
    let length: Double

    init(from decoder: any Decoder) throws {
      let values = try decoder.strictContainer(keyedBy: CodingKeys.self)
      let pitch = try values.decode(Int.self, forKey: .pitch)
      length = try values.decode(Double.self, forKey: .length)
      self.pitch = try decoder.checked { () throws(GeometryError) in
        try GeometryError.side(pitch, "pitch")
      }
    }
  }

  func decode(_ text: String) throws -> [Note] { try decoded([Note].self, text) }

  func message(_ text: String) -> String {
    do {
      return "\(try decode(text))"
    } catch DecodingError.dataCorrupted(let context) {
      return context.codingPath.map(\.stringValue).joined() + ": " + context.debugDescription
    } catch {
      return "\(error)"
    }
  }

  @Test func `known keys are read by their names in the file`() throws {
    #expect(try decode(#"[{"pitch": 3, "beats": 0.5}]"#).map(\.length) == [0.5])
  }

  @Test func `another key is an error that names it, its place and the known ones`() {
    let message = message(#"[{"pitch": 3, "beats": 1}, {"pitch": 3, "beats": 1, "lenght": 2}]"#)
    #expect(message == #"Index 1: there is no key "lenght" here (use pitch, beats)"#)
    // The name in the code is not the name in the file.
    #expect(self.message(#"[{"pitch": 3, "length": 1}]"#).contains(#""length""#))
  }

  @Test func `an error of geometry becomes one of decoding`() {
    #expect(message(#"[{"pitch": 0, "beats": 1}]"#) == "Index 0: pitch: 0 is not positive")
  }

  @Test func `what is no object is an error`() {
    #expect(throws: DecodingError.self) { try decode("[7]") }
  }
}
