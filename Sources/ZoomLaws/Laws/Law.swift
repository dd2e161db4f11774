public import PropertyTesting

/// Something that laws are held against: one form of a zoom system, a pipeline, or a faulty one.
public protocol LawSubject: Sendable {
  /// What reports call it, such as `peek corrected` or `tiled`.
  var name: String { get }
  /// What one case costs, in units of a formula's evaluation: 1 unless it plays or decodes.
  ///
  /// Whoever runs many laws gives each so many times fewer cases.
  var caseCost: Int { get }
}

extension LawSubject {
  /// A formula's cost.
  public var caseCost: Int { 1 }
}

/// A statement that must hold for every input, with the way to test it.
///
/// Laws are values: a list of them is run against any subject of the kind they speak of, by
/// `zoombench verify`, by our tests and by anyone's own.
public struct Law<Subject: LawSubject>: Sendable {
  /// A short name, unique among the laws of a subject: `FZ-P1`.
  public let name: String
  /// The law in one sentence.
  public let statement: String
  /// Where it comes from.
  public let source: String
  /// Whether the system as it was published breaks it.
  public private(set) var isBrokenAsPublished: Bool
  package let run: @Sendable (Subject, PropertySettings) async -> LawReport

  /// A law of inputs that are the same for every subject.
  ///
  /// Examples are always tried first. `words` says an input in words and numbers; `holds` throws
  /// where the law is broken, as `Property.require` does.
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

  /// A law of inputs that depend on the subject, such as regions of its picture.
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
        "\(name) \(subject.name)", inputs(subject), examples: examples(subject),
        settings: settings, describe: words
      ) { input, testCase in
        try await holds(subject, input, &testCase)
      }
      return LawReport(law: name, statement: statement, subject: subject.name, report)
    }
  }

  /// The law, marked as broken by what was published.
  package var markedBroken: Law {
    var law = self
    law.isBrokenAsPublished = true
    return law
  }

  /// Holds the law against a subject.
  public func check(
    _ subject: Subject, settings: PropertySettings = PropertySettings()
  ) async -> LawReport {
    await run(subject, settings)
  }
}
