import Testing

@testable import ZoomGeometry

struct ForcePoseTests {
  /// Seconds, translation.
  static let spring: [(Double, Double)] = [
    (0.0, 0.0), (0.1, -34.03), (0.25, -102.34), (0.5, -107.46), (0.952, -99.87), (1.0, -100.22),
  ]

  @Test(arguments: spring)
  func `the spring pulls so far`(seconds: Double, translation: Double) {
    #expect(
      prints(ForcePose(seconds: seconds).translation, as: translation, decimals: 2))
  }

  @Test func `the spring swings past its end by 16 points`() {
    let way = (0...1000).map { -ForcePose(seconds: Double($0) / 1000).translation }
    #expect(near(way.max() ?? 0, 116.3, within: 0.1))
  }

  @Test func `the scale eases in and out from 1 to 2`() {
    let scales = (0...100).map { ForcePose(seconds: Double($0) / 100).scale }
    #expect(ascends(scales))
    #expect(scales.first == 1)
    #expect(scales.last == 2)
    #expect(near(scales[50], 1.5, within: 1e-12))
    // Slow at both ends, and the same from both.
    #expect(scales[10] < 1.03)
    for step in 0...50 {
      #expect(near(scales[step] + scales[100 - step], 3, within: 1e-12))
    }
  }

  @Test func `at rest a view stands where it is, then grows about its moved centre`() {
    #expect(ForcePose.rest.scale == 1)
    #expect(ForcePose.rest.translation == 0)
    #expect(ForcePose.rest.frame(of: demoView) == demoView)
    let end = ForcePose(seconds: 1).frame(of: demoView)
    let right = ViewRect(x: -12.5, y: 133.5 - 100.22, width: 400, height: 400)
    #expect(end.isNear(right, within: 0.005))
  }
}
