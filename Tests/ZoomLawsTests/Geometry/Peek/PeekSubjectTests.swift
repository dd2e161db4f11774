import PropertyTesting
import Testing
import ZoomGeometry
import ZoomLaws

@Suite struct PeekSubjectTests {
  private let corner = PeekInput(
    pictureWidth: 1600, pictureHeight: 1200, viewport: ViewSize(width: 375, height: 667),
    touch: ViewPoint(x: 375, y: 474.125))

  @Test func `an input reads like a sentence`() {
    #expect(corner.inWords == "touch (375, 474.125) on 1600x1200 in 375x667")
    var other = corner
    other.side = 100.5
    other.scale = 3
    other.letterbox = .reject
    #expect(
      other.inWords == corner.inWords + ", peek of 100.5 pt, 3 px a point, letterbox rejected")
  }

  @Test func `both forms answer with their own numbers at the corner of FZ-B2`() throws {
    let corrected = try #require(try PeekSubject.corrected.peek(corner))
    #expect(corrected.crop == PictureRect(x: 1225, y: 825, width: 375, height: 375))
    let original = try #require(try PeekSubject.original.peek(corner))
    #expect(original.crop == PictureRect(x: 1412.5, y: 1059.375, width: 375, height: 375))
    #expect(original.region == nil)
  }

  @Test func `the original answers NaN with NaN and the corrected refuses it`() throws {
    var empty = corner
    empty.viewport = ViewSize(width: 0, height: 0)
    #expect(try PeekSubject.original.peek(empty)?.crop.x.isNaN == true)
    #expect(throws: GeometryError.self) { try PeekSubject.corrected.peek(empty) }
  }

  @Test func `all input that the corrected peek refuses is refused with its own error`() {
    for input in Gen<PeekInput>.invalidPeeks.sample(500, seed: 3) {
      #expect(throws: GeometryError.self) { try PeekSubject.corrected.peek(input) }
    }
  }
}
