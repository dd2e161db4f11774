import Measurement
import Testing

@Suite struct BlackHoleTests {
  private final class Canary {}

  private struct Unique: ~Copyable {
    let number: Int
  }

  @Test func `nothing is kept of what goes in`() {
    weak var observer: Canary?
    do {
      let canary = Canary()
      observer = canary
      blackHole(canary)
      #expect(observer === canary)
    }
    #expect(observer == nil)
  }

  @Test func `a value that cannot be copied goes in and is still there`() {
    let unique = Unique(number: 3)
    blackHole(unique)
    #expect(unique.number == 3)
  }
}
