import Testing

@testable import ZoomGeometry

struct AnimationTests {
  let animation = Animation(start: 2, duration: 0.5, curve: .linear)

  @Test func `it runs from its start for its duration`() {
    #expect(animation.progress(at: 1) == 0)
    #expect(animation.progress(at: 2) == 0)
    #expect(animation.progress(at: 2.25) == 0.5)
    #expect(animation.progress(at: 2.5) == 1)
    #expect(animation.progress(at: 9) == 1)
    #expect(!animation.isOver(at: 2.5.nextDown))
    #expect(animation.isOver(at: 2.5))
  }

  @Test func `whatever the start rounds to, it is over with all of its way done`() {
    for step in 0..<1000 {
      let animation = Animation(start: Double(step) * 86.1, duration: 0.3, curve: .easeInEaseOut)
      #expect(animation.progress(at: animation.start + 0.3) == 1)
    }
  }

  @Test func `without duration it is over at once`() {
    let instant = Animation(start: 2, duration: 0, curve: .easeInEaseOut)
    #expect(instant.progress(at: 2) == 1)
    #expect(instant.progress(at: 1) == 0)
  }

  @Test func `numbers move to their ends exactly`() {
    // In binary 0.7 + (0.1 - 0.7) is not 0.1.
    let (start, end) = (0.7, 0.1)
    #expect(start + (end - start) != end)
    #expect(start.moved(towards: end, by: 1) == end)
    #expect(start.moved(towards: end, by: 0) == start)
    #expect(1.0.moved(towards: 3, by: 0.25) == 1.5)
    // A spring passes its end.
    #expect(1.0.moved(towards: 3, by: 1.5) == 4)
  }

  @Test func `points, rectangles and maps move number by number`() {
    let point = ViewPoint(x: 0, y: 10).moved(towards: ViewPoint(x: 4, y: 2), by: 0.5)
    #expect(point == ViewPoint(x: 2, y: 6))
    let rect = ViewRect(x: 0, y: 0, width: 1, height: 2)
      .moved(towards: ViewRect(x: 2, y: 4, width: 3, height: 8), by: 0.5)
    #expect(rect == ViewRect(x: 1, y: 2, width: 2, height: 5))
    let map = Affine.identity
      .moved(towards: Affine(a: 3, b: 2, c: 4, d: 5, tx: 6, ty: 8), by: 0.5)
    #expect(map == Affine(a: 2, b: 1, c: 2, d: 3, tx: 3, ty: 4))
  }
}
