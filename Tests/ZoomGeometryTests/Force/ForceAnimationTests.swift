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

  @Test func `FT-P16 and FT-B17: the moment lies in the animation`() throws {
    for force in finiteForces { #expect((0...1).contains(try animation.time(at: force))) }
  }

  @Test func `FT-P17: harder never means earlier, and every reported force is a moment`() throws {
    #expect(ascends(try finiteForces.map { try animation.time(at: $0) }))
    #expect(ascends(try finiteForces.map { try animation.pose(at: $0).scale }))
    #expect(Set(try reportedForces.map { try animation.time(at: $0) }).count == 401)
    #expect(try animation.time(at: fullForce / 4) == 0.25)
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
