import Foundation
import Measurement
import Testing

@Suite struct ElapsedTests {
  @Test func `the whole range of nanoseconds survives JSON exactly`() throws {
    // 2^53 + 1 is the first integer that a detour over Double would change.
    for nanoseconds: UInt64 in [0, 1, (1 << 53) + 1, .max] {
      let elapsed = Elapsed(wallNanoseconds: nanoseconds, cpuNanoseconds: ~nanoseconds)
      let decoded = try JSONDecoder().decode(Elapsed.self, from: JSONEncoder().encode(elapsed))
      #expect(decoded == elapsed)
    }
  }

  @Test func `the names in JSON say the unit`() throws {
    let json = #"{"wallNanoseconds": 3, "cpuNanoseconds": 4}"#
    let decoded = try JSONDecoder().decode(Elapsed.self, from: Data(json.utf8))
    #expect(decoded == Elapsed(wallNanoseconds: 3, cpuNanoseconds: 4))
  }
}
