import Testing

@testable import ZoomGeometry

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

  @Test(arguments: [10.0, 5, 0])
  func `FT-P6 and FT-B7: the radius is never negative`(maximum: Double) throws {
    let button = try ForceButton(maximumRadius: maximum)
    for force in finiteForces {
      #expect((0...maximum).contains(try button.shadow(at: force).radius))
    }
  }

  @Test(arguments: [ViewPoint(x: 6.6, y: 6.6), ViewPoint(x: -3, y: 8), ViewPoint(x: 0, y: -0.5)])
  func `FT-P7 and FT-B6: the offset lies between none and the one at rest`(offset: ViewPoint) throws
  {
    let button = try ForceButton(maximumOffset: offset)
    for force in finiteForces {
      let shadow = try button.shadow(at: force)
      #expect((min(0, offset.x)...max(0, offset.x)).contains(shadow.offset.x))
      #expect((min(0, offset.y)...max(0, offset.y)).contains(shadow.offset.y))
    }
  }

  @Test func `FT-P8: harder never means a larger shadow or a smaller button`() throws {
    let button = try ForceButton()
    let shadows = try finiteForces.map { try button.shadow(at: $0) }
    #expect(ascends(shadows.map { -$0.offset.x }))
    #expect(ascends(shadows.map { -$0.offset.y }))
    #expect(ascends(shadows.map { -$0.radius }))
    #expect(ascends(try finiteForces.map { try button.scale(at: $0) }))
    #expect(Set(try reportedForces.map { try button.shadow(at: $0) }).count == 401)
  }

  @Test func `FT-P9: no force gives the shadow at rest, full force none`() throws {
    let button = try ForceButton(maximumOffset: ViewPoint(x: 3, y: -4), maximumRadius: 7)
    for force in finiteForces where force <= 0 {
      let shadow = try button.shadow(at: force)
      #expect(shadow.offset == ViewPoint(x: 3, y: -4))
      #expect(shadow.radius == 7)
      #expect(try button.scale(at: force) == 1)
    }
    for force in finiteForces where force >= fullForce {
      let shadow = try button.shadow(at: force)
      #expect(shadow.offset == ViewPoint(x: 0, y: 0))
      #expect(shadow.radius == 0)
    }
  }

  @Test func `FT-B8: without the sense the button rests`() throws {
    let button = try ForceButton(range: ForceRange(maximum: 0))
    for force in finiteForces {
      #expect(
        try button.shadow(at: force)
          == Shadow(offset: ViewPoint(x: 6.6, y: 6.6), radius: 10, opacity: 0.8))
      #expect(try button.scale(at: force) == 1)
    }
  }

  @Test(arguments: wildForces)
  func `what is no number is refused`(number: Double) throws {
    let button = try ForceButton()
    #expect(throws: GeometryError.self) { try button.shadow(at: number) }
    #expect(throws: GeometryError.self) { try button.scale(at: number) }
    let point = ViewPoint(x: 1, y: number)
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
