internal import ForeignPipelines
internal import ZoomGeometry
internal import ZoomPipeline

/// One run of a verifier: its requests, answers and findings.
struct IIIFRun {
  typealias Answer = Result<ServerAnswer, ServerFailure>

  let verifier: IIIFVerifier
  let transport: PatientTransport
  let decoder: AnswerDecoder
  let size: PixelSize
  var sent = 0
  var findings: [IIIFFinding] = []
  var counts: [IIIFRule: Int] = [:]
  var information: IIIFInformation?
  /// Whether lossless answers must equal the full decode.
  var isExact = true
  private var defaultQuality: String?
  /// Whether a picture was judged; properties of the server are learned from the first one.
  private var hasJudged = false
  /// The number of investigations by rule and cause.
  private var attempts: [String: Int] = [:]
  /// Requests that were answered correctly, with their pictures, for repetition.
  var right: [(request: IIIFRequest, raster: Pixels)] = []
  var refused: [IIIFRequest] = []
  /// The features that work although they are not claimed.
  var unclaimed: Set<String> = []
  private var hasCheckedHTTP = false
  private let mostBytes: Int
  /// Whether requests that show a fault are shrunk; false for a replay.
  private(set) var shrinks = true

  init(_ verifier: IIIFVerifier, mostPixels: Int) throws(PipelineError) {
    (self.verifier, size) = (verifier, verifier.picture.size)
    decoder = try AnswerDecoder(mostPixels: mostPixels, limits: verifier.limits)
    transport = PatientTransport(
      verifier.transport, pause: verifier.outagePause, end: verifier.end)
    // Four bands of 16 bits, and one megabyte for metadata.
    let (bytes, overflow) = mostPixels.multipliedReportingOverflow(by: 8)
    mostBytes = min(overflow ? .max : bytes, 1 << 28, verifier.limits.memory.limit) + 1 << 20
    isExact = !verifier.isLossy
  }

  var judge: Judge? {
    information.map {
      Judge(
        information: $0, picture: verifier.picture, isExact: isExact, decoder: decoder,
        defaultQuality: defaultQuality)
    }
  }

  var isOver: Bool { verifier.end.map { .now >= $0 } ?? false }
  var mayAsk: Bool { sent < verifier.mostRequests && !isOver }

  /// Sends a request that counts towards the limit.
  mutating func send(_ request: ServerRequest) -> Answer {
    sent += 1
    return ask(request)
  }

  mutating func send(_ request: IIIFRequest) -> Answer { send(ServerRequest(request.path)) }

  func ask(_ request: IIIFRequest) -> Answer { ask(ServerRequest(request.path)) }

  /// Sends a request with an Origin header like a browser: some servers send CORS headers only then.
  func ask(_ request: ServerRequest) -> Answer {
    var request = request
    request.headers.append("Origin: \(Judge.origin)")
    request.mostBytes = mostBytes
    return Result { () throws(ServerFailure) in try transport.send(request) }
  }

  mutating func all() -> IIIFReport {
    askForInformation()
    guard let information else { return report() }
    var deck = RequestDeck(information, seed: verifier.seed)
    var designed = deck.designed()[...]
    let count = designed.count
    while mayAsk, findings.count < verifier.mostFindings {
      let request = designed.popFirst() ?? deck.next()
      verifier.progress(Double(sent) / Double(verifier.mostRequests), "\(request)")
      tryRequest(request)
      if !hasCheckedHTTP && designed.count <= count - 12 {
        hasCheckedHTTP = true
        checkHTTP()
      }
      if designed.count == count - 20 { checkOffers(information) }
      if designed.count == count - 26 || (designed.isEmpty && sent % 40 == 0) { repeatSome() }
    }
    return report()
  }

  mutating func one(_ request: IIIFRequest) -> IIIFReport {
    shrinks = false
    askForInformation()
    // The rules on what info.json lists come first, because each fault is reported only once.
    for offer in information.map(offers) ?? [] where offer.request == request && offer.rule != nil {
      tryRequest(request, offeredBy: offer.rule, exact: offer.exact)
    }
    tryRequest(request)
    return report()
  }

  private func report() -> IIIFReport {
    let version = information?.version ?? .three
    let coverage = IIIFRule.allCases.map { rule in
      let section = version == .two ? rule.section2 : rule.section3
      return IIIFReport.Coverage(
        rule: rule, count: counts[rule] ?? 0,
        notApplicable: section == nil ? "version \(version.rawValue) does not have it" : nil)
    }
    return IIIFReport(
      findings: findings, coverage: coverage, requests: sent + transport.probes, summary: summary)
  }

  private var summary: String {
    guard let information else { return "no info.json" }
    let agreement =
      isExact ? "its pixels equal a full decode" : "its pixels are compared by means and place"
    return """
      IIIF \(information.version.rawValue), level \(information.level), \(information.format), \
      \(information.size); \(agreement)
      """
  }

  /// Counts an answer for the rules that it decides; an answer cut off by the end of the run decides none.
  mutating func count(_ rules: [IIIFRule]) {
    guard !transport.isOutOfTime else { return }
    for rule in rules { counts[rule, default: 0] += 1 }
  }

  /// Notes a finding that does not concern a single picture request.
  mutating func note(
    _ rule: IIIFRule, _ complaint: String, _ requests: [String], cause: String? = nil,
    failureRate: ClosedRange<Double>? = nil
  ) {
    // An answer that the end of the run has cut off is not a finding.
    guard isNew(rule, cause), !transport.isOutOfTime else { return }
    findings.append(
      IIIFFinding(
        rule: rule, stage: rule.stage, cause: cause, complaint: complaint, requests: requests,
        original: requests.last ?? "", foundAfter: sent, shrinkRequests: 0,
        failureRate: failureRate, mismatch: nil))
  }

  func isNew(_ rule: IIIFRule, _ cause: String?) -> Bool {
    !findings.contains { $0.rule == rule && ($0.cause == cause || cause == nil) }
  }

  /// Sends a request and adds the defects of its answer to the findings.
  ///
  /// - Parameters:
  /// - request: a request for a picture.
  /// - rule: the rule by which info.json offers it, if any.
  /// - exact: the size that info.json states for it.
  mutating func tryRequest(
    _ request: IIIFRequest, offeredBy rule: IIIFRule? = nil, exact: PixelSize? = nil
  ) {
    guard let judge else { return }
    let answer = send(request)
    guard !transport.isOutOfTime else { return }
    let expectation = ExpectedAnswer(request, judge.information)
    let received = try? answer.get()
    let isPicture = received?.status == 200
    let decoded = isPicture ? received.flatMap { try? decoder.decode($0.body) } : nil
    var rules = judge.rules(of: expectation, answer, isDecoded: decoded != nil)
    var violations = judge.judge(request, answer)
    if !hasJudged, isPicture, expectation.shown != nil {
      hasJudged = true
      if violations.first?.isOfPixels == true, learn(request, answer) {
        violations = self.judge?.judge(request, answer) ?? []
      }
    }
    let isKept = violations.allSatisfy { $0.rule.isPassive }
    // The server must answer what info.json lists, even if the level would allow a refusal.
    if let rule, !isPicture, isKept, let received, !received.isDenied, isNew(rule, "refused") {
      let (refusals, repetitions) = repeated { (try? ask(request).get())?.status != 200 }
      note(
        rule, "status \(received.status) for what info.json lists", ["\(request)"],
        cause: "refused", failureRate: Self.rate(refusals, of: repetitions))
    }
    if isPicture, violations.isEmpty {
      noteUnclaimed(expectation)
      if let decoded {
        if right.count < 64 { right.append((request, decoded.raster)) }
        if let rule, let exact, decoded.raster.size != exact {
          note(
            rule, "\(decoded.raster.size) pixels instead of \(exact)", ["\(request)"],
            cause: "another size")
        }
      }
    }
    if violations.isEmpty, case .refusal = expectation.outcome, refused.count < 8 {
      refused.append(request)
    }
    if let rule, isPicture, isKept { rules.append(rule) }
    for violation in violations where isNew(violation.rule, violation.cause) {
      // `add` is slow and may end in a rule that is already reported, so it is tried only a few
      // times per rule and cause.
      let key = "\(violation.rule.id) \(violation.cause ?? "")"
      attempts[key, default: 0] += 1
      if attempts[key, default: 0] <= Self.mostAttempts {
        add(violation, request, offeredBy: rule)
      }
    }
    // If a violation was reported under another rule, its own rule must not count as checked and
    // kept.
    let explained = Set(violations.map(\.rule)).subtracting(findings.map(\.rule))
    count(rules.filter { !explained.contains($0) })
  }

  private static let mostAttempts = 4

  /// Adopts other assumptions if the first picture is right under them, and returns whether it is.
  ///
  /// They are a decoder whose samples differ slightly from ours, and a `default` quality other than color.
  private mutating func learn(_ request: IIIFRequest, _ answer: Answer) -> Bool {
    guard var judge else { return false }
    for (exact, quality) in [(false, nil), (isExact, "gray"), (false, "gray"), (false, "bitonal")] {
      (judge.isExact, judge.defaultQuality) = (exact, quality)
      guard !judge.judge(request, answer).contains(where: { $0.isOfPixels }) else { continue }
      (isExact, defaultQuality) = (exact, quality)
      if let quality {
        count([.qualityDefault])
        note(.qualityDefault, "default is \(quality)", ["\(request)"], cause: quality)
      }
      return true
    }
    return false
  }

  private mutating func noteUnclaimed(_ expectation: ExpectedAnswer) {
    guard expectation.outcome == .open, let shown = expectation.shown else { return }
    let known = unclaimed.count
    unclaimed.formUnion(shown.unclaimed)
    if unclaimed.count > known, let information { checkLevel(information) }
  }

  /// Sends a request that does not count, and returns the first defect of its answer.
  func violation(_ request: IIIFRequest) -> Violation? {
    judge?.judge(request, ask(request)).first
  }
}
