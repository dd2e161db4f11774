import PropertyTesting
import Testing

@testable import ZoomLaws

@Suite struct RelationsTests {
  private func difference(_ first: Int, _ second: Int) -> String? {
    first == second ? nil : "\(first) instead of \(second)"
  }

  @Test func `a symmetry lets an odd function pass and no other`() throws {
    let odd = Symmetry<Int, Int>(input: { -$0 }, output: { value, _ in -value })
    try odd.check(at: 3, { $0 * $0 * $0 }, difference: difference)
    #expect(throws: PropertyFailure.self) {
      try odd.check(at: 3, { $0 * $0 }, difference: difference)
    }
  }

  @Test func `idempotence lets a clamp pass and a step not`() throws {
    try requireIdempotence(
      at: 30, { min($0, 10) }, feedBack: { value, _ in value }, difference: difference)
    #expect(throws: PropertyFailure.self) {
      try requireIdempotence(
        at: 30, { $0 + 1 }, feedBack: { value, _ in value }, difference: difference)
    }
  }

  @Test func `a round trip ends where it began`() throws {
    try requireRoundTrip(from: 4, there: { $0 * 2 }, back: { $0 / 2 }, difference: difference)
    #expect(throws: PropertyFailure.self) {
      try requireRoundTrip(from: 5, there: { $0 / 2 }, back: { $0 * 2 }, difference: difference)
    }
  }

  @Test func `containment says at which end and by how much, and NaN is nowhere`() throws {
    func message(_ start: Double, _ end: Double) -> String? {
      do {
        try requireContainment(
          of: (start, end), in: (0, 10), within: 0.5, "the crop", unit: "px",
          ends: ("left edge", "right edge"))
        return nil
      } catch {
        return (error as? PropertyFailure)?.message ?? "\(error)"
      }
    }
    #expect(message(-0.5, 10.5) == nil)
    #expect(message(-2, 10) == "the crop begins 2 px before the left edge")
    #expect(message(0, 11.25) == "the crop ends 1.25 px past the right edge")
    #expect(message(.nan, 5) != nil)
    #expect(message(0, .nan) != nil)
  }
}
