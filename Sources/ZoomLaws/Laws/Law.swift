public import PropertyTesting

/// A subject on which laws are tried: a form of a zoom system, a pipeline, or a faulty one.
public protocol LawSubject: Sendable {
  /// The subject's name in reports, such as `peek corrected` or `partial`.
  var name: String { get }
  /// The cost of one case, in evaluations of a formula: 1 unless the subject plays or decodes.
  ///
  /// A run of many laws divides the number of cases of each by it.
  var caseCost: Int { get }
}

extension LawSubject {
  /// A formula's cost.
  public var caseCost: Int { 1 }
}

/// A statement that must hold for every input, with the way to test it.
///
/// Laws are values. `zoombench verify` and the tests try lists of them on any subject of their type.
public struct Law<Subject: LawSubject>: Sendable {
  /// A short name, unique among the laws of a subject: `FZ-P1`.
  public let name: String
  /// The law in one sentence.
  public let statement: String
  /// The origin of the law.
  public let source: String
  /// Whether the published system breaks the law.
  public private(set) var isBrokenAsPublished: Bool
  package let run: @Sendable (Subject, PropertySettings) async -> LawReport

  /// Creates a law whose inputs are the same for every subject.
  ///
  /// Examples are always tried first. `words` describes an input; `holds` throws if the law is
  /// broken, as `Property.require` does.
  public init<Input: Sendable>(
    _ name: String, _ statement: String, source: String, isBrokenAsPublished: Bool = false,
    for inputs: Gen<Input>, examples: [Input] = [],
    inWords words: @escaping @Sendable (Input) -> String = { "\($0)" },
    holds: @escaping @Sendable (Subject, Input, inout TestCase) async throws -> Void
  ) {
    self.init(
      name, statement, source: source, isBrokenAsPublished: isBrokenAsPublished,
      forEach: { _ in inputs }, examples: { _ in examples }, inWords: words, holds: holds)
  }

  /// Creates a law whose inputs depend on the subject, such as regions of its picture.
  public init<Input: Sendable>(
    _ name: String, _ statement: String, source: String, isBrokenAsPublished: Bool = false,
    forEach inputs: @escaping @Sendable (Subject) -> Gen<Input>,
    examples: @escaping @Sendable (Subject) -> [Input] = { _ in [] },
    inWords words: @escaping @Sendable (Input) -> String = { "\($0)" },
    holds: @escaping @Sendable (Subject, Input, inout TestCase) async throws -> Void
  ) {
    self.name = name
    self.statement = statement
    self.source = source
    self.isBrokenAsPublished = isBrokenAsPublished
    run = { subject, settings in
      let report = await Property.check(
        "\(name) \(subject.name)", inputs(subject), examples: examples(subject), settings: settings,
        describe: words
      ) { input, testCase in try await holds(subject, input, &testCase) }
      return LawReport(law: name, statement: statement, subject: subject.name, report)
    }
  }

  package var markedBroken: Law {
    var law = self
    law.isBrokenAsPublished = true
    return law
  }

  /// Tries the law on a subject.
  public func check(
    _ subject: Subject, settings: PropertySettings = PropertySettings()
  ) async -> LawReport {
    await run(subject, settings)
  }
}

/// A family of laws that share their source, their inputs and the classes that inputs must reach.
struct LawFamily<Subject: LawSubject, Input: Sendable>: Sendable {
  let source: String
  let forEach: @Sendable (Subject) -> Gen<Input>
  let inWords: @Sendable (Input) -> String
  var classify: @Sendable (Input, inout TestCase) -> Void = { _, _ in }
  /// Whether laws try their examples; false for viewers, because those are scripts for our systems.
  var hasExamples = true

  /// Returns a law of the family; examples that are nil are left out.
  func callAsFunction(
    _ name: String, _ statement: String, isBroken: Bool = false, examples: [Input?] = [],
    holds: @escaping @Sendable (Subject, Input, inout TestCase) throws -> Void
  ) -> Law<Subject> {
    Law(
      name, statement, source: source, isBrokenAsPublished: isBroken, forEach: forEach,
      examples: { [hasExamples] _ in hasExamples ? examples.compactMap { $0 } : [] },
      inWords: inWords,
      holds: { subject, input, testCase in
        classify(input, &testCase)
        try holds(subject, input, &testCase)
      })
  }
}

extension LawFamily {
  /// Creates a family whose inputs are the same for every subject.
  init(
    source: String, inputs: Gen<Input>, inWords: @escaping @Sendable (Input) -> String,
    classify: @escaping @Sendable (Input, inout TestCase) -> Void = { _, _ in }
  ) {
    self.init(source: source, forEach: { _ in inputs }, inWords: inWords, classify: classify)
  }
}

extension TestCase {
  /// Returns whether the case is in a class, and counts it; at least the given share of cases must
  /// be in the class.
  ///
  /// A law that does not apply to other cases returns early for them. If fewer than the required
  /// share are in the class, the verdict is undecided.
  mutating func reaches(_ isReached: Bool, _ name: String, atLeast share: Double) -> Bool {
    classify(isReached, as: name, atLeast: share)
    return isReached
  }
}

/// Returns a value that a law needs, or discards the case.
func given<Value>(_ value: Value?) throws(Discarded) -> Value {
  guard let value else { throw Discarded() }
  return value
}

/// A subject with the laws to try on it.
public struct LawSuite: Sendable {
  /// The name of the subject.
  public let subject: String
  /// The laws, each with the subject.
  public let trials: [LawTrial]

  /// Creates a suite of laws for a subject.
  public init<Subject>(_ subject: Subject, laws: [Law<Subject>]) {
    self.subject = subject.name
    trials = laws.map { LawTrial($0, on: subject) }
  }
}

/// A law with a subject of any type to try it on.
public struct LawTrial: Sendable {
  /// The law's name.
  public let law: String
  /// The law in one sentence.
  public let statement: String
  /// The origin of the law.
  public let source: String
  /// The name of the subject.
  public let subject: String
  /// Whether the published system breaks the law.
  public let isBrokenAsPublished: Bool
  /// The cost of one case; see `LawSubject.caseCost`.
  public let caseCost: Int
  private let run: @Sendable (PropertySettings) async -> LawReport

  /// Creates a trial of a law on a subject.
  public init<Subject>(_ law: Law<Subject>, on subject: Subject) {
    self.law = law.name
    statement = law.statement
    source = law.source
    self.subject = subject.name
    isBrokenAsPublished = law.isBrokenAsPublished
    caseCost = subject.caseCost
    run = { await law.run(subject, $0) }
  }

  /// Returns the first breach in random cases, even if required classes are missed; laws with a
  /// higher cost per case get fewer cases.
  package func firstBreach(cases: Int, seed: UInt64) async -> LawReport.Breach? {
    await quickReport(cases: cases, extraFactor: 1, seed: seed).breaches.min {
      $0.foundAt < $1.foundAt
    }
  }

  /// Returns the reason why random cases break the law or miss its classes; nil if they do not.
  package func firstComplaint(cases: Int, seed: UInt64) async -> String? {
    // More cases may be needed to decide whether a class is missed.
    let report = await quickReport(cases: cases, extraFactor: 10, seed: seed)
    if let breach = report.breaches.first { return "\(breach.input): \(breach.complaint)" }
    let missed = report.classes.filter { $0.verdict == .missed }
    return missed.isEmpty ? nil : "\(missed.map(\.name)) are missed"
  }

  /// Tries the law without shrinking, on up to `extraFactor` times as many cases to decide on classes.
  private func quickReport(cases: Int, extraFactor: Int, seed: UInt64) async -> LawReport {
    var settings = PropertySettings(cases: max(10, cases / caseCost), seed: seed)
    settings.phases = [.explicit, .generate]
    settings.failureLimit = 1
    settings.flakiness.replays = 0
    settings.classCases = extraFactor * settings.cases
    return await run(settings)
  }

  /// Tries the law on the subject.
  public func check(_ settings: PropertySettings = PropertySettings()) async -> LawReport {
    await run(settings)
  }
}
