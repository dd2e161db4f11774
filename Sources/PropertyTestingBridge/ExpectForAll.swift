public import PropertyTesting
public import Testing

/// Expects something of every value that generators make.
///
/// ```swift
/// @Test(.property(cases: 500)) func `a sum is at least its parts`() async {
///   await expectForAll(.integer(in: 0...9), .integer(in: 0...9)) { a, b in
///     #expect(a + b >= max(a, b))
///   }
/// }
/// ```
///
/// What fails inside, by `#expect`, `#require`, `Issue.record`, `confirmation` or a thrown error,
/// is reported once, for the simplest values found, at the place that failed. The trait is
/// optional. Tasks that the body starts count for as long as the body runs; detached ones are no
/// part of the test. Warnings and known issues fail no case; the first from each place is passed
/// on. So inside `withKnownIssue` nothing is made simple.
///
/// The test also fails when the run shows nothing: too few valid cases, or a class required by
/// `TestCase.classify` that was not reached.
///
/// - Parameters:
///   - generator: makes the values; each is an argument of the body.
///   - name: under which failures are stored; the file and test when nil, so a test with several
///     properties, or with arguments, and a store of failures should name each.
///   - examples: values that are tried first.
///   - sourceLocation: where a failure that knows no place of its own is reported.
///   - body: throws `Discarded` for values that are no test.
public func expectForAll<each Value: Sendable>(
  _ generator: repeat Gen<each Value>, name: String? = nil,
  examples: [(repeat each Value)] = [], sourceLocation: SourceLocation = #_sourceLocation,
  body: @escaping @Sendable (repeat each Value) async throws -> Void
) async {
  await expectToPass(Gens.zip(repeat each generator), name, examples, sourceLocation) {
    values, _ in
    try await body(repeat each values)
  }
}

/// Expects something of every value that a generator makes, and speaks to the run.
///
/// The body is given the case after the values, to classify it, to collect of it, to discard it or
/// to draw more; up to four generators can be given.
public func expectForAll<A: Sendable>(
  _ a: Gen<A>, name: String? = nil,
  examples: [A] = [], sourceLocation: SourceLocation = #_sourceLocation,
  body: @escaping @Sendable (A, inout TestCase) async throws -> Void
) async {
  await expectToPass(a, name, examples, sourceLocation) {
    try await body($0, &$1)
  }
}

/// As with one generator.
public func expectForAll<A: Sendable, B: Sendable>(
  _ a: Gen<A>, _ b: Gen<B>, name: String? = nil,
  examples: [(A, B)] = [], sourceLocation: SourceLocation = #_sourceLocation,
  body: @escaping @Sendable (A, B, inout TestCase) async throws -> Void
) async {
  await expectToPass(Gens.zip(a, b), name, examples, sourceLocation) {
    try await body($0.0, $0.1, &$1)
  }
}

/// As with one generator.
public func expectForAll<A: Sendable, B: Sendable, C: Sendable>(
  _ a: Gen<A>, _ b: Gen<B>, _ c: Gen<C>, name: String? = nil,
  examples: [(A, B, C)] = [], sourceLocation: SourceLocation = #_sourceLocation,
  body: @escaping @Sendable (A, B, C, inout TestCase) async throws -> Void
) async {
  await expectToPass(Gens.zip(a, b, c), name, examples, sourceLocation) {
    try await body($0.0, $0.1, $0.2, &$1)
  }
}

/// As with one generator.
public func expectForAll<A: Sendable, B: Sendable, C: Sendable, D: Sendable>(
  _ a: Gen<A>, _ b: Gen<B>, _ c: Gen<C>, _ d: Gen<D>, name: String? = nil,
  examples: [(A, B, C, D)] = [], sourceLocation: SourceLocation = #_sourceLocation,
  body: @escaping @Sendable (A, B, C, D, inout TestCase) async throws -> Void
) async {
  await expectToPass(Gens.zip(a, b, c, d), name, examples, sourceLocation) {
    try await body($0.0, $0.1, $0.2, $0.3, &$1)
  }
}

/// Expects something of every value of one generator.
private func expectToPass<Value: Sendable>(
  _ generator: Gen<Value>, _ name: String?, _ examples: [Value],
  _ sourceLocation: SourceLocation,
  body: @escaping @Sendable (Value, inout TestCase) async throws -> Void
) async {
  await expectToPass(name, at: sourceLocation) { name, settings in
    await Property.check(name, generator, examples: examples, settings: settings) {
      value, testCase in
      try await IssueSink().collect { try await body(value, &testCase) }
    }
  }
}

/// Expects that a subject does what its model says, whatever is done to it in whatever order.
///
/// Commands and invariants may throw or use `#expect`; either way the first step that fails is
/// named, and the sequence that is reported is the shortest found.
///
/// - Parameters:
///   - machine: says what can be done and what holds.
///   - steps: how many commands a sequence has; from 0.
///   - name: under which failures are stored; the file and test when nil.
///   - sourceLocation: where a failure that knows no place of its own is reported.
///   - makeSubject: makes a subject in the state of the model at the beginning.
public func expectConforms<Subject, Model>(
  _ machine: StateMachine<Subject, Model>, steps: ClosedRange<Int> = 1...50,
  name: String? = nil, sourceLocation: SourceLocation = #_sourceLocation,
  makeSubject: @escaping @Sendable (Model) async throws -> Subject
) async {
  await expectToPass(name, at: sourceLocation) { name, settings in
    await Property.check(name, .commands(of: machine, count: steps), settings: settings) {
      sequence, testCase in
      let sink = IssueSink()
      try await sink.collect {
        try await machine.run(
          sequence, noting: &testCase, makeSubject: makeSubject, checkpoint: sink.verify)
      }
    }
  }
}
