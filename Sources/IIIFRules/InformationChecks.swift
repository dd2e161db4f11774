internal import ForeignPipelines
internal import Foundation
internal import ZoomGeometry
internal import ZoomPipeline

/// Checks an info.json against section 5 of its version.
struct InformationChecks {
  private let answer: ServerAnswer
  private let root: [String: Any]
  private let information: IIIFInformation
  private let picture: Pixels
  private let address: String?
  private var size: PixelSize { picture.size }

  /// Creates the checks of an answer and what was parsed from it; nil if it is not JSON.
  ///
  /// The address is the service's, nil if it is unknown.
  init?(
    _ answer: ServerAnswer, _ information: IIIFInformation, of picture: Pixels, at address: String?
  ) {
    guard !answer.body.hasTrailingComma,
      let root = try? JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any]
    else { return nil }
    (self.answer, self.root, self.information) = (answer, root, information)
    (self.picture, self.address) = (picture, address)
  }

  func violations() -> [Violation] {
    var found: [Violation] = []
    func add(_ rule: IIIFRule, _ complaints: [String]) {
      if !complaints.isEmpty { found.append(Violation(rule, complaints.joined(separator: ", "))) }
    }
    if information.size != size {
      found.append(
        Violation(
          .informationSize, "it says \(information.size) for \(size)",
          cause: information.size == size.transposed ? "width and height swapped" : nil))
    }
    add(.informationFields, fields + lists)
    add(.informationLimits, limits)
    found += [sizeViolation, typeViolation].compactMap(\.self)
    if let id = (root["id"] ?? root["@id"]) as? String, let address,
      Self.path(of: id) != Self.path(of: address)
    {
      found.append(
        Violation(.informationFields, "its id is \(id), not \(address)", cause: "wrong id"))
    }
    if picture.bands == 1 && information.qualities.contains("color") {
      found.append(
        Violation(
          .informationLevel, "it lists color for a picture in grey", cause: "color of grey"))
    }
    return found + [Judge.cors(answer)].compactMap(\.self)
  }

  /// The defects of the fields that identify the service.
  private var fields: [String] {
    var wrong: [String] = []
    func demand(_ isRight: Bool, _ complaint: String) {
      if !isRight { wrong.append(complaint) }
    }
    let isThree = information.version == .three
    let context = "http://iiif.io/api/image/\(information.version.rawValue)/context.json"
    let contexts = root["@context"] as? [Any] ?? (root["@context"] as? String).map { [$0] } ?? []
    demand(contexts.last as? String == context, "the last @context is not \(context)")
    let name = isThree ? "id" : "@id"
    if let id = root[name] as? String {
      demand(!id.hasSuffix("/"), "\(name) ends with a slash")
      demand(
        !isThree || id.hasPrefix("http://") || id.hasPrefix("https://"),
        "id is not an address: \(id)")
    } else {
      wrong.append("\(name) is missing")
    }
    let standard = "http://iiif.io/api/image"
    demand(root["protocol"] as? String == standard, "protocol is not \(standard)")
    let profile = (root["profile"] as? [Any])?.first as? String ?? root["profile"] as? String ?? ""
    guard isThree else {
      demand(
        (0...2).contains { profile == "\(standard)/2/level\($0).json" },
        "profile does not begin with a level of version 2")
      return wrong
    }
    demand(root["type"] as? String == "ImageService3", "type is not ImageService3")
    demand(
      !(root["profile"] is [Any]) && ["level0", "level1", "level2"].contains(profile),
      "profile is none of level0, level1, level2")
    for name in ["extraQualities", "extraFormats", "extraFeatures", "preferredFormats"] {
      demand(root[name] == nil || root[name] is [String], "\(name) is not a list of strings")
    }
    for format in root["preferredFormats"] as? [String] ?? [] {
      demand(information.offers(format: format), "the preferred format \(format) is not offered")
    }
    return wrong
  }

  /// The defects of the lists of sizes and tiles.
  private var lists: [String] {
    var wrong: [String] = []
    func isPositive(_ value: Any?) -> Bool { (value as? Int).map { $0 > 0 } ?? false }
    if let sizes = root["sizes"] {
      let entries = sizes as? [[String: Any]]
      if entries?.allSatisfy({ isPositive($0["width"]) && isPositive($0["height"]) }) != true {
        wrong.append("sizes is not a list of widths and heights")
      }
    }
    if let tiles = root["tiles"] {
      let entries = tiles as? [[String: Any]]
      let areWhole = entries?.allSatisfy { each in
        isPositive(each["width"])
          && (each["scaleFactors"] as? [Int])?.allSatisfy { $0 > 0 } == true
          && (each["height"] == nil || isPositive(each["height"]))
      }
      if areWhole != true { wrong.append("tiles is not a list of widths and scale factors") }
      let sides = (entries ?? []).map {
        "\($0["width"] ?? 0)x\($0["height"] ?? $0["width"] ?? 0)"
      }
      if Set(sides).count < sides.count { wrong.append("two tiles have one width and height") }
    }
    return wrong
  }

  /// The sizes and tiles above the limits, and the defects of the limits.
  private var limits: [String] {
    func exceeds(_ width: Int, _ height: Int) -> Bool {
      width > information.maxWidth ?? .max || height > information.maxHeight ?? .max
        || width * height > information.maxArea ?? .max
    }
    var wrong = information.sizes.filter { exceeds($0.width, $0.height) }.map {
      "the size \($0) is above its limits"
    }
    wrong += information.tiles.filter { exceeds($0.width, $0.height) }.map {
      "the tiles of \($0.width)x\($0.height) are above its limits"
    }
    let objects = (root["profile"] as? [Any] ?? []).compactMap { $0 as? [String: Any] } + [root]
    if objects.contains(where: { $0["maxHeight"] != nil && $0["maxWidth"] == nil }) {
      wrong.append("it has maxHeight without maxWidth")
    }
    if information.version == .three, information.features.contains("sizeUpscaling"),
      root["maxWidth"] == nil, root["maxArea"] == nil
    {
      wrong.append("it has sizeUpscaling without maxWidth or maxArea")
    }
    return wrong
  }

  /// Returns the decoded path of an address; a proxy may change scheme and host.
  ///
  /// An encoded slash stays encoded; other characters may be encoded or not (section 9).
  private static func path(of address: String) -> String {
    guard let host = address.range(of: "://") else { return address }
    let path = address[host.upperBound...].drop { $0 != "/" }
    return path.replacing("%2f", with: "%2F").split(
      separator: "%2F", omittingEmptySubsequences: false
    )
    .map { $0.removingPercentEncoding ?? String($0) }.joined(separator: "%2F")
  }

  /// A listed size that distorts the picture, or in 3.0 is above it, which would need ^.
  private var sizeViolation: Violation? {
    for listed in information.sizes {
      let off = abs(listed.width * size.height - listed.height * size.width)
      if off > max(size.width, size.height) {
        return Violation(
          .informationRatio, "the size \(listed) distorts \(size)", cause: "another ratio")
      }
      if listed.width > size.width || listed.height > size.height, information.version == .three {
        return Violation(
          .informationSizes, "the size \(listed) is above \(size)", cause: "above the picture")
      }
    }
    return nil
  }

  private var typeViolation: Violation? {
    let full = answer.headers["content-type"] ?? ""
    let type = full.split(separator: ";").first.map(String.init) ?? ""
    let wrong: (String, String)?
    switch type.lowercased() {
    case "application/json": wrong = nil
    case "application/ld+json" where information.version == .two:
      wrong = ("\(type) came without being requested", "JSON-LD unasked")
    case "application/ld+json":
      wrong = full.contains("profile=") ? nil : ("\(full) lacks a profile", "no profile")
    default: wrong = ("its content type is \"\(type)\"", "wrong content type")
    }
    return wrong.map { Violation(.informationType, $0.0, cause: $0.1) }
  }
}

extension [UInt8] {
  /// Whether a comma precedes a closing bracket, which is not JSON but which some readers accept.
  fileprivate var hasTrailingComma: Bool {
    var (isInText, isEscaped) = (false, false)
    var last: UInt8?
    for byte in self {
      if isInText {
        isInText = isEscaped || byte != UInt8(ascii: "\"")
        isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
        continue
      }
      let closes = byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]")
      if closes && last == UInt8(ascii: ",") { return true }
      isInText = byte == UInt8(ascii: "\"")
      if ![UInt8(ascii: " "), 9, 10, 13].contains(byte) { last = byte }
    }
    return false
  }
}
