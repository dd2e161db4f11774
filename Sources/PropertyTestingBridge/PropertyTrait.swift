public import PropertyTesting
public import Testing

/// Says how the properties of a test, or of every test of a suite, are run.
///
/// Traits add up: what the trait of a test leaves open, the one of its suite decides.
public struct PropertyTrait: TestTrait, SuiteTrait, TestScoping {
  /// Whether it holds for the tests of a suite too; it does.
  public var isRecursive: Bool { true }

  private let sourceLocation: SourceLocation
  private let change: @Sendable (inout PropertySettings) throws -> Void
  private let leftSeed: UInt64?

  /// The settings that hold here.
  @TaskLocal static var settings = PropertySettings()

  init(
    at sourceLocation: SourceLocation, leftSeed: UInt64? = nil,
    _ change: @escaping @Sendable (inout PropertySettings) throws -> Void
  ) {
    self.sourceLocation = sourceLocation
    self.leftSeed = leftSeed
    self.change = change
  }

  /// Runs a test with the settings of this trait.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    var settings = Self.settings
    do {
      try change(&settings)
    } catch {
      Issue.record(error, sourceLocation: sourceLocation)
      return
    }
    if let leftSeed {
      Issue.record(
        """
        The seed \(leftSeed) was left in place, so every run looks at the same cases. Remove it, \
        or say why it is meant: seed: .fixed(\(leftSeed), because: "…").
        """, sourceLocation: sourceLocation)
    }
    try await Self.$settings.withValue(settings, operation: function)
  }
}

extension Trait where Self == PropertyTrait {
  /// Decides how many cases there are and what they are drawn from.
  ///
  /// - Parameters:
  ///   - cases: how many valid cases each property tries; what holds already, or 100, when nil.
  ///   - seed: a number fails the test once it has run, so that it is not committed by mistake;
  ///     see `PropertySeed`.
  ///   - parallelism: how many cases run at the same time; what holds already, or 1, when nil.
  ///   - sourceLocation: where a seed that was left in place is reported.
  /// - Returns: Such a trait.
  public static func property(
    cases: Int? = nil, seed: PropertySeed? = nil, parallelism: Int? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> Self {
    PropertyTrait(at: sourceLocation, leftSeed: seed?.isLeft == true ? seed?.number : nil) {
      if let cases { $0.cases = cases }
      if let seed { $0.seed = seed.number }
      if let parallelism { $0.parallelism = parallelism }
    }
  }

  /// Changes any of the settings, such as where failures are stored.
  ///
  /// - Parameters:
  ///   - sourceLocation: where an error that the change throws is reported.
  ///   - change: is given the settings that hold already.
  /// - Returns: Such a trait.
  public static func property(
    sourceLocation: SourceLocation = #_sourceLocation,
    changing change: @escaping @Sendable (inout PropertySettings) throws -> Void
  ) -> Self {
    PropertyTrait(at: sourceLocation, change)
  }

  /// Tries a case that failed once before all others.
  ///
  /// - Parameters:
  ///   - token: as a failing property prints it. One that is damaged fails the test.
  ///   - sourceLocation: where a damaged token is reported.
  /// - Returns: Such a trait; several of them try several cases.
  public static func reproducing(
    _ token: String, sourceLocation: SourceLocation = #_sourceLocation
  ) -> Self {
    PropertyTrait(at: sourceLocation) {
      $0.reproducing.append(try ReplayToken(parsing: token))
    }
  }
}

/// What the cases of a property are drawn from.
///
/// A bare number is for a run or two while a failure is looked into: the test runs with it and
/// fails, because a seed that is committed by mistake stops a property from ever seeing new cases.
public struct PropertySeed: ExpressibleByIntegerLiteral, Hashable, Sendable {
  /// The number; nil for a new one each run.
  let number: UInt64?
  /// Whether nobody said why the number is fixed.
  let isLeft: Bool

  /// A number to be removed again.
  public init(integerLiteral value: UInt64) {
    self.init(number: value, isLeft: true)
  }

  private init(number: UInt64?, isLeft: Bool) {
    self.number = number
    self.isLeft = isLeft
  }

  /// A new one each run, also where the suite fixes one.
  public static var random: PropertySeed { PropertySeed(number: nil, isLeft: false) }

  /// The same number in every run, on purpose.
  ///
  /// - Parameters:
  ///   - number: the seed.
  ///   - reason: why, for whoever reads the test. One without a visible character is no reason,
  ///     and the number counts as left in place.
  /// - Returns: Such a seed.
  public static func fixed(_ number: UInt64, because reason: String) -> PropertySeed {
    PropertySeed(number: number, isLeft: reason.allSatisfy(\.isWhitespace))
  }
}
