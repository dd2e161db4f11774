internal import ForeignPipelines
internal import Foundation
internal import ZoomGeometry
internal import ZoomPipeline

extension Judge {
  /// The origin that requests name; a server may allow this one or all.
  static let origin = "https://zoombench.invalid"

  /// Returns the defects of an answer's headers: what browsers need or info.json claims, and is
  /// missing or wrong.
  func headerViolations(_ answer: ServerAnswer) -> [Violation] {
    // Unless the feature is claimed, 2.1 wants CORS for info.json only (5.1), and 3.0 not for errors (7.1).
    let isAsked =
      information.supports("cors") || (information.version == .three && answer.status == 200)
    let isSilent = answer.status >= 400 && answer.body.isEmpty
    return [
      isAsked ? Self.cors(answer) : nil, links(answer),
      isSilent
        ? Violation(.errorText, "status \(answer.status) without a word", cause: "no text") : nil,
    ].compactMap(\.self)
  }

  /// Returns a violation if other origins are not allowed.
  static func cors(_ answer: ServerAnswer) -> Violation? {
    let what = answer.status == 200 ? "an answer" : "an error"
    guard let allowed = answer.headers["access-control-allow-origin"] else {
      return Violation(
        .cors, "\(what) came without Access-Control-Allow-Origin",
        cause: answer.status == 200 ? "no CORS" : "no CORS for errors")
    }
    guard ["*", origin].contains(allowed) else {
      return Violation(.cors, "Access-Control-Allow-Origin is \(allowed)", cause: "one origin")
    }
    return nil
  }

  /// Returns a violation if a claimed link is missing, or if the profile link names another level.
  private func links(_ answer: ServerAnswer) -> Violation? {
    guard answer.status == 200 else { return nil }
    let link = answer.headers["link"] ?? ""
    // The relation must be searched for: an identifier may contain any of these words.
    let profile = link.split(separator: "<").first {
      $0.contains("rel=\"profile\"") || $0.contains("rel=profile")
    }
    for (feature, name, rule, isThere) in [
      ("canonicalLinkHeader", "canonical", IIIFRule.canonical, link.contains("canonical")),
      ("profileLinkHeader", "profile", .profileLink, profile != nil),
    ] where information.features.contains(feature) && !isThere {
      return Violation(rule, "the \(name) link, which it offers, is missing", cause: "no link")
    }
    if let target = profile?.prefix(while: { $0 != ">" }),
      let level = (0...2).first(where: { target.contains("level\($0)") }),
      level != information.level
    {
      return Violation(
        .profileLink, "the profile link names level \(level), info.json \(information.level)",
        cause: "another level")
    }
    return nil
  }
}

/// The canonical address of a picture in a Link header, compared with the request that it answers.
struct CanonicalLink: Sendable {
  let request: IIIFRequest

  /// Parses the link of an answer; nil without a canonical one.
  init?(_ answer: ServerAnswer) {
    guard let link = answer.headers["link"] else { return nil }
    for part in link.split(separator: "<") where part.contains("canonical") {
      guard let end = part.firstIndex(of: ">") else { continue }
      let segments = part[..<end].split(separator: "/", omittingEmptySubsequences: false)
      guard segments.count >= 4 else { continue }
      let text = segments.suffix(4).joined(separator: "/")
      guard let request = IIIFRequest(text.removingPercentEncoding ?? text) else { continue }
      self.request = request
      return
    }
    return nil
  }

  /// Returns what is not canonical in it for this picture (4.7 of 2.1, 4.8 of 3.0); nil if all is.
  func complaint(_ shown: ShownPicture, _ raster: Pixels) -> String? {
    if shown.rotation.quarters == nil { return nil }
    let whole = shown.information.size
    let grammar = IIIFGrammar(shown.information)
    let unturned = shown.rotation.unturned(raster.size)
    let (width, height) = (unturned.width, unturned.height)
    switch grammar.region(request.region).value {
    case .full: break
    case .pixels(let x, let y, let w, let h):
      if x + w > whole.width || y + h > whole.height { return "its region reaches over the edge" }
      if w == whole.width && h == whole.height { return "its region is not full" }
    default: return "its region is \(request.region)"
    }
    guard let size = grammar.size(request.size).value else { return "its size is \(request.size)" }
    switch (size.kind, shown.information.version) {
    case (.largest, _): break
    case (.both(let w, let h), _):
      if w != width || h != height { return "its size differs from the picture" }
    case (.width(let w), .two):
      if w != width { return "its size differs from the picture" }
    default: return "its size is \(request.size)"
    }
    guard let rotation = grammar.rotation(request.rotation).value,
      rotation.isMirrored == shown.rotation.isMirrored,
      rotation.degrees == shown.rotation.degrees.truncatingRemainder(dividingBy: 360)
    else { return "its rotation is \(request.rotation)" }
    return nil
  }
}
