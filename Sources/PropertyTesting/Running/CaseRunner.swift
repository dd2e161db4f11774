internal import Synchronization

/// How a case begins.
enum CaseStart: Sendable {
  case random(seed: UInt64, index: UInt64)
  case replay([Choice], tail: TestCase.Tail, seed: UInt64 = 0)
}

extension TestCase {
  @inline(__always)
  mutating func begin(_ start: CaseStart) {
    switch start {
    case .random(let seed, let index): begin(seed: seed, index: index)
    case .replay(let list, let tail, let seed): begin(replaying: list, tail: tail, seed: seed)
    }
  }
}

/// How a case ended.
enum CaseEnd: Sendable {
  case passed, discarded, overrun, cancelled
  /// The generator did not end in time, so that there is not even a value.
  case stuck
  case failed(any Error)
}

/// What is wanted of a case beside how it ended, and what was seen.
struct CaseTrace<Value: Sendable>: Sendable {
  /// Whether the value is wanted also when the case does not fail.
  var keepsValue = false
  /// Whether the clock is to be read.
  var isTimed = false
  /// The value drawn, of a failing case or when it is wanted.
  var value: Value?
  /// When the case began, its value was there, and the property had ended, where `isTimed`.
  var began, generated, ended: ContinuousClock.Instant?
}

/// Runs cases of a property one at a time.
struct CaseRunner<Value: Sendable>: Sendable {
  let generator: Gen<Value>
  let body: @Sendable (Value, inout TestCase) async throws -> Void
  /// Where cases run that may take only so long.
  let limiter: CaseLimiter?

  /// Runs one case, within its time if that is limited.
  ///
  /// - Parameters:
  ///   - start: how it begins.
  ///   - testCase: holds afterwards what was recorded.
  ///   - trace: what is wanted, and holds afterwards what was seen.
  /// - Returns: How it ended.
  @inline(__always)
  func run(
    _ start: CaseStart, in testCase: inout TestCase, _ trace: inout CaseTrace<Value>
  ) async -> CaseEnd {
    if let limiter {
      return await run(start, in: &testCase, &trace, within: limiter)
    }
    return await runHere(start, in: &testCase, &trace)
  }

  @inline(__always)
  private func runHere(
    _ start: CaseStart, in testCase: inout TestCase, _ trace: inout CaseTrace<Value>,
    _ drawn: Drawn? = nil
  ) async -> CaseEnd {
    if trace.isTimed { trace.began = .now }
    testCase.begin(start)
    let value: Value
    do {
      value = try generator.body(&testCase)
    } catch {
      return testCase.isOverrun ? .overrun : .discarded
    }
    if trace.isTimed { trace.generated = .now }
    if trace.keepsValue { trace.value = value }
    if testCase.isOverrun { return .overrun }
    if let drawn {
      let record = testCase.record
      drawn.content.withLock { $0 = (value, record) }
    }
    do {
      try await body(value, &testCase)
    } catch {
      if trace.isTimed { trace.ended = .now }
      if error.isDiscard { return testCase.isOverrun ? .overrun : .discarded }
      // What fails on numbers it should not have been given says nothing.
      if testCase.isOverrun { return .overrun }
      if error is CancellationError, Task.isCancelled { return .cancelled }
      trace.value = value
      return .failed(error)
    }
    if trace.isTimed { trace.ended = .now }
    return testCase.isOverrun ? .overrun : .passed
  }

  /// A case that is only drawn, without running the property; nil when there is no value, or not
  /// in time.
  func draw(_ start: CaseStart) async -> (value: Value, record: TestCase.Record)? {
    @Sendable func drawn() -> (value: Value, record: TestCase.Record)? {
      var testCase = TestCase()
      testCase.begin(start)
      guard let value = try? generator.body(&testCase) else { return nil }
      return (value, testCase.record)
    }
    guard let limiter else { return drawn() }
    return await limiter.run { drawn() } ?? nil
  }

  /// The same without limits of time.
  var unlimited: CaseRunner { CaseRunner(generator: generator, body: body, limiter: nil) }

  /// What the task of a limited case brings back.
  private struct Ended: Sendable {
    let end: CaseEnd
    let trace: CaseTrace<Value>
    let record: TestCase.Record
  }

  private func run(
    _ start: CaseStart, in testCase: inout TestCase, _ trace: inout CaseTrace<Value>,
    within limiter: CaseLimiter
  ) async -> CaseEnd {
    let unlimited = unlimited
    let (wanted, keepsNotes) = (trace, testCase.keepsNotes)
    let drawn = Drawn()
    let ended = await limiter.run {
      var own = TestCase()
      var trace = wanted
      own.keepsNotes = keepsNotes
      let end = await unlimited.runHere(start, in: &own, &trace, drawn)
      return Ended(end: end, trace: trace, record: own.record)
    }
    if let ended {
      testCase.record = ended.record
      trace = ended.trace
      return ended.end
    }
    if Task.isCancelled { return .cancelled }
    guard let (value, record) = drawn.content.withLock({ $0 }) else { return .stuck }
    trace.value = value
    testCase.record = record
    return .failed(CaseTimedOut(limit: limiter.limit))
  }

  /// The value of a limited case and its choices up to then, for when the rest never comes.
  private final class Drawn: Sendable {
    let content = Mutex<(Value, TestCase.Record)?>(nil)
  }
}
