internal import Measurement
internal import PropertyTesting
internal import ZoomGeometry
internal import ZoomLaws
internal import ZoomPipeline

/// The results of `zoombench verify`.
enum VerifyReport {
  /// One law tried on one subject.
  struct LawRow: Codable, Sendable {
    let law: String
    let statement: String
    let source: String
    let subject: String
    let kind: VerifyPlan.Domain
    var cases = 0
    var discards = 0
    var isExhaustive = false
    var classes: [ClassShare] = []
    /// Whether the published system breaks the law; nil if another form was tried.
    var isBrokenAsPublished: Bool?
    /// The codes of the published defects that break the law, if the published form was tried.
    var defects: [String]?
    var verdict: LawVerdict
    var reason: String?
    var seconds = 0.0
    var breaches: [BreachRow] = []
    /// The strength of a server's rule: must, should or may.
    var strength: String?
  }

  struct ClassShare: Codable, Sendable {
    let name: String
    let count: Int
    /// The share among the sampled cases.
    let share: Double
    var requiredShare: Double?
    let isReached: Bool
  }

  enum LawVerdict: String, Codable, Sendable {
    case held, broken, undecided
  }

  /// The smallest input found that breaks a law.
  struct BreachRow: Codable, Sendable {
    let input: String
    let complaint: String
    /// The token of the case; nil for an input that is always tried.
    var token: String?
    /// The command that repeats it.
    let replay: String
    /// The command that opens it on a page, if it is a gesture.
    var play: String?
    var evaluations = 0
    var failureRate: [Double]?
    /// The file of its drawing, or from a journal the drawing itself.
    var picture: String?
    /// The faulty step of a server's request: region, size, rotation, quality, format or protocol.
    var stage: String?
    /// The known fault that fully explains it.
    var cause: String?
    /// The number of requests sent before it was seen.
    var foundAfter: Int?
  }
}

extension VerifyReport.LawRow {
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
    case .undecided(let why):
      let advice = report.isShortOfInputs ? " (try another --seed)" : ""
      (verdict, reason) = (.undecided, why + advice)
    }
    seconds = report.elapsed / .seconds(1)
    let shown = { (text: String) in item.kind == .viewer ? Self.rounded(text) : text }
    breaches = zip(report.breaches, pictures).map { breach, picture in
      VerifyReport.BreachRow(
        input: shown(breach.input), complaint: shown(Self.complaint(of: breach)),
        token: breach.token.map { "\($0)" },
        replay: VerifyReport.replay(item, breach.token),
        play: VerifyReport.play(breach, law: report.law, subject: report.subject),
        evaluations: breach.evaluations,
        failureRate: breach.failureRate.map { [$0.lowerBound, $0.upperBound] }, picture: picture)
    }
  }
}

extension VerifyReport.LawRow {
  /// Returns the complaint without the name of a generated picture's file, which no longer exists.
  private static func complaint(of breach: LawReport.Breach) -> String {
    guard let error = breach.error as? PipelineError else { return breach.complaint }
    return "\(error.operation): \(error.reason)"
  }

  /// Returns text about a viewer, which sees no forces, with times in thousandths of a second, and other numbers in
  /// hundredths or, for scales and factors, in four digits; a token has the exact ones.
  static func rounded(_ text: String) -> String {
    // A number ends in a digit: "0_0.png" and "v2.js:1" hold no fraction.
    let number = /(\d(?:[\d.]*\d)?(?:e-\d+)?)( s\b)?/
    return text.replacing(/\ force \d[\d.]*/, with: "").replacing(number) { found -> String in
      guard found.1.contains(/[.e]/), let value = Double(found.1) else { return String(found.0) }
      let unit = found.2 != nil || (1..<10).contains(value) ? 1e3 : value < 1 ? 1e4 : 1e2
      return Format.number((value * unit).rounded() / unit) + (found.2 ?? "")
    }
  }

  /// Returns the row for a picture that cannot be opened or ends the process, so no law can be tried on it.
  ///
  /// Without a complaint, the time ran out first. `replay` is the command that tries it again.
  static func unusable(subject: String, complaint: String?, replay: String) -> Self {
    VerifyReport.LawRow(
      law: "PX", statement: "Whatever is asked of a picture, the program answers or refuses.",
      source: "zoombench", subject: subject, kind: .pixels, cases: complaint == nil ? 0 : 1,
      verdict: complaint == nil ? .undecided : .broken,
      reason: complaint == nil ? VerifyReport.noTimeLeft : nil,
      breaches: [complaint].compactMap(\.self).map {
        VerifyReport.BreachRow(input: subject, complaint: $0, replay: replay)
      })
  }
}

extension VerifyReport {
  /// The beginning of a drawing in a row, instead of its file.
  static let drawingPrefix = "data:image/png;base64,"

  static let noTimeLeft = "the time ran out before a case was tried"

  /// Returns the command that repeats one case.
  static func replay(_ item: VerifyPlan.Item, _ token: ReplayToken?) -> String {
    (["zoombench", "verify", "--laws", item.trial.law] + item.selection
      + ["--subject", item.trial.subject] + (token.map { ["--replay", "\($0)"] } ?? []))
      .map(ShellWord.quoted).joined(separator: " ")
  }

  /// Returns the command that opens a breach on a page; nil if its input is not a gesture.
  static func play(_ breach: LawReport.Breach, law: String, subject: String) -> String? {
    // Other subjects are variants that a live system cannot play.
    guard breach.gesture != nil,
      ZoomForm.allCases.contains(where: { subject.hasSuffix(" \($0.rawValue)") })
    else { return nil }
    return
      (["zoombench", "play", "--law", law, "--subject", subject]
      + (breach.token.map { ["--replay", "\($0)"] } ?? []))
      .map(ShellWord.quoted).joined(separator: " ")
  }

  /// Returns why a token gives no case of a row; cases of viewers also depend on what was measured of the page.
  static func refusal(_ row: LawRow) -> String {
    "--replay: the token is of another law, form or subject than \(row.law) \(row.subject)"
      + (row.kind == .viewer
        ? ", or the page was measured otherwise (replay it on a quiet machine)" : "")
  }

  /// Returns the row of a law that was not tried for lack of time.
  static func untried(_ item: VerifyPlan.Item) -> LawRow {
    LawRow(
      law: item.trial.law, statement: item.trial.statement, source: item.trial.source,
      subject: item.trial.subject, kind: item.kind, verdict: .undecided, reason: noTimeLeft)
  }
}
