import PropertyTesting
import Testing
import ZoomLaws

/// Fewer cases than other laws have, for rational numbers take their time.
@Suite struct NumberLawsTests {
  private let cases = 500

  @Test func `names are unique`() {
    let names =
      NumberLaws.arithmetic.map(\.name) + NumberLaws.peek.map(\.name)
      + NumberLaws.doubleTap.map(\.name)
    #expect(Set(names).count == names.count)
  }

  @Test func `the shared arithmetic stays within its budgets`() async {
    for law in NumberLaws.arithmetic { await expectHeld(law, .geometry, cases: cases) }
  }

  @Test func `the corrected peek stays within its budgets and the published one does not`() async {
    for law in NumberLaws.peek {
      await expectHeld(law, .corrected, cases: cases)
      #expect(law.isBrokenAsPublished)
      await expectBroken(law, .original)
    }
  }

  @Test func `the double tap stays within its budgets, corrected and published`() async {
    for law in NumberLaws.doubleTap {
      await expectHeld(law, .corrected, cases: cases)
      #expect(!law.isBrokenAsPublished)
      await expectHeld(law, .original, cases: cases)
    }
  }
}
