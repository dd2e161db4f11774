import Testing
import ZoomGeometry

struct GeometryErrorTests {
  @Test func `an error says which argument, its value and what is wrong, in one line`() {
    let error = #expect(throws: GeometryError.self) { try PixelSize(width: 3, height: -7) }
    #expect(error?.argument == "height")
    #expect(error?.value == "-7")
    #expect(error?.reason == .notPositive)
    #expect(error?.description == "height: -7 is not positive")
  }

  @Test func `every reason reads as a sentence`() throws {
    let size = try PixelSize(width: 5, height: 3)
    let sentences: [(GeometryError.Reason, String)] = [
      (.notFinite, "is not finite"),
      (.notPositive, "is not positive"),
      (.tooLarge(limit: 9), "is larger in magnitude than 9"),
      (.tooSmall, "is too small to calculate with"),
      (.outside(size), "is not inside a picture of 5x3"),
    ]
    for (reason, sentence) in sentences {
      #expect(reason.description == sentence)
    }
  }

  @Test func `two errors about NaN are equal`() throws {
    let setup = try onPhone(1600, 1200)
    let touch = ViewPoint(x: .nan, y: 0)
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
