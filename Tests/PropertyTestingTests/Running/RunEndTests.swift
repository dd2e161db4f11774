import Synchronization
import Testing

@testable import PropertyTesting

/// A run that has an end for everything, shrinking included.
@Suite struct RunEndTests {
  private static let numbers = Gen<[Int]>.array(of: .integer(in: -1000...1000))

  @Test func `after the end a failure is told and no more is run than to show it`() async {
    let runs = Mutex(0)
    var settings = PropertySettings(cases: 100, seed: 3)
    settings.end = .now
    let report = await Property.check("over", Self.numbers, settings: settings) { list, _ in
      runs.withLock { $0 += 1 }
      throw PropertyFailure("it always fails")
    }
    #expect(report.failures.count == 1 && report.failures.first?.evaluations == 0)
    // One case is tried however little time there is, and once more for what it says.
    #expect(runs.withLock { $0 } == 2)
  }

  private struct Interrupted: DiscardingError { let discardsCase: Bool }

  @Test(arguments: [false, true])
  func `an error that says nothing about the property discards its case`(isDiscard: Bool) async {
    let report = await Property.check(
      "interrupted", Self.numbers, settings: PropertySettings(cases: 10, seed: 3)
    ) { _, _ in throw Interrupted(discardsCase: isDiscard) }
    #expect(report.failures.isEmpty == isDiscard)
    #expect((report.discards > 0) == isDiscard)
  }

  @Test func `where the last case cannot be run again the first is shown with its own error`() async
  {
    let runs = Mutex(0)
    var settings = PropertySettings(cases: 100, seed: 3)
    settings.end = .now
    let report = await Property.check("gone", Self.numbers, settings: settings) { list, _ in
      guard
        runs.withLock({
          $0 += 1; return $0
        }) == 1
      else { throw Interrupted(discardsCase: true) }
      throw PropertyFailure("once \(list)")
    }
    #expect(report.failures.map(\.message).allSatisfy { $0.contains("once") })
    #expect(report.failures.count == 1 && report.failures.first?.token != nil)
  }
}
