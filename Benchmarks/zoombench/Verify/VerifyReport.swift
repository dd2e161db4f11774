internal import Measurement
internal import PropertyTesting
internal import ZoomGeometry
internal import ZoomLaws
internal import ZoomPipeline

/// What `zoombench verify` found, as its JSON has it.
struct VerifyReport: Codable, Sendable {
  /// The format's version.
  var version = 1
  let tool: String
  let command: [String]
  let startedAt: String
  let seed: UInt64
  var seconds: Double
  let environment: MachineDescription
  var laws: [LawRow]
  /// Which source did not try which picture, and why.
  var leftOut: [String] = []
  /// How to try more.
  var advice: String?
  /// The machines that shards were tried on; nil for a run on one.
  var machines: [String]?

  /// One law held against one subject.
  struct LawRow: Codable, Sendable {
    let law: String
    let statement: String
    let source: String
    let subject: String
    let kind: VerifyPlan.Domain
    var cases: Int
    var discards: Int
    let isExhaustive: Bool
    var classes: [ClassShare]
    /// Whether the system as it was published breaks the law; nil where another form was tried.
    var isBrokenAsPublished: Bool?
    /// The codes of the published defects that break the law, where the published form was tried.
    var defects: [String]?
    var verdict: LawEnding
    /// Why it is undecided.
    var reason: String?
    var seconds: Double
    /// The share of the time, from 0 to 1, that drawing cases took; the rest is the law's own.
    var engineShare: Double
    var breaches: [BreachRow]
    /// How binding a server's rule is: must, should or may.
    var strength: String?
  }

  struct ClassShare: Codable, Sendable {
    let name: String
    let count: Int
    /// Of the cases that were looked at.
    let share: Double
    var requiredShare: Double?
    let isReached: Bool
  }

  enum LawEnding: String, Codable, Sendable {
    case held, broken, undecided
  }

  /// The smallest input found that breaks a law.
  struct BreachRow: Codable, Sendable {
    let input: String
    let complaint: String
    /// Names the case; an input that is always tried has none.
    var token: String?
    /// The command that shows it again.
    let replay: String
    /// The command that opens it on a page, where it is a gesture.
    var play: String?
    let evaluations: Int
    var failureRate: [Double]?
    /// What was drawn of it.
    var picture: String?
    /// The step of a server's request that goes wrong: region, size, rotation, quality, format or protocol.
    var stage: String?
    /// The known fault that explains it wholly.
    var cause: String?
    /// How many requests had been sent when it was seen.
    var foundAfter: Int?
    /// Whether an earlier report did not have it; nil without one.
    var isNew: Bool?
  }

  /// How many rows ended in a way.
  func count(_ verdict: LawEnding) -> Int { laws.count { $0.verdict == verdict } }

  /// How many laws of published systems differ from their mark; nil without any.
  var surprises: Int? {
    let published = laws.filter { $0.isBrokenAsPublished != nil }
    return published.isEmpty
      ? nil
      : published.count {
        $0.verdict != .undecided && ($0.verdict == .broken) != $0.isBrokenAsPublished
      }
  }

  /// How many cases were tried of a kind.
  func cases(_ kind: VerifyPlan.Domain) -> Int {
    laws.reduce(0) { $0 + ($1.kind == kind ? $1.cases : 0) }
  }
}

extension VerifyReport.LawRow {
  /// What a law's report says, for people and machines.
  init(_ report: LawReport, of item: VerifyPlan.Item, pictures: [String?]) {
    law = report.law
    statement = report.statement
    source = item.trial.source
    subject = report.subject
    kind = item.kind
    isBrokenAsPublished =
      item.selection.contains("--original") ? item.trial.isBrokenAsPublished : nil
    if isBrokenAsPublished != nil {
      let system = ZoomSystem.allCases.first { item.selection.contains($0.rawValue) }
      defects = system.map { PublishedDefect.behind(report.law, of: $0).map(\.code) }
    }
    cases = report.cases
    discards = report.discards
    isExhaustive = report.isExhaustive
    classes = report.classes.map {
      VerifyReport.ClassShare(
        name: $0.name, count: $0.count, share: $0.share, requiredShare: $0.requiredShare,
        isReached: $0.isReached)
    }
    switch report.verdict {
    case .held: verdict = .held
    case .broken: verdict = .broken
    case .undecided(let why): (verdict, reason) = (.undecided, why)
    }
    seconds = report.elapsed / .seconds(1)
    engineShare = report.engineShare
    breaches = zip(report.breaches, pictures).map { breach, picture in
      VerifyReport.BreachRow(
        input: breach.input, complaint: Self.complaint(of: breach),
        token: breach.token.map { "\($0)" },
        replay: VerifyReport.replay(item, breach.token),
        play: FoundCases.command(breach, law: report.law, subject: report.subject),
        evaluations: breach.evaluations,
        failureRate: breach.failureRate.map { [$0.lowerBound, $0.upperBound] }, picture: picture)
    }
  }
}

extension VerifyReport.LawRow {
  /// What is wrong, without the name of a generated picture's file, which is gone when it is read.
  private static func complaint(of breach: LawReport.Breach) -> String {
    guard let error = breach.error as? PipelineError else { return breach.complaint }
    return "\(error.operation): \(error.reason)"
  }

  /// A row for what cannot be opened, or ends the process: no law can be tried on it.
  ///
  /// Without a complaint the time ran out before. `replay` is the command that tries it again.
  static func unusable(subject: String, complaint: String?, replay: String) -> Self {
    VerifyReport.LawRow(
      law: "PX", statement: "Whatever is asked of a picture, the program answers or refuses.",
      source: "zoombench", subject: subject, kind: .pixels, cases: complaint == nil ? 0 : 1,
      discards: 0, isExhaustive: false, classes: [],
      verdict: complaint == nil ? .undecided : .broken,
      reason: complaint == nil ? VerifyReport.noTimeLeft : nil, seconds: 0, engineShare: 0,
      breaches: complaint.map {
        [
          VerifyReport.BreachRow(
            input: subject, complaint: $0, replay: replay, evaluations: 0)
        ]
      } ?? [])
  }
}

extension VerifyReport {
  static let noTimeLeft = "the time ran out before a case was tried"

  /// The line that shows one case again.
  static func replay(_ item: VerifyPlan.Item, _ token: ReplayToken?) -> String {
    (["zoombench", "verify", "--laws", item.trial.law] + item.selection
      + ["--subject", item.trial.subject] + (token.map { ["--replay", "\($0)"] } ?? []))
      .map(ShellWord.quoted).joined(separator: " ")
  }

  /// Marks what breaks laws and rules now and did not in an earlier report.
  ///
  /// A breach is the same if its law, its subject and its cause are, or without a cause its input.
  mutating func mark(newSince file: String) throws {
    let earlier = try ResultFile.verification(file)
    func name(_ row: LawRow, _ breach: BreachRow) -> String {
      "\(row.law) \(row.subject) \(breach.cause ?? breach.input)"
    }
    let known = Set(earlier.laws.flatMap { row in row.breaches.map { name(row, $0) } })
    for index in laws.indices {
      for place in laws[index].breaches.indices {
        laws[index].breaches[place].isNew =
          !known.contains(name(laws[index], laws[index].breaches[place]))
      }
    }
  }

  /// A law for which no time was left.
  static func untried(_ item: VerifyPlan.Item) -> LawRow {
    LawRow(
      law: item.trial.law, statement: item.trial.statement, source: item.trial.source,
      subject: item.trial.subject, kind: item.kind, cases: 0, discards: 0, isExhaustive: false,
      classes: [], verdict: .undecided, reason: noTimeLeft,
      seconds: 0, engineShare: 0, breaches: [])
  }
}
