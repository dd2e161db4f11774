internal import ForeignPipelines
internal import PixelLaws
internal import ZoomGeometry
internal import ZoomPipeline

/// A defect of an answer.
struct Violation: Sendable, Hashable {
  var rule: IIIFRule
  /// The defect in one line, with numbers.
  var complaint: String
  /// The known fault that explains the defect completely: "x and y swapped".
  var cause: String?
  /// The received and the expected picture, if both are pictures.
  var got: Pixels?
  var expected: Pixels?

  init(
    _ rule: IIIFRule, _ complaint: String, cause: String? = nil, got: Pixels? = nil,
    expected: Pixels? = nil
  ) {
    (self.rule, self.complaint, self.cause) = (rule, complaint, cause)
    (self.got, self.expected) = (got, expected)
  }
}

/// Compares answers with what the specification says of their requests.
struct Judge: Sendable {
  let information: IIIFInformation
  /// A full decode of the picture, in one band or three.
  let picture: Pixels
  /// Whether lossless answers must equal the full decode byte for byte; the first answer shows that.
  var isExact: Bool
  let decoder: AnswerDecoder
  /// The quality that `default` means, unless it is the picture in colour; the server may choose it (4.4).
  var defaultQuality: String?

  /// Returns the defects of an answer, the most serious first.
  func judge(
    _ request: IIIFRequest, _ result: Result<ServerAnswer, ServerFailure>
  ) -> [Violation] {
    let answer: ServerAnswer
    switch result {
    case .failure(let failure): return [Violation(.answers, failure.reason)]
    case .success(let some): answer = some
    }
    let expectation = ExpectedAnswer(request, information)
    var found: [Violation] = []
    if let wrong = status(answer, expectation) {
      found = [wrong]
    } else if answer.status == 200 {
      found =
        expectation.shown.map { pictureViolations(answer, $0) }
        ?? [Violation(.syntax, "it was answered with status 200")]
    }
    return found + headerViolations(answer)
  }

  private func status(_ answer: ServerAnswer, _ expectation: ExpectedAnswer) -> Violation? {
    let status = answer.status
    if answer.isServerError {
      // The specification leaves open which status answers a malformed request (1.1, 2).
      let rule: IIIFRule =
        expectation.isMalformed
        ? .syntax : expectation.outcome == .picture ? .offered : .clientError
      return Violation(rule, "status \(status)", cause: "server error")
    }
    if status == 200 && expectation.outcome != .picture && !expectation.isMalformed
      && CodedForm(answer.body) == nil
      && answer.headers["content-type"]?.hasPrefix("image/") != true
    {
      return Violation(.errorStatus, "an error came with status 200", cause: "error text as 200")
    }
    // 2.1 requires color "if applicable".
    let isOptional =
      information.version == .two && picture.bands == 1 && expectation.shown?.quality == "color"
    func wrongStatus(_ rule: IIIFRule, instead: String = " instead of 400") -> Violation {
      Violation(rule, "status \(status)\(instead)", cause: "wrong status")
    }
    switch expectation.outcome {
    case .picture where status != 200:
      // Access control and rate limits are outside the specification.
      if answer.isDenied || isOptional { return nil }
      return Violation(.offered, "status \(status) for what is offered", cause: "refused")
    case .refusal(let rule):
      if status == 200 {
        return Violation(rule, "it was answered with status 200", cause: "not refused")
      }
      // Sections contradict each other. Above the limits section 4.2 of 3.0 wants 400, section 7.3 wants 404
      // (2.1 wants 403). For unsupported values sections 4.3 to 4.5 want 400, section 7.3 wants 404.
      let named: Set<IIIFRule> = [.sizeNone, .qualityUnknown, .formatUnknown, .rotationRange]
      let accepted: Set = named.contains(rule) ? [400, 403, 404, 501] : [400, 501]
      if !accepted.contains(status) { return wrongStatus(rule) }
    case .open where expectation.shown == nil && ![200, 400, 404].contains(status):
      return wrongStatus(.syntax)
    case .picture, .open: break
    }
    return status == 200 || (400...501).contains(status)
      ? nil : wrongStatus(.answers, instead: "")
  }

  private func pictureViolations(_ answer: ServerAnswer, _ shown: ShownPicture) -> [Violation] {
    let coded = CodedForm(answer.body)
    let type = answer.headers["content-type"]?.split(separator: ";").first.map(String.init) ?? ""
    let wanted = IIIFGrammar.types[shown.format]
    var found: [Violation] = []
    if let wanted {
      if let coded, coded.type != wanted {
        found = [
          Violation(
            .formatTrue, "a body of \(coded.type) for .\(shown.format)", cause: "wrong format")
        ]
      } else if type.lowercased() != wanted {
        found = [
          Violation(
            .formatTrue, "content type \"\(type)\" for .\(shown.format)",
            cause: "wrong content type")
        ]
      }
    }
    let decoded: AnswerDecoder.Decoded
    do { decoded = try decoder.decode(answer.body) } catch {
      // A format that cannot be decoded here is accepted unchecked.
      if error.isOurs || (wanted == nil && coded == nil && type.hasPrefix("image/")) {
        return found
      }
      return [
        Violation(.formatTrue, "no picture: \(error)", cause: "damaged body")
      ] + found
    }
    // 3.0 wants such a request refused, which another rule checks.
    if information.version == .two && shown.isAboveLimits {
      found.append(
        Violation(.sizeLimited, "\(decoded.raster.size) pixels came", cause: "limits not enforced"))
    }
    if let wrong = difference(decoded, shown) {
      found.insert(wrong, at: 0)
    } else if let link = CanonicalLink(answer),
      let complaint = link.complaint(shown, decoded.raster)
    {
      found.append(
        Violation(
          .canonical, "the canonical link is \(link.request): \(complaint)",
          cause: complaint.hasPrefix("its size") ? "another size" : nil))
    }
    return found
  }

  /// Returns the difference between decoded pixels and the expected picture.
  func difference(_ decoded: AnswerDecoder.Decoded, _ asked: ShownPicture) -> Violation? {
    var shown = asked
    if shown.quality == "default", let defaultQuality { shown.quality = defaultQuality }
    if shown.rotation.quarters == nil { return turnedDifference(decoded, shown) }
    let size = shown.rotation.unturned(decoded.raster.size)
    let regions = shown.regions.filter {
      shown.admits(width: size.width, height: size.height, of: $0)
    }
    guard let first = regions.first else { return wrongSize(decoded.raster, shown) }
    if let wrong = shown.tones.violation(of: decoded) { return wrong }
    var best: Violation?
    // Each side of a region in percent may be rounded in several ways.
    for region in regions.prefix(64) {
      let oracle = Oracle(picture: picture, shown: shown, region: region)
      guard let wrong = oracle.difference(of: decoded, isExact: isExact) else { return nil }
      best = best ?? wrong
    }
    if case .square = shown.region, isSquareElsewhere(decoded, shown, first) { return nil }
    return best
  }

  /// Returns the violation with the known fault that explains it and the rule which that fault breaks.
  ///
  /// It draws the picture of each known fault, which is slow, so the request should already be small.
  func explained(_ violation: Violation, _ request: IIIFRequest) -> Violation {
    guard let got = violation.got, let expected = violation.expected, got.hasForm(of: expected),
      violation.rule.strength != .may,
      let shown = ExpectedAnswer(request, information).shown, shown.rotation.quarters != nil,
      let region = shown.regions.first
    else { return violation }
    let oracle = Oracle(picture: picture, shown: shown, region: region)
    guard let found = oracle.explanation(of: got) else { return violation }
    var explained = violation
    (explained.rule, explained.cause) = (found.rule ?? violation.rule, found.name)
    return explained
  }

  /// Returns whether the answer is a square from another place along the longer side, which is allowed.
  private func isSquareElsewhere(
    _ decoded: AnswerDecoder.Decoded, _ shown: ShownPicture, _ region: PixelRegion
  ) -> Bool {
    let quarters = shown.rotation.quarters ?? 0
    let turned = decoded.raster.turned(quarters: -quarters)
    let got = (shown.rotation.isMirrored ? turned.mirrored : turned).opaque
    let isWide = picture.width > picture.height
    let wanted = got.profile(alongWidth: isWide)
    let all = picture.profile(alongWidth: isWide)
    let rest = all.count - region.width
    let step = Double(region.width) / Double(wanted.count)
    let likeliest = (0...rest).min { one, other in
      func difference(_ place: Int) -> Double {
        wanted.indices.reduce(0) { sum, index in
          sum + abs(wanted[index] - all[place + Int((Double(index) + 0.5) * step)])
        }
      }
      return difference(one) < difference(other)
    }
    // The profile of a reduced square determines its place within one or two pixels.
    return (-2...2).contains { off in
      guard let place = likeliest.map({ $0 + off }), (0...rest).contains(place),
        let moved = try? PixelRegion(
          x: isWide ? place : 0, y: isWide ? 0 : place, width: region.width,
          height: region.height)
      else { return false }
      return Oracle(picture: picture, shown: shown, region: moved)
        .difference(of: decoded, isExact: isExact) == nil
    }
  }

  private func wrongSize(_ raster: Pixels, _ shown: ShownPicture) -> Violation {
    let region = shown.regions.first
    let expected = region.map { shown.describedSize(of: $0) } ?? "another size"
    let turned = shown.rotation.quarters == 0 ? "" : " before it is turned"
    let ofSize = shown.isUnscaled ? shown.regionRule(picture) : shown.size.rule
    return Violation(
      shown.rotationRule ?? ofSize, "\(raster.size) pixels instead of \(expected)\(turned)",
      cause: sizeCause(raster, shown), got: raster,
      expected: region.flatMap { Oracle(picture: picture, shown: shown, region: $0).nominal })
  }
}

extension ShownPicture {
  func regionRule(_ picture: Pixels) -> IIIFRule {
    switch region {
    case .full: .regionFull
    case .square: .regionSquare
    case .percent: .regionPercent
    case .pixels(let x, let y, let width, let height):
      x + width > picture.width || y + height > picture.height ? .regionClipped : .regionPixels
    }
  }
}
