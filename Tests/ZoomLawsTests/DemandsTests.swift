import PropertyTesting
import Testing

@testable import ZoomLaws

@Suite struct DemandsTests {
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
