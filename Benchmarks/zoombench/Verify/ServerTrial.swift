internal import ForeignPipelines
internal import IIIFRules
internal import Measurement
internal import PixelLaws
internal import SystemPackage
internal import ZoomLaws
internal import ZoomPipeline

/// The rules of the IIIF Image API on one picture of a server.
struct ServerTrial: Sendable {
  let pipeline: ForeignPipeline
  let picture: NamedPicture

  var subject: String { "\(pipeline.name) \(Format.oneLine(picture.name))" }

  /// The prefix of rule names on the command line; alone it selects all rules.
  static let prefix = "IIIF"

  /// Returns the trials of the servers among the pipelines with each picture.
  ///
  /// - Returns: the trials, and the pictures that cannot be compared, with reasons.
  static func trials(
    _ pipelines: [ForeignPipeline], pictures: [NamedPicture]
  ) throws(PipelineError) -> (trials: [ServerTrial], leftOut: [String]) {
    var trials: [ServerTrial] = []
    var leftOut: [String] = []
    let servers = pipelines.filter { $0.isImageServer }
    guard let first = servers.first else { return ([], []) }
    for subject in pictures {
      let picture = try Picture(subject.path, limits: first.limits)
      if picture.format == .uint8, [1, 3].contains(picture.bands) {
        trials += servers.map { ServerTrial(pipeline: $0, picture: subject) }
      } else {
        leftOut.append(
          "\(Format.oneLine(subject.name)) by the rules of IIIF: only 8-bit pictures in grey or colour "
            + "without alpha are compared")
      }
    }
    return (trials, leftOut)
  }

  /// Tries the rules until a time, or sends only the request `replay` again.
  ///
  /// - Returns: one row per rule that was checked.
  /// - Throws: `Failure` for a picture that cannot be compared, `PipelineError` for one that cannot be read.
  func run(
    seed: UInt64, replay: IIIFRequest?, until end: ContinuousClock.Instant?,
    draw: (PixelMismatch, String) throws -> String?,
    progress: @escaping @Sendable (Double, String) -> Void
  ) throws -> [VerifyReport.LawRow] {
    guard let service = pipeline.pictureService(of: picture.path) else { return [] }
    let start = ContinuousClock.now
    let opened = try Picture(picture.path, limits: service.limits)
    let stored = try opened.storedPixels()
    let decoded = service.isUpright ? stored.upright(from: opened.orientation) : stored
    let subject = subject
    let verifier: IIIFVerifier
    do {
      verifier = try IIIFVerifier(
        service.transport, address: service.address, picture: decoded, seed: seed,
        mostRequests: service.requests ?? Self.mostRequests, isLossy: service.isLossy,
        limits: service.limits, until: end, progress: { progress($0, "\(subject): \($1)") })
    } catch {
      throw Failure(.badInput, "\(picture.path): \(error.reason) (use another picture)")
    }
    let report = try replay.map { try verifier.replay($0) } ?? verifier.run()
    let seconds = start.duration(to: .now) / .seconds(1)
    let isOver = end.map { .now >= $0 } ?? false
    let untried =
      isOver
      ? "the time ran out before it was tried"
      : "none of \(report.requests) answers tests it"
    return try report.coverage.filter { $0.notApplicable == nil }.compactMap { coverage in
      let findings = report.findings.filter { $0.rule == coverage.rule }
      // A repeated request only tests its own rules.
      guard coverage.count > 0 || !findings.isEmpty || replay == nil else { return nil }
      return try row(coverage, findings, untried: untried, seconds: seconds, draw: draw)
    }
  }

  /// The most requests: enough for every rule and for faults that show in one of fifty requests.
  private static let mostRequests = 200

  private func row(
    _ coverage: IIIFReport.Coverage, _ findings: [IIIFFinding], untried: String, seconds: Double,
    draw: (PixelMismatch, String) throws -> String?
  ) throws -> VerifyReport.LawRow {
    let rule = coverage.rule
    // Unsteady answers are reported with their failure rate, not as broken.
    let isSteady = findings.contains { $0.failureRate == nil }
    let isUnsteady = !findings.isEmpty && !isSteady
    let isUntried = coverage.count == 0 && findings.isEmpty
    let isBroken = rule.strength == .must && isSteady
    var row = VerifyReport.LawRow(
      law: rule.id, statement: rule.statement, source: rule.source, subject: subject,
      kind: .server, cases: max(coverage.count, findings.count),
      verdict: isBroken ? .broken : isUnsteady || isUntried ? .undecided : .held,
      reason: isUnsteady ? "not every answer breaks it" : isUntried ? untried : nil,
      seconds: seconds,
      breaches: try findings.enumerated().map { index, finding in
        try breach(finding, index: index, draw: draw)
      })
    row.strength = rule.strength.rawValue
    return row
  }

  private func breach(
    _ finding: IIIFFinding, index: Int, draw: (PixelMismatch, String) throws -> String?
  ) throws -> VerifyReport.BreachRow {
    let request = finding.requests.last ?? ""
    let isReplayable = finding.requests.count == 1 && IIIFRequest(request) != nil
    let words =
      ["zoombench", "verify", "--laws", finding.rule.id, "--pipeline", pipeline.description]
      + [picture.path.string] + (isReplayable ? ["--replay", request] : [])
    var breach = VerifyReport.BreachRow(
      input: finding.requests.joined(separator: ", then "), complaint: finding.complaint,
      token: isReplayable ? request : nil,
      replay: words.map(ShellWord.quoted).joined(separator: " "),
      evaluations: finding.shrinkRequests,
      failureRate: finding.failureRate.map { [$0.lowerBound, $0.upperBound] },
      picture: try finding.mismatch.flatMap {
        try draw($0, "\(finding.rule.id)-\(subject)-\(index + 1)")
      })
    breach.stage = finding.stage.rawValue
    breach.cause = finding.cause
    breach.foundAfter = finding.foundAfter
    return breach
  }
}

extension IIIFRule {
  /// The rule's source: "IIIF Image API 3.0, section 4.1: must".
  fileprivate var source: String {
    let sections = [("2.1", section2), ("3.0", section3)].compactMap { version, section in
      section.map { "\(version), section \($0)" }
    }
    return "IIIF Image API \(sections.joined(separator: "; ")): \(strength.rawValue)"
  }
}
