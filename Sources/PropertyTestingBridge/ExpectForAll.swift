public import PropertyTesting
public import Testing

/// Expects the body to succeed for every value that the generators make.
///
/// ```swift
/// @Test(.property(cases: 500)) func `a sum is at least its parts`() async {
///   await expectForAll(.integer(in: 0...9), .integer(in: 0...9)) { a, b in
///     #expect(a + b >= max(a, b))
///   }
/// }
/// ```
///
/// The test reports a failure of `#expect`, `#require`, `Issue.record`, `confirmation` or a thrown error once, for the
/// simplest values found, at its source position. The trait is optional. Issues of child tasks count while the body
/// runs; issues of detached tasks are not attributed to the test. Warnings and known issues do not fail a case and are
/// reported once per source position. The test also fails if the run is inconclusive.
///
/// Examples are tried first. Failures are stored under `name`, which defaults to the file and the test; name each
/// property of a test that has several properties or arguments. The body throws `Discarded` for values to which the
/// property does not apply.
public func expectForAll<each Value: Sendable>(
  _ generator: repeat Gen<each Value>, name: String? = nil,
  examples: [(repeat each Value)] = [], sourceLocation: SourceLocation = #_sourceLocation,
  body: @escaping @Sendable (repeat each Value) async throws -> Void
) async {
  await expectToPass(.zip(repeat each generator), name, examples, sourceLocation) {
    values, _ in
    try await body(repeat each values)
  }
}

/// Expects the body to succeed for every value of a generator, and passes the test case to the body.
///
/// There are overloads for up to four generators.
public func expectForAll<A: Sendable>(
  _ a: Gen<A>, name: String? = nil, examples: [A] = [],
  sourceLocation: SourceLocation = #_sourceLocation,
  body: @escaping @Sendable (A, inout TestCase) async throws -> Void
) async {
  await expectToPass(a, name, examples, sourceLocation) { try await body($0, &$1) }
}

/// Expects the body to succeed for every pair of values; see the overload with one generator.
public func expectForAll<A: Sendable, B: Sendable>(
  _ a: Gen<A>, _ b: Gen<B>, name: String? = nil,
  examples: [(A, B)] = [], sourceLocation: SourceLocation = #_sourceLocation,
  body: @escaping @Sendable (A, B, inout TestCase) async throws -> Void
) async {
  await expectToPass(.zip(a, b), name, examples, sourceLocation) { try await body($0.0, $0.1, &$1) }
}

/// Expects the body to succeed for every triple of values; see the overload with one generator.
public func expectForAll<A: Sendable, B: Sendable, C: Sendable>(
  _ a: Gen<A>, _ b: Gen<B>, _ c: Gen<C>, name: String? = nil,
  examples: [(A, B, C)] = [], sourceLocation: SourceLocation = #_sourceLocation,
  body: @escaping @Sendable (A, B, C, inout TestCase) async throws -> Void
) async {
  await expectToPass(.zip(a, b, c), name, examples, sourceLocation) {
    try await body($0.0, $0.1, $0.2, &$1)
  }
}

/// Expects the body to succeed for every quadruple of values; see the overload with one generator.
public func expectForAll<A: Sendable, B: Sendable, C: Sendable, D: Sendable>(
  _ a: Gen<A>, _ b: Gen<B>, _ c: Gen<C>, _ d: Gen<D>, name: String? = nil,
  examples: [(A, B, C, D)] = [], sourceLocation: SourceLocation = #_sourceLocation,
  body: @escaping @Sendable (A, B, C, D, inout TestCase) async throws -> Void
) async {
  await expectToPass(.zip(a, b, c, d), name, examples, sourceLocation) {
    try await body($0.0, $0.1, $0.2, $0.3, &$1)
  }
}
