#if canImport(FoundationEssentials)
  public import FoundationEssentials
#elseif canImport(Foundation)
  public import Foundation
#endif
public import PropertyTesting
public import Testing

/// A trait with the settings for the properties of a test, or of every test of a suite.
///
/// Traits combine: a setting that the trait of a test leaves unset comes from its suite.
public struct PropertyTrait: TestTrait, SuiteTrait, TestScoping {
  /// Whether the trait also applies to the tests of a suite; always true.
  public var isRecursive: Bool { true }

  @TaskLocal static var settings = PropertySettings()

  fileprivate let sourceLocation: SourceLocation
  fileprivate var forgottenSeed: UInt64?
  fileprivate let change: @Sendable (inout PropertySettings) throws -> Void

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
    if let forgottenSeed {
      Issue.record(
        """
        The seed \(forgottenSeed) was left in place, so every run tries the same cases. Remove it, \
        or give a reason: seed: .fixed(\(forgottenSeed), because: "…").
        """, sourceLocation: sourceLocation)
    }
    try await Self.$settings.withValue(settings, operation: function)
  }
}

extension Trait where Self == PropertyTrait {
  /// Sets the number of cases, the seed and the parallelism; nil inherits a setting.
  ///
  /// A bare number as the seed fails the test, which still runs; see `PropertySeed`.
  public static func property(
    cases: Int? = nil, seed: PropertySeed? = nil, parallelism: Int? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> Self {
    PropertyTrait(
      sourceLocation: sourceLocation, forgottenSeed: seed?.lacksReason == true ? seed?.number : nil
    ) {
      if let cases { $0.cases = cases }
      if let seed { $0.seed = seed.number }
      if let parallelism { $0.parallelism = parallelism }
    }
  }

  /// Changes any of the inherited settings, such as the failure store.
  public static func property(
    sourceLocation: SourceLocation = #_sourceLocation,
    changing change: @escaping @Sendable (inout PropertySettings) throws -> Void
  ) -> Self {
    PropertyTrait(sourceLocation: sourceLocation, change: change)
  }

  /// Replays the failing case of a token before all others; use several traits to replay several cases.
  ///
  /// A damaged token fails the test.
  public static func reproducing(
    _ token: String, sourceLocation: SourceLocation = #_sourceLocation
  ) -> Self {
    PropertyTrait(sourceLocation: sourceLocation) {
      $0.reproducing.append(try ReplayToken(parsing: token))
    }
  }
}

/// The seed of a property.
///
/// A bare number is for debugging: the test runs with it but fails, because every run tries the same cases.
public struct PropertySeed: ExpressibleByIntegerLiteral, Hashable, Sendable {
  /// The number; nil for a new one in each run.
  let number: UInt64?
  /// Whether the number was fixed without a reason.
  let lacksReason: Bool

  private init(number: UInt64?, lacksReason: Bool) {
    (self.number, self.lacksReason) = (number, lacksReason)
  }

  /// Creates a temporary seed, which fails the test.
  public init(integerLiteral value: UInt64) { self.init(number: value, lacksReason: true) }

  /// A new seed in each run, even if the suite fixes one.
  public static var random: PropertySeed { PropertySeed(number: nil, lacksReason: false) }

  /// Returns a seed that is the same in every run, with the reason for readers of the test.
  ///
  /// A reason without a visible character counts as none.
  public static func fixed(_ number: UInt64, because reason: String) -> PropertySeed {
    PropertySeed(number: number, lacksReason: reason.allSatisfy(\.isWhitespace))
  }
}

// The generator of dates is here, because PropertyTesting does not depend on Foundation.
#if canImport(FoundationEssentials) || canImport(Foundation)
  extension Gen where Value == Date {
    /// Returns a generator of dates in a range; the simplest is the nearest to the beginning of 1970.
    public static func date(in range: ClosedRange<Date>) -> Gen {
      let (low, high) = (range.lowerBound, range.upperBound)
      return Gen<Double>.double(in: low.timeIntervalSince1970...high.timeIntervalSince1970).map {
        min(max(Date(timeIntervalSince1970: $0), low), high)
      }
    }
  }
#endif
