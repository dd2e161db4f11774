internal import Foundation
internal import ForeignPipelines
internal import ZoomGeometry

/// Checks an info.json against section 5 of its version.
struct InformationChecks: Sendable {
  let answer: ServerAnswer
  let size: PixelSize
  let isColoured: Bool
  /// The service's address; nil if it is unknown.
  let address: String?

  /// The document and what was parsed from it; nil if it cannot be parsed.
  var content: (root: [String: Any], information: IIIFInformation)? {
    guard !answer.body.hasTrailingComma,
      let root = try? JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any],
      let information = try? IIIFInformation(json: answer.body)
    else { return nil }
    return (root, information)
  }

  func violations() -> [Violation] {
    guard let (root, information) = content else {
      return [Violation(rule: .informationFields, complaint: "it is not JSON with width and height")]
    }
    var found: [Violation] = []
    if information.size != size {
      let isSwapped =
        information.size.width == size.height && information.size.height == size.width
      found.append(
        Violation(
          rule: .informationSize, complaint: "it says \(information.size) for \(size)",
          cause: isSwapped ? "width and height swapped" : nil))
    }
    let wrong = Self.fields(root, information)
    if !wrong.isEmpty {
      found.append(
        Violation(rule: .informationFields, complaint: wrong.joined(separator: ", ")))
    }
    found += [
      Self.limits(root, information), sizeViolation(information), typeViolation(information),
    ].compactMap(\.self)
    if let id = (root["id"] ?? root["@id"]) as? String, let address,
      Self.path(of: id) != Self.path(of: address)
    {
      found.append(
        Violation(
          rule: .informationFields, complaint: "its id is \(id), not \(address)", cause: "wrong id")
      )
    }
    if !isColoured && information.qualities.contains("color") {
      found.append(
        Violation(
          rule: .informationLevel, complaint: "it lists color for a picture in grey",
          cause: "color of grey"))
    }
    if let wrong = HeaderChecks.cors(answer) { found.append(wrong) }
    return found
  }

  /// Returns the defects of the fields that identify the service, and of its lists.
  private static func fields(_ root: [String: Any], _ information: IIIFInformation) -> [String] {
    var wrong: [String] = []
    let isThree = information.version == .three
    let context = "http://iiif.io/api/image/\(information.version.rawValue)/context.json"
    let contexts = root["@context"] as? [Any] ?? (root["@context"] as? String).map { [$0] } ?? []
    if contexts.last as? String != context { wrong.append("the last @context is not \(context)") }
    let name = isThree ? "id" : "@id"
    if let id = root[name] as? String {
      if id.hasSuffix("/") { wrong.append("\(name) ends with a slash") }
      if isThree, !id.hasPrefix("http://") && !id.hasPrefix("https://") {
        wrong.append("id is not an address: \(id)")
      }
    } else {
      wrong.append("\(name) is missing")
    }
    if root["protocol"] as? String != "http://iiif.io/api/image" {
      wrong.append("protocol is not http://iiif.io/api/image")
    }
    let profile = (root["profile"] as? [Any])?.first as? String ?? root["profile"] as? String ?? ""
    guard isThree else {
      if !(0...2).contains(where: { profile == "http://iiif.io/api/image/2/level\($0).json" }) {
        wrong.append("profile does not begin with a level of version 2")
      }
      return wrong + lists(root)
    }
    if root["type"] as? String != "ImageService3" { wrong.append("type is not ImageService3") }
    if root["profile"] is [Any] || !["level0", "level1", "level2"].contains(profile) {
      wrong.append("profile is none of level0, level1, level2")
    }
    for name in ["extraQualities", "extraFormats", "extraFeatures", "preferredFormats"]
    where root[name] != nil && !(root[name] is [String]) {
      wrong.append("\(name) is not a list of strings")
    }
    let preferred = root["preferredFormats"] as? [String] ?? []
    for format in preferred where !information.offers(format: format) {
      wrong.append("the preferred format \(format) is not offered")
    }
    return wrong + lists(root)
  }

  /// Returns the defects of the lists of sizes and tiles.
  private static func lists(_ root: [String: Any]) -> [String] {
    var wrong: [String] = []
    func isPositive(_ value: Any?) -> Bool { (value as? Int).map { $0 > 0 } ?? false }
    if let sizes = root["sizes"] {
      let entries = sizes as? [[String: Any]]
      if entries?.allSatisfy({ isPositive($0["width"]) && isPositive($0["height"]) }) != true {
        wrong.append("sizes is not a list of widths and heights")
      }
    }
    if let tiles = root["tiles"] {
      let entries = tiles as? [[String: Any]] ?? []
      let areWhole = entries.allSatisfy { each in
        isPositive(each["width"])
          && (each["scaleFactors"] as? [Int])?.allSatisfy { $0 > 0 } == true
          && (each["height"] == nil || isPositive(each["height"]))
      }
      if !(tiles is [[String: Any]]) || !areWhole {
        wrong.append("tiles is not a list of widths and scale factors")
      }
      let sides = entries.map { "\($0["width"] ?? 0)x\($0["height"] ?? $0["width"] ?? 0)" }
      if Set(sides).count < sides.count { wrong.append("two tiles have one width and height") }
    }
    return wrong
  }

  private static func limits(
    _ root: [String: Any], _ information: IIIFInformation
  ) -> Violation? {
    var wrong: [String] = []
    func exceeds(_ width: Int, _ height: Int) -> Bool {
      width > information.maxWidth ?? .max || height > information.maxHeight ?? .max
        || width * height > information.maxArea ?? .max
    }
    for size in information.sizes where exceeds(size.width, size.height) {
      wrong.append("the size \(size.width)x\(size.height) is above its limits")
    }
    for tiles in information.tiles where exceeds(tiles.width, tiles.height) {
      wrong.append("the tiles of \(tiles.width)x\(tiles.height) are above its limits")
    }
    let objects = (root["profile"] as? [Any] ?? []).compactMap { $0 as? [String: Any] } + [root]
    if objects.contains(where: { $0["maxHeight"] != nil && $0["maxWidth"] == nil }) {
      wrong.append("maxHeight stands without maxWidth")
    }
    if information.version == .three {
      if information.features.contains("sizeUpscaling"), root["maxWidth"] == nil,
        root["maxArea"] == nil
      {
        wrong.append("sizeUpscaling stands without maxWidth or maxArea")
      }
    }
    return wrong.isEmpty
      ? nil : Violation(rule: .informationLimits, complaint: wrong.joined(separator: ", "))
  }

  /// Returns the decoded path of an address; a proxy may change scheme and host.
  private static func path(of address: String) -> String {
    guard let host = address.range(of: "://") else { return address }
    return address[host.upperBound...].drop { $0 != "/" }.decodedButSlashes
  }

  /// Checks the ratio of listed sizes, and that 3.0 lists none above the picture, which would need ^.
  private func sizeViolation(_ information: IIIFInformation) -> Violation? {
    for listed in information.sizes {
      let name = "\(listed.width)x\(listed.height)"
      let off = abs(listed.width * size.height - listed.height * size.width)
      if off > max(size.width, size.height) {
        return Violation(
          rule: .informationRatio, complaint: "the size \(name) distorts \(size)",
          cause: "another ratio")
      }
      if listed.width > size.width || listed.height > size.height, information.version == .three {
        return Violation(
          rule: .informationSizes, complaint: "the size \(name) is above \(size)",
          cause: "above the picture")
      }
    }
    return nil
  }

  private func typeViolation(_ information: IIIFInformation) -> Violation? {
    func violation(_ complaint: String, _ cause: String) -> Violation {
      Violation(rule: .informationType, complaint: complaint, cause: cause)
    }
    let full = answer.headers["content-type"] ?? ""
    let type = full.split(separator: ";").first.map(String.init) ?? ""
    switch type.lowercased() {
    case "application/json": return nil
    case "application/ld+json" where information.version == .two:
      return violation("\(type) came though nobody asked for it", "JSON-LD unasked")
    case "application/ld+json":
      return full.contains("profile=") ? nil : violation("\(full) has no profile", "no profile")
    default: return violation("its content type is \"\(type)\"", "wrong content type")
    }
  }
}

extension Substring {
  /// The text with %XX decoded, except slashes; other characters may be encoded or not (section 9).
  fileprivate var decodedButSlashes: String {
    components(separatedBy: "%2F").flatMap { $0.components(separatedBy: "%2f") }
      .map { $0.removingPercentEncoding ?? $0 }.joined(separator: "%2F")
  }
}

extension [UInt8] {
  /// Whether a comma precedes a closing bracket, which is not JSON but which some readers accept.
  fileprivate var hasTrailingComma: Bool {
    var (isInText, isEscaped, isAfterComma) = (false, false, false)
    for byte in self {
      if isInText {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInText = false
        }
        continue
      }
      switch byte {
      case UInt8(ascii: ","): isAfterComma = true
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if isAfterComma { return true }
      case UInt8(ascii: " "), 9, 10, 13: break
      default:
        isAfterComma = false
        if byte == UInt8(ascii: "\"") { isInText = true }
      }
    }
    return false
  }
}
