import Testing

@testable import ZoomGeometry

struct ForceAnimationTests {
  let animation = ForceAnimation()

  @Test func `FT-B16 and FT-P18: full force shows the end, no force the start`() throws {
    for force in finiteForces where force >= fullForce {
      #expect(try animation.time(at: force) == 1)
      let pose = try animation.pose(at: force)
      #expect(pose.scale == 2)
      #expect(prints(pose.translation, as: -100.22, decimals: 2))
    }
    for force in finiteForces where force <= 0 {
      #expect(try animation.time(at: force) == 0)
      #expect(try animation.pose(at: force) == .rest)
    }
  }

  @Test func `without the sense the animation rests`() throws {
    let numb = ForceAnimation(range: try ForceRange(maximum: 0))
    for force in finiteForces { #expect(try numb.pose(at: force) == .rest) }
  }

  @Test(arguments: wildForces)
  func `what is no number is refused`(number: Double) {
    #expect(throws: GeometryError.self) { try animation.time(at: number) }
    #expect(throws: GeometryError.self) { try animation.pose(at: number) }
  }
}

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

struct ForceButtonTests {
  /// Force, offset, radius, scale: a share of 0.15 of the usual range a unit of force.
  static let table: [(Double, Double, Double, Double)] = [
    (0.0, 6.6, 10.0, 1.0), (1.0, 5.61, 8.5, 1.01), (6.6, 0.066, 0.1, 1.066),
    (fullForce, 0, 0, 16.0 / 15), (8, 0, 0, 16.0 / 15),
  ]

  @Test(arguments: table)
  func `FT-B6 and FT-B7: the published table as it should be`(
    force: Double, offset: Double, radius: Double, scale: Double
  ) throws {
    let button = try ForceButton()
    let shadow = try button.shadow(at: force)
    #expect(near(shadow.offset.x, offset, within: 1e-12))
    #expect(near(shadow.offset.y, offset, within: 1e-12))
    #expect(near(shadow.radius, radius, within: 1e-12))
    #expect(shadow.opacity == 0.8)
    #expect(near(try button.scale(at: force), scale, within: 1e-12))
  }

  @Test func `each axis of the shadow moves by its own offset`() throws {
    let button = try ForceButton(range: ForceRange(maximum: 4), maximumOffset: ViewPoint(8, -2))
    #expect(try button.shadow(at: 1).offset == ViewPoint(6, -1.5))
  }

  @Test func `FT-B8: without the sense the button rests`() throws {
    let button = try ForceButton(range: ForceRange(maximum: 0))
    for force in finiteForces {
      #expect(
        try button.shadow(at: force)
          == Shadow(offset: ViewPoint(6.6, 6.6), radius: 10, opacity: 0.8))
      #expect(try button.scale(at: force) == 1)
    }
  }

  @Test(arguments: wildForces)
  func `what is no number is refused`(number: Double) throws {
    let button = try ForceButton()
    #expect(throws: GeometryError.self) { try button.shadow(at: number) }
    #expect(throws: GeometryError.self) { try button.scale(at: number) }
    let point = ViewPoint(1, number)
    #expect(throws: GeometryError.self) { try ForceButton(maximumOffset: point) }
    #expect(throws: GeometryError.self) { try ForceButton(maximumRadius: number) }
    #expect(throws: GeometryError.self) { try ForceButton(opacity: number) }
    #expect(throws: GeometryError.self) { try ForceButton(gain: number) }
  }

  @Test func `numbers out of their range are refused`() {
    #expect(throws: GeometryError.self) { try ForceButton(maximumRadius: -1) }
    #expect(throws: GeometryError.self) { try ForceButton(opacity: 1.5) }
    #expect(throws: GeometryError.self) { try ForceButton(gain: -0.1) }
    #expect(throws: GeometryError.self) { try ForceButton(gain: 1e10) }
    #expect(throws: GeometryError.self) { try ForceButton(maximumRadius: 1e300) }
  }
}

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
    button.maximumOffset = ViewPoint(8, -2)
    #expect(button.shadow(at: 1).offset == ViewPoint(6, -1.5))
    #expect(button.shadow(at: 4).offset == ViewPoint(0, 0))
  }
}

struct ForcePoseTests {
  /// Seconds, translation.
  static let spring: [(Double, Double)] = [
    (0.0, 0.0), (0.1, -34.03), (0.25, -102.34), (0.5, -107.46), (0.952, -99.87), (1.0, -100.22),
  ]

  @Test(arguments: spring)
  func `the spring pulls so far`(seconds: Double, translation: Double) {
    #expect(prints(ForcePose(seconds: seconds).translation, as: translation, decimals: 2))
  }

  @Test func `the scale eases in and out from 1 to 2`() {
    let scales = (0...100).map { ForcePose(seconds: Double($0) / 100).scale }
    #expect(ascends(scales))
    #expect(scales.first == 1)
    #expect(scales.last == 2)
    #expect(near(scales[50], 1.5, within: 1e-12))
    // Slow at both ends, and the same from both.
    #expect(scales[10] < 1.03)
    for step in 0...50 { #expect(near(scales[step] + scales[100 - step], 3, within: 1e-12)) }
  }

  @Test func `at rest a view stands where it is, then grows about its moved centre`() {
    #expect(ForcePose.rest.scale == 1)
    #expect(ForcePose.rest.translation == 0)
    #expect(ForcePose.rest.frame(of: demoView) == demoView)
    let end = ForcePose(seconds: 1).frame(of: demoView)
    let right = ViewRect(-12.5, 133.5 - 100.22, 400, 400)
    #expect(end.isNear(right, within: 0.005))
  }
}

struct ForceRangeTests {
  @Test func `the usual maximum is 400 sixtieths`() {
    #expect(ForceRange.usual.maximum == 400.0 / 60)
  }

  @Test(arguments: finiteForces)
  func `without the sense every share is 0`(force: Double) throws {
    let range = try ForceRange(maximum: 0)
    #expect(try range.share(of: force) == 0)
    #expect(try range.clamped(force) == 0)
  }

  @Test(arguments: wildForces)
  func `a force that is no number is refused`(force: Double) {
    let error = GeometryError(argument: "force", value: force, reason: .notFinite)
    #expect(throws: error) { try ForceRange.usual.clamped(force) }
    #expect(throws: error) { try ForceRange.usual.share(of: force) }
  }

  @Test(arguments: [-1, -0x1p-1074, 1e-7, 0x1p31, .nan, .infinity])
  func `a maximum that cannot be divided by is refused`(maximum: Double) {
    #expect(throws: GeometryError.self) { try ForceRange(maximum: maximum) }
  }

  @Test(arguments: [1e-6, 1, 0x1p31 - 1])
  func `a maximum of any other size is reached`(maximum: Double) throws {
    let range = try ForceRange(maximum: maximum)
    #expect(try range.share(of: maximum) == 1)
    #expect(try range.share(of: maximum / 2) == 0.5)
    #expect(try range.clamped(0x1p1023) == maximum)
  }
}
