internal import ForeignPipelines
internal import PixelLaws
internal import ZoomGeometry
internal import ZoomPipeline

struct Violation: Sendable, Hashable {
  var rule: IIIFRule
  /// The defect in one line, with numbers.
  var complaint: String
  /// The known fault that explains the defect completely: "x and y swapped".
  var cause: String?
  /// The received and the expected picture, if both are pictures.
  var got: Pixels?
  var expected: Pixels?
}

/// Compares answers with what the specification says of their requests.
struct Judge: Sendable {
  let information: IIIFInformation
  /// A full decode of the picture, in one band or three.
  let picture: Pixels
  /// Whether lossless answers must equal the full decode byte for byte; the first answer shows that.
  let isExact: Bool
  let decoder: AnswerDecoder
  /// The quality that `default` means, unless it is the picture in colour; the server may choose it (4.4).
  var defaultQuality: String?

  /// Returns the defects of an answer, the most serious first.
  func judge(
    _ request: IIIFRequest, _ result: Result<ServerAnswer, ServerFailure>
  ) -> [Violation] {
    let answer: ServerAnswer
    switch result {
    case .failure(let failure): return [Violation(rule: .answers, complaint: failure.reason)]
    case .success(let some): answer = some
    }
    let expectation = ExpectedAnswer(request, information)
    let passive = HeaderChecks(answer: answer, information: information)
    if let wrong = status(answer, expectation) { return [wrong] + passive.violations() }
    guard answer.status == 200 else { return passive.violations() }
    guard let shown = expectation.shown else {
      return [Violation(rule: .syntax, complaint: "it was answered with status 200")]
        + passive.violations()
    }
    return pictureViolations(answer, shown) + passive.violations()
  }

  private func status(_ answer: ServerAnswer, _ expectation: ExpectedAnswer) -> Violation? {
    let status = answer.status
    if answer.isServerError {
      // Any status may answer a malformed request (1.1, 2).
      let rule: IIIFRule =
        expectation.isMalformed
        ? .syntax : expectation.outcome == .picture ? .offered : .clientError
      return Violation(rule: rule, complaint: "status \(status)", cause: "server error")
    }
    if status == 200 && expectation.outcome != .picture && !expectation.isMalformed
      && CodedForm(answer.body) == nil
      && answer.headers["content-type"]?.hasPrefix("image/") != true
    {
      return Violation(
        rule: .errorStatus, complaint: "an error came with status 200", cause: "error text as 200")
    }
    switch expectation.outcome {
    // Access control and rate limits are outside the specification.
    case .picture where answer.isDenied: return nil
    // 2.1 requires color "if applicable".
    case .picture
    where status != 200 && information.version == .two && picture.bands == 1
      && expectation.shown?.quality == "color":
      return nil
    case .picture where status != 200:
      return Violation(
        rule: .offered, complaint: "status \(status) for what is offered", cause: "refused")
    case .refusal(let rule):
      if status == 200 {
        return Violation(
          rule: rule, complaint: "it was answered with status 200", cause: "not refused")
      }
      // Sections contradict each other. Above the limits section 4.2 of 3.0 wants 400, section 7.3 wants 404
      // (2.1 wants 403). For unsupported values sections 4.3 to 4.5 want 400, section 7.3 wants 404.
      let named: Set<IIIFRule> = [.sizeNone, .qualityUnknown, .formatUnknown, .rotationRange]
      let accepted: Set = named.contains(rule) ? [400, 403, 404, 501] : [400, 501]
      guard accepted.contains(status) else {
        return Violation(
          rule: rule, complaint: "status \(status) instead of 400", cause: "wrong status")
      }
    case .open where expectation.shown == nil && ![200, 400, 404].contains(status):
      return Violation(
        rule: .syntax, complaint: "status \(status) instead of 400", cause: "wrong status")
    case .picture, .open: break
    }
    if status != 200 && !(400...501).contains(status) {
      return Violation(rule: .answers, complaint: "status \(status)", cause: "wrong status")
    }
    return nil
  }

  private func pictureViolations(_ answer: ServerAnswer, _ shown: ShownPicture) -> [Violation] {
    let coded = CodedForm(answer.body)
    let type = answer.headers["content-type"]?.split(separator: ";").first.map(String.init) ?? ""
    let wanted = IIIFGrammar.types[shown.format]
    var found: [Violation] = []
    if let coded, let wanted, coded.type != wanted {
      found.append(
        Violation(
          rule: .formatTrue, complaint: "a body of \(coded.type) for .\(shown.format)",
          cause: "wrong format"))
    } else if let wanted, type.lowercased() != wanted {
      found.append(
        Violation(
          rule: .formatTrue, complaint: "content type \"\(type)\" for .\(shown.format)",
          cause: "wrong content type"))
    }
    let decoded: AnswerDecoder.Decoded
    do { decoded = try decoder.decode(answer.body) } catch {
      // A format that cannot be decoded here is accepted unchecked.
      if error.isOurs || (wanted == nil && coded == nil && type.hasPrefix("image/")) {
        return found
      }
      return [
        Violation(rule: .formatTrue, complaint: "no picture: \(error)", cause: "damaged body")
      ] + found
    }
    // 3.0 wants such a request refused, which another rule checks.
    if information.version == .two && shown.isAboveLimits {
      found.append(
        Violation(
          rule: .sizeLimited, complaint: "\(decoded.raster.size) pixels came",
          cause: "limits not enforced"))
    }
    if let wrong = difference(decoded, shown) {
      found.insert(wrong, at: 0)
    } else if let link = CanonicalLink(answer),
      let complaint = link.complaint(shown, decoded.raster)
    {
      found.append(
        Violation(
          rule: .canonical, complaint: "the canonical link is \(link.request): \(complaint)",
          cause: complaint.hasPrefix("its size") ? "another size" : nil))
    }
    return found
  }

  /// Returns the difference between decoded pixels and the expected picture.
  func difference(_ decoded: AnswerDecoder.Decoded, _ asked: ShownPicture) -> Violation? {
    var shown = asked
    if shown.quality == "default", let defaultQuality { shown.quality = defaultQuality }
    guard let quarters = shown.rotation.quarters else {
      return turnedDifference(decoded, shown)
    }
    let raster = decoded.raster
    let isOnSide = quarters % 2 == 1
    let (width, height) =
      isOnSide ? (raster.height, raster.width) : (raster.width, raster.height)
    let regions = shown.regions.filter { shown.admits(width: width, height: height, of: $0) }
    guard let first = regions.first else { return wrongSize(raster, shown) }
    if let wrong = colourViolation(raster, shown.quality, decoded.isLossy) { return wrong }
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
    guard
      let found = PixelCause(oracle: oracle).explanation(
        of: got, tones: Tones(quality: shown.quality))
    else { return violation }
    return Violation(
      rule: found.rule ?? violation.rule, complaint: violation.complaint, cause: found.name,
      got: got, expected: expected)
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
    let expected =
      region.map { shown.describedSize(of: $0) } ?? "another size"
    let turned = shown.rotation.quarters == 0 ? "" : " before it is turned"
    let cause = SizeCause(shown: shown, picture: picture).name(raster)
    let ofSize = shown.isUnscaled ? shown.regionRule(picture) : shown.size.rule
    return Violation(
      rule: shown.rotationRule ?? ofSize,
      complaint: "\(raster.size) pixels instead of \(expected)\(turned)", cause: cause, got: raster,
      expected: region.flatMap {
        Oracle(picture: picture, shown: shown, region: $0).nominal
      })
  }

  /// Returns a violation if a grey answer has colours, or a bitonal one more than two levels.
  private func colourViolation(
    _ raster: Pixels, _ quality: String, _ isLossy: Bool
  ) -> Violation? {
    switch quality {
    case "gray", "bitonal":
      let colours = raster.opaque
      // Conversion to YCbCr and back rounds each band separately.
      let slack = isLossy ? 3 : 0
      let isGrey =
        colours.bands == 1
        || stride(from: 0, to: colours.bytes.count, by: 3).allSatisfy { (at: Int) -> Bool in
          let pixel = colours.bytes[at..<at + 3].map(Int.init)
          return (pixel.max() ?? 0) - (pixel.min() ?? 0) <= slack
        }
      let rule: IIIFRule = quality == "gray" ? .qualityGrey : .qualityBitonal
      guard isGrey else {
        return Violation(
          rule: rule, complaint: "it has colours", cause: "colour instead of grey", got: raster)
      }
      if quality == "bitonal" && !isLossy {
        let levels = Set(colours.bytes)
        guard levels.isSubset(of: [0, 255]) else {
          return Violation(
            rule: rule, complaint: "it has \(levels.count) levels", cause: "grey levels",
            got: raster)
        }
      }
    default: break
    }
    return nil
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
