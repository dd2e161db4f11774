import Testing

@testable import ZoomGeometry

/// The published animation's defects; `ForceAnimationTests` has the right results.
struct OriginalForceAnimationTests {
  let animation = OriginalForceAnimation()

  /// Force, moment.
  static let table: [(Double, Double)] = [
    (0.0, 0.0), (1.0, 0.142857), (6.6, 0.942857), (fullForce, 0.952381), (8.0, 1.142857),
  ]

  @Test(arguments: table)
  func `FT-B16: the published table ends before the animation does`(force: Double, time: Double) {
    #expect(prints(animation.time(at: force), as: time, decimals: 6))
  }

  @Test func `FT-B16: full force does not show the end`() {
    let pose = animation.pose(at: fullForce)
    #expect(prints(pose.translation, as: -99.87, decimals: 2))
    #expect(pose.scale < 1.999)
  }

  @Test func `FT-B16: divided by the true maximum, full force would show the start`() {
    var mended = animation
    mended.maximumForce = fullForce
    #expect(mended.time(at: fullForce) == 1)
    #expect(mended.pose(at: fullForce.nextDown).scale > 1.999)
    #expect(mended.pose(at: fullForce) == .rest)
  }

  @Test(arguments: [7, 8, 0x1p31, .infinity, -1, .nan])
  func `FT-B17: beyond 7, below 0 and at no number the animation is gone`(force: Double) {
    #expect(!((0.0..<1).contains(animation.time(at: force))))
    #expect(animation.pose(at: force) == .rest)
  }
}
