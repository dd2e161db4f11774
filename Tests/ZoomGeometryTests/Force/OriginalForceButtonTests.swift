import Testing

@testable import ZoomGeometry

/// The published button's defects; `ForceButtonTests` has the right results.
struct OriginalForceButtonTests {
  /// Force, offset, radius, radius of a button that has 5 at rest, scale.
  static let table: [(Double, Double, Double, Double, Double)] = [
    (0.0, 6.6, 10.0, 5.0, 1.0), (1.0, 5.6, 9.0, 4.0, 1.01), (6.6, 0.0, 3.4, -1.6, 1.066),
    (fullForce, -0.0667, 3.3333, -1.6667, 1.0667), (8.0, -1.4, 2.0, -3.0, 1.08),
  ]

  @Test(arguments: table)
  func `FT-B6 and FT-B7: the published table`(
    force: Double, offset: Double, radius: Double, smallRadius: Double, scale: Double
  ) {
    var button = OriginalForceButton()
    let shadow = button.shadow(at: force)
    #expect(prints(shadow.offset.x, as: offset, decimals: 4))
    #expect(prints(shadow.offset.y, as: offset, decimals: 4))
    #expect(prints(shadow.radius, as: radius, decimals: 4))
    #expect(shadow.opacity == 0.8)
    #expect(prints(button.scale(at: force), as: scale, decimals: 4))
    button.maximumRadius = 5
    #expect(prints(button.shadow(at: force).radius, as: smallRadius, decimals: 4))
  }

  @Test func `FT-B8: without the sense the step is infinite, and no force is no number`() {
    var button = OriginalForceButton()
    button.maximumForce = 0
    #expect(button.shadow(at: 0).offset.x.isNaN)
    #expect(button.shadow(at: 1).offset.x == -.infinity)
  }

  @Test func `what is no number goes through`() {
    let button = OriginalForceButton()
    #expect(button.shadow(at: .nan).offset.y.isNaN)
    #expect(button.shadow(at: .infinity).radius == -.infinity)
    #expect(button.scale(at: .nan).isNaN)
  }

  @Test func `each axis of the shadow moves by its own offset`() {
    var button = OriginalForceButton()
    button.maximumForce = 4
    button.maximumOffset = ViewPoint(x: 8, y: -2)
    #expect(button.shadow(at: 1).offset == ViewPoint(x: 6, y: -1.5))
    #expect(button.shadow(at: 4).offset == ViewPoint(x: 0, y: 0))
  }
}
