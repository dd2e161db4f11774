import Testing

@testable import ZoomGeometry

struct ForceRangeTests {
  @Test func `the usual maximum is 400 sixtieths`() {
    #expect(ForceRange.usual.maximum == 400.0 / 60)
  }

  @Test(arguments: finiteForces)
  func `FT-P5: a finite force has a share of 0 to 1`(force: Double) throws {
    let share = try ForceRange.usual.share(of: force)
    #expect((0...1).contains(share))
    if force <= 0 { #expect(share == 0) }
    if force >= fullForce { #expect(share == 1) }
  }

  @Test func `FT-P8: the share grows with the force, strictly where the hardware reports it`()
    throws
  {
    #expect(ascends(try finiteForces.map { try ForceRange.usual.share(of: $0) }))
    let reported = try reportedForces.map { try ForceRange.usual.share(of: $0) }
    #expect(Set(reported).count == 401)
    for (n, share) in reported.enumerated() {
      #expect(near(share, Double(n) / 400, within: 1e-15))
    }
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
