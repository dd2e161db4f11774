import PropertyTesting
import PropertyTestingBridge
import Testing

// The README's example, compiled: a property of a user in Swift Testing.

@Suite struct OwnPropertyExample {
  @Test(.property(cases: 500))
  func `a clamped value is in its range`() async {
    await expectForAll(.anyDouble, .double(in: 0...10)) { value, high in
      let clamped = value.isNaN ? 0 : min(max(value, 0), high)
      #expect((0...high).contains(clamped))
    }
  }
}
