import PropertyTesting
import Synchronization
import Testing

@Suite struct SeedTests {
  /// Returns the first numbers that a property tries, and its seed.
  private func drawn(
    _ name: String, _ change: (inout PropertySettings) -> Void
  ) async -> (numbers: [Int], seed: UInt64) {
    let numbers = Mutex<[Int]>([])
    var settings = PropertySettings(cases: 5)
    change(&settings)
    let report = await Property.check(name, .integer(in: 0...Int.max), settings: settings) {
      number, _ in
      numbers.withLock { $0.append(number) }
    }
    return (numbers.withLock { $0 }, report.seed)
  }

  @Test func `a derandomized property sees the same cases every time`() async {
    let first = await drawn("one") { $0.isDerandomized = true }
    let second = await drawn("one") { $0.isDerandomized = true }
    #expect(first.numbers == second.numbers)
    // FNV-1a gives the same seed in other processes and on other machines.
    #expect(first.seed == 0x1A08_AA19_21CA_5CAF)
  }

  @Test func `properties of other names see other cases`() async {
    let first = await drawn("one") { $0.isDerandomized = true }
    let second = await drawn("two") { $0.isDerandomized = true }
    #expect(first.numbers != second.numbers)
  }

  @Test func `a seed that is given comes first`() async {
    let derandomized = await drawn("one") {
      $0.isDerandomized = true
      $0.seed = 7
    }
    #expect(derandomized.seed == 7)
  }

  @Test func `otherwise each run has a seed of its own`() async {
    let first = await drawn("one") { $0.isDerandomized = false }
    let second = await drawn("one") { $0.isDerandomized = false }
    #expect(first.seed != second.seed)
  }
}
