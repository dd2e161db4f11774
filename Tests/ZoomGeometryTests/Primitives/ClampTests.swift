import Testing
import ZoomGeometry

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
