internal import ForeignPipelines
internal import PixelLaws
internal import ZoomGeometry
internal import ZoomPipeline

extension Judge {
  /// Returns the rules that an answer decides.
  ///
  /// A missing answer decides only `.answers`. Rules about pixels need a picture that can be decoded.
  func rules(
    of expectation: ExpectedAnswer, _ result: Result<ServerAnswer, ServerFailure>, isDecoded: Bool
  ) -> [IIIFRule] {
    guard case .success(let answer) = result else { return [.answers] }
    var rules: [IIIFRule] = [.answers, .clientError]
    if case .refusal(let rule) = expectation.outcome {
      return answer.isServerError ? rules : rules + [rule]
    }
    guard let shown = expectation.shown else { return rules + [.syntax] }
    let isOffered = expectation.outcome == .picture && !answer.isDenied
    guard answer.status == 200 else { return rules + (isOffered ? [.offered] : []) }
    rules += [.cors, .formatTrue]
    guard isDecoded else { return rules }
    rules += (isOffered ? [.offered] : []) + [shown.regionRule(picture), shown.size.rule]
    if shown.size.kind != .largest { rules += [.sizeContent, .sizeKernel] }
    return rules + [shown.rotationRule].compactMap(\.self) + [shown.tones.rule]
  }

  /// Returns the step that a rule blames; rules about all requests blame the only unusual parameter.
  func stage(of rule: IIIFRule, _ request: IIIFRequest) -> IIIFStage {
    guard rule.isAboutAll else { return rule.stage }
    // A defect of all malformed requests, or of all large numbers, belongs to no single step.
    let isLarge = request.description.split(whereSeparator: { !$0.isNumber }).contains {
      $0.count > 9
    }
    if rule != .offered, isLarge || ExpectedAnswer(request, information).isMalformed {
      return .protocol
    }
    let unusual: [(IIIFStage, Bool)] = [
      (.region, request.region != "full"),
      (.size, request.size != information.fullSize && request.size != "max"),
      (.rotation, request.rotation != "0"), (.quality, request.quality != "default"),
      (.format, request.format != information.format),
    ]
    var stages = unusual.filter { $0.1 }.map { $0.0 }
    // If the whole picture is too large, the request needs a region.
    if stages.count > 1 && stages.first == .region
      && IIIFGrammar(information).region(request.region).value != nil
    {
      stages.removeFirst()
    }
    return stages.count == 1 ? stages[0] : .protocol
  }
}

extension ServerAnswer {
  /// Whether the server reports that it failed; 501 is a valid refusal.
  var isServerError: Bool { status >= 500 && status != 501 }
  /// Whether access or the rate of requests is limited, which is independent of the request.
  var isDenied: Bool { [401, 403, 429].contains(status) }
}

extension ShownPicture {
  var rotationRule: IIIFRule? {
    if rotation.isMirrored { return .rotationMirror }
    switch rotation.quarters {
    case 0: return nil
    case nil: return .rotationAny
    default: return .rotationQuarters
    }
  }
}

extension IIIFRule {
  /// Whether the rule applies to requests of any kind, so that the request determines the step to blame.
  var isAboutAll: Bool { [.offered, .clientError, .answers, .syntax].contains(self) }
}

extension Violation {
  /// Whether the defect is in a picture, not in a status or a header.
  var isOfPixels: Bool { got != nil }

  /// The expected and the received picture, for drawings.
  var mismatch: PixelMismatch? {
    guard let got, let expected else { return nil }
    return PixelMismatch(
      rule.statement, got: got, expected: expected,
      comparison: PixelComparison(got, expected: expected),
      shift: PixelShift(got, expected: expected))
  }
}
