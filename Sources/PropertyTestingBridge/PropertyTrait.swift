public import PropertyTesting
public import Testing

/// A trait with the settings for the properties of a test, or of every test of a suite.
///
/// Traits combine: a setting that the trait of a test leaves unset comes from its suite.
public struct PropertyTrait: TestTrait, SuiteTrait, TestScoping {
  /// Whether the trait also applies to the tests of a suite; true.
  public var isRecursive: Bool { true }

  private let sourceLocation: SourceLocation
  private let change: @Sendable (inout PropertySettings) throws -> Void
  private let leftSeed: UInt64?

  /// The settings of the current test.
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
        The seed \(leftSeed) was left in place, so every run tries the same cases. Remove it, \
        or give a reason: seed: .fixed(\(leftSeed), because: "…").
        """, sourceLocation: sourceLocation)
    }
    try await Self.$settings.withValue(settings, operation: function)
  }
}

extension Trait where Self == PropertyTrait {
  /// Sets the number of cases, the seed and the parallelism.
  ///
  /// - Parameters:
  ///   - cases: the number of valid cases of each property; nil to inherit it, or 100.
  ///   - seed: a bare number fails the test after the run, so that it is not committed by mistake; see `PropertySeed`.
  ///   - parallelism: the number of cases that run in parallel; nil to inherit it, or 1.
  ///   - sourceLocation: the reported position of a bare seed.
  /// - Returns: The trait.
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

  /// Changes any of the settings, such as the failure store.
  ///
  /// - Parameters:
  ///   - sourceLocation: the reported position of an error that the change throws.
  ///   - change: modifies the inherited settings.
  /// - Returns: The trait.
  public static func property(
    sourceLocation: SourceLocation = #_sourceLocation,
    changing change: @escaping @Sendable (inout PropertySettings) throws -> Void
  ) -> Self {
    PropertyTrait(at: sourceLocation, change)
  }

  /// Replays a failing case before all others.
  ///
  /// - Parameters:
  ///   - token: the token printed by a failing property. A damaged token fails the test.
  ///   - sourceLocation: the reported position of a damaged token.
  /// - Returns: The trait; use several to replay several cases.
  public static func reproducing(
    _ token: String, sourceLocation: SourceLocation = #_sourceLocation
  ) -> Self {
    PropertyTrait(at: sourceLocation) {
      $0.reproducing.append(try ReplayToken(parsing: token))
    }
  }
}

/// The seed of a property.
///
/// A bare number is meant for debugging: the test runs with it and fails, because a seed committed by mistake prevents
/// a property from ever trying new cases.
public struct PropertySeed: ExpressibleByIntegerLiteral, Hashable, Sendable {
  /// The number; nil for a new one in each run.
  let number: UInt64?
  /// Whether the number was fixed without a reason.
  let isLeft: Bool

  /// Creates a temporary seed, which fails the test.
  public init(integerLiteral value: UInt64) {
    self.init(number: value, isLeft: true)
  }

  private init(number: UInt64?, isLeft: Bool) {
    self.number = number
    self.isLeft = isLeft
  }

  /// A new seed in each run, even if the suite fixes one.
  public static var random: PropertySeed { PropertySeed(number: nil, isLeft: false) }

  /// Returns a seed that is the same in every run on purpose.
  ///
  /// - Parameters:
  ///   - number: the seed.
  ///   - reason: the reason, for readers of the test. Without a visible character, the seed counts as a bare number.
  /// - Returns: The seed.
  public static func fixed(_ number: UInt64, because reason: String) -> PropertySeed {
    PropertySeed(number: number, isLeft: reason.allSatisfy(\.isWhitespace))
  }
}
