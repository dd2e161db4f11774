internal import ForeignPipelines
internal import PixelLaws
internal import ZoomGeometry
internal import ZoomPipeline

/// Turns a violation into a finding: shrinks the request, and determines the step to blame and the cause.
extension IIIFRun {
  mutating func add(
    _ violation: Violation, _ request: IIIFRequest, offeredBy offering: IIIFRule?
  ) {
    guard let judge, let information else { return }
    let foundAfter = sent
    var last = violation
    var (smallest, more) = (request, 0)
    let isOffer = offering != nil && (violation.isOfPixels || violation.rule == .offered)
    if !isOffer && shrinks {
      let shrinker = RequestShrinker(
        fullSize: information.fullSize, bestFormat: information.format,
        mayAskForFull: size.area <= RequestDeck.mostSide * RequestDeck.mostSide * 8)
      (smallest, more) = shrinker.shrink(request) { candidate in
        guard !isOver else { return false }
        let found = judge.judge(candidate, ask(candidate)).first { $0.isOfKind(violation) }
        guard let found, !transport.isOutOfTime else { return false }
        last = found
        return true
      }
    }
    let outages = transport.outages
    let (failures, repetitions) = repeated {
      judge.judge(smallest, ask(smallest)).contains { $0.isOfKind(violation) }
    }
    more += repetitions
    last = judge.explained(last, smallest)
    if failures > 0, transport.outages > outages {
      // The violation is reproducible, and no other request was sent before the outage.
      last = Violation(
        .answers, last.complaint + "; after it the server was down for a while",
        cause: "server goes down")
    }
    var stage = judge.stage(of: last.rule, smallest)
    if failures == 0 && repetitions > 0 && !isOffer && !violation.rule.isPassive {
      // Wrong once and right in all repetitions: the request is not the cause.
      stage = .protocol
      if last.rule != .answers { last.rule = .repeated }
      (last.complaint, last.cause) = ("once: \(last.complaint)", "not every time")
    } else if let better = blamed(last, smallest, request, isOffer: isOffer) {
      more += better.sent
      last = better.violation
      stage = better.stage
    }
    if isOffer, let offering {
      stage = last.isOfPixels ? last.rule.stage : .size
      last.rule = offering
    }
    guard isNew(last.rule, last.cause) else { return }
    findings.append(
      IIIFFinding(
        rule: last.rule, stage: stage, cause: last.cause, complaint: last.complaint,
        requests: ["\(smallest)"], original: "\(request)", foundAfter: foundAfter,
        shrinkRequests: more,
        failureRate: Self.rate(failures, of: repetitions),
        mismatch: last.mismatch))
  }

  /// A violation with the step to blame and the number of requests that determined it.
  private typealias Blame = (violation: Violation, stage: IIIFStage, sent: Int)

  /// Sends a few more requests if one request does not determine which step is to blame.
  private func blamed(
    _ violation: Violation, _ smallest: IIIFRequest, _ original: IIIFRequest, isOffer: Bool
  ) -> Blame? {
    guard let judge, let information else { return nil }
    if let blame = stale(violation, smallest) { return blame }
    if violation.isOfPixels {
      return isOffer ? nil : otherFormat(violation, smallest, original)
    }
    // A quality or format that only info.json offers makes this a fault of info.json.
    if violation.rule == .offered, information.lists(smallest) {
      return (violation, .protocol, 0)
    }
    let wrong = [
      IIIFRequest(size: information.fullSize, quality: "colour", format: information.format),
      IIIFRequest(size: information.fullSize, rotation: "361", format: information.format),
    ]
    if violation.rule == .clientError,
      wrong.allSatisfy({ self.violation($0)?.rule == .clientError })
    {
      return (violation, .protocol, 2)
    }
    // Every plain request is refused; another format or size keyword shows which of them is the cause.
    if violation.rule == .offered, judge.stage(of: violation.rule, smallest) == .protocol {
      var other = smallest
      other.format = information.format == "jpg" ? "png" : "jpg"
      if self.violation(other) == nil { return (violation, .format, 1) }
      other = smallest
      other.size = information.fullSize == "full" ? "max" : "\(size.width),"
      if self.violation(other) == nil { return (violation, .size, 2) }
    }
    // Checks whether the server refuses nothing at all.
    if violation.cause == "not refused", violation.rule.strength == .should,
      wrong.allSatisfy({ self.violation($0)?.cause == "not refused" })
    {
      let nothing = Violation(
        .errorStatus, "nothing is refused: pictures come for every error",
        cause: "nothing refused")
      return (nothing, .protocol, 2)
    }
    return nil
  }

  /// Returns a cache fault if the answer is an earlier one and similar new requests are answered correctly.
  private func stale(_ violation: Violation, _ smallest: IIIFRequest) -> Blame? {
    guard let judge, ExpectedAnswer(smallest, judge.information).shown != nil else { return nil }
    let isOfFormat = violation.rule == .formatTrue
    let earlier = violation.got.flatMap { got in
      right.last { $0.raster == got && $0.request != smallest }
    }
    guard isOfFormat || earlier != nil else { return nil }
    let repeated = Violation(
      .repeated, earlier.map { "the answer to \($0.request) came" } ?? violation.complaint,
      cause: "another request's answer", got: violation.got, expected: violation.expected)
    let blame: Blame = (repeated, .protocol, 2)
    // No region fault shows exactly the region of an earlier request.
    if let earlier, earlier.request.region.contains(","),
      earlier.request.region != smallest.region, violation.cause == nil
    {
      return blame
    }
    let side = max(9, min(size.width, size.height) / 3)
    for shift in [2, 5] {
      var fresh = smallest
      if smallest.region == "square" {
        // A size of another length is the only change left.
        fresh.size = ",\(side - shift)"
      } else {
        fresh.region =
          "\(shift),\(shift + 1),\(min(size.width - shift, side + shift)),\(side)"
        if fresh.size.contains(where: \.isNumber) { fresh.size = "\(side / 2),\(side / 2 + 1)" }
      }
      guard self.violation(fresh) == nil else { return nil }
    }
    return blame
  }

  /// Blames the format if the pixels are right in another one.
  private func otherFormat(
    _ violation: Violation, _ smallest: IIIFRequest, _ original: IIIFRequest
  ) -> Blame? {
    guard let information else { return nil }
    var blamed = violation
    blamed.rule = .formatSame
    if smallest.format != information.format { return (blamed, .format, 1) }
    let other = information.format == "jpg" ? "png" : "jpg"
    guard information.offers(format: other) else { return nil }
    // A small lossy picture hides many faults, so the original request is sent.
    var changed = original
    changed.format = other
    guard !isHiddenByLoss(original), self.violation(changed) == nil else { return nil }
    return (blamed, .format, 1)
  }

  /// Returns whether a defect would go unnoticed if the answer came in a lossy format.
  private func isHiddenByLoss(_ request: IIIFRequest) -> Bool {
    guard let judge, let shown = ExpectedAnswer(request, judge.information).shown,
      case .success(let answer) = ask(request),
      let decoded = try? decoder.decode(answer.body)
    else { return true }
    let lossy = AnswerDecoder.Decoded(raster: decoded.raster, isLossy: true)
    return judge.difference(lossy, shown) == nil
  }

  /// Repeats a check 3 times, or up to 12 times if the outcomes differ; less at the end of the run.
  func repeated(_ shows: () -> Bool) -> (failures: Int, repetitions: Int) {
    var (failures, repetitions) = (0, 0)
    while (repetitions < 3 || (failures > 0 && failures < repetitions && repetitions < 12))
      && !(isOver && (repetitions > 0 || transport.isOutOfTime))
    {
      let isShown = shows()
      // An answer cut off by the end of the run is not counted.
      if transport.isOutOfTime { break }
      repetitions += 1
      if isShown { failures += 1 }
    }
    return (failures, repetitions)
  }

  /// Returns the interval of the failure rate after a first failure and repetitions; nil if all failed.
  ///
  /// It is Wilson's interval of a proportion, with 95 % confidence.
  static func rate(_ failures: Int, of repetitions: Int) -> ClosedRange<Double>? {
    if failures == repetitions { return nil }
    let (number, z) = (Double(repetitions + 1), 1.96)
    let share = Double(failures + 1) / number
    let middle = (share + z * z / (2 * number)) / (1 + z * z / number)
    let spread =
      z / (1 + z * z / number)
      * (share * (1 - share) / number + z * z / (4 * number * number)).squareRoot()
    return max(0, middle - spread)...min(1, middle + spread)
  }
}

extension Violation {
  /// Returns whether both violations are of the same kind: pixels, a status, or one header.
  func isOfKind(_ other: Violation) -> Bool {
    if other.rule.isPassive || rule.isPassive { return rule == other.rule }
    return (rule.strength != .may || other.rule.strength == .may)
      && isOfPixels == other.isOfPixels
      && (isOfPixels || rule.isAboutAll == other.rule.isAboutAll)
  }
}

extension IIIFRule {
  /// Whether the rule is checked on every answer, independently of the request.
  var isPassive: Bool { [.cors, .errorText, .profileLink, .canonical].contains(self) }
}

extension IIIFInformation {
  /// Returns whether a request's quality or format is listed by name, beyond the level.
  fileprivate func lists(_ request: IIIFRequest) -> Bool {
    let ofLevel = ["default", "color", "gray"] + (version == .two ? ["bitonal"] : [])
    return
      (qualities.contains(request.quality) && !(level == 2 && ofLevel.contains(request.quality)))
      || (formats.contains(request.format) && !["jpg", "png"].contains(request.format))
  }
}
