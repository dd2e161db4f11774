internal import Synchronization

/// The start of a case: its source of choices.
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

enum CaseEnd: Sendable {
  case passed, discarded, overrun, cancelled
  /// The generator did not end in time, so the value is missing.
  case stuck
  case failed(any Error)
}

struct CaseTrace<Value: Sendable>: Sendable {
  var isTimed = false
  /// The value; nil if the generator did not make one.
  var value: Value?
  /// The times of the start, of the generated value and of the end of the property, if `isTimed` is set.
  var began, generated, ended: ContinuousClock.Instant?
}

struct CaseRunner<Value: Sendable>: Sendable {
  var generator: Gen<Value>
  let body: @Sendable (Value, inout TestCase) async throws -> Void
  /// The runner for cases with a time limit; nil without a limit.
  var limiter: CaseLimiter?
  /// The time at which the limiter, if there is one, abandons a running case as cancelled.
  var end: ContinuousClock.Instant?

  var unlimited: CaseRunner { CaseRunner(generator: generator, body: body) }

  func given(_ value: Value) -> CaseRunner {
    var runner = self
    runner.generator = .constant(value)
    return runner
  }

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
    onValue keep: ((Value, TestCase.Record) -> Void)? = nil
  ) async -> CaseEnd {
    (trace.value, trace.generated, trace.ended) = (nil, nil, nil)
    if trace.isTimed { trace.began = .now }
    testCase.begin(start)
    let value: Value
    do {
      value = try generator.body(&testCase)
    } catch {
      return testCase.isOverrun ? .overrun : .discarded
    }
    if trace.isTimed { trace.generated = .now }
    trace.value = value
    if testCase.isOverrun { return .overrun }
    keep?(value, testCase.record)
    do {
      try await body(value, &testCase)
    } catch {
      if trace.isTimed { trace.ended = .now }
      // A failure on values drawn after an overrun does not count.
      if testCase.isOverrun { return .overrun }
      if error.isDiscard { return .discarded }
      return error is CancellationError && Task.isCancelled ? .cancelled : .failed(error)
    }
    if trace.isTimed { trace.ended = .now }
    return testCase.isOverrun ? .overrun : .passed
  }

  /// Draws a case without running the property; returns nil if the generator discards it or exceeds the time limit.
  func draw(_ start: CaseStart) async -> (value: Value, record: TestCase.Record)? {
    @Sendable func drawn() -> (value: Value, record: TestCase.Record)? {
      var testCase = TestCase()
      testCase.begin(start)
      guard let value = try? generator.body(&testCase) else { return nil }
      return (value, testCase.record)
    }
    guard let limiter else { return drawn() }
    return await limiter.run(until: end) { drawn() } ?? nil
  }

  private func run(
    _ start: CaseStart, in testCase: inout TestCase, _ trace: inout CaseTrace<Value>,
    within limiter: CaseLimiter
  ) async -> CaseEnd {
    let unlimited = unlimited
    // The value is kept for the report, because the property may not end.
    let drawn = Mutex<(Value, TestCase.Record)?>(nil)
    let (isTimed, keepsNotes) = (trace.isTimed, testCase.keepsNotes)
    let ended = await limiter.run(until: end) {
      var own = TestCase()
      var trace = CaseTrace<Value>(isTimed: isTimed)
      own.keepsNotes = keepsNotes
      let end = await unlimited.runHere(start, in: &own, &trace) { value, record in
        drawn.withLock { $0 = (value, record) }
      }
      return (end, trace, own.record)
    }
    if let ended {
      let end: CaseEnd
      (end, trace, testCase.record) = ended
      return end
    }
    if Task.isCancelled || end.map({ .now >= $0 }) ?? false { return .cancelled }
    guard let (value, record) = drawn.withLock({ $0 }) else { return .stuck }
    trace.value = value
    testCase.record = record
    return .failed(CaseTimedOut(limit: limiter.limit))
  }
}
