internal import Foundation
package import ZoomGeometry

/// The picture's size and the server's features in an info.json (Image API 2.1 and 3.0, section 5).
package struct IIIFInformation: Sendable, Hashable {
  package enum Version: Int, Sendable { case two = 2, three = 3 }

  package let version: Version
  package var size: PixelSize
  /// The compliance level that the document claims, 0 to 2.
  package let level: Int
  /// The formats offered beyond the level's own; `qualities` and `features` likewise.
  package let formats: [String]
  package let qualities: [String]
  package let features: [String]
  package let sizes: [PixelSize]
  package let tiles: [Tiles]
  package let maxWidth: Int?
  package let maxHeight: Int?
  package let maxArea: Int?

  package struct Tiles: Sendable, Hashable {
    package let width: Int
    package let height: Int
    package let scaleFactors: [Int]
  }

  /// The range of lengths; larger limits are clamped to it, and scale factors outside it are ignored.
  private static let sides = 1...(1 << 31)

  package struct Unreadable: Error { package let reason: String }

  package init(json bytes: [UInt8]) throws(Unreadable) {
    guard let root = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any] else {
      throw Unreadable(reason: "it is not a JSON object")
    }
    /// Returns the width and height of an object, a square for a tile without a height.
    func readSize(_ object: [String: Any], isTile: Bool = false) -> PixelSize? {
      guard let width = object["width"] as? Int,
        let height = object["height"] as? Int ?? (isTile ? width : nil)
      else { return nil }
      return try? PixelSize(width: width, height: height)
    }
    guard let size = readSize(root) else { throw Unreadable(reason: "it lacks width and height") }
    self.size = size
    let contexts = root["@context"] as? [Any]
    let context = (root["@context"] as? String) ?? contexts?.last as? String ?? ""
    version =
      context.contains("/image/3") || root["type"] as? String == "ImageService3" ? .three : .two
    let profiles = root["profile"] as? [Any] ?? []
    // Version 2 lists extra features in objects of the profile, version 3 in the document itself.
    let objects = profiles.compactMap { $0 as? [String: Any] }
    func offered(_ old: String, _ new: String) -> [String] {
      (root[new] as? [String] ?? []) + objects.flatMap { $0[old] as? [String] ?? [] }
    }
    formats = offered("formats", "extraFormats")
    qualities = offered("qualities", "extraQualities")
    features = offered("supports", "extraFeatures")
    func limit(_ name: String) -> Int? {
      (root[name] as? Int ?? objects.lazy.compactMap { $0[name] as? Int }.first)
        .map { min(max($0, 0), Self.sides.upperBound) }
    }
    maxWidth = limit("maxWidth")
    maxHeight = limit("maxHeight") ?? maxWidth
    maxArea = limit("maxArea")
    let claimed = (root["profile"] as? String) ?? profiles.first as? String ?? ""
    level = (0...2).last { claimed.contains("level\($0)") } ?? 0
    sizes = (root["sizes"] as? [[String: Any]] ?? []).compactMap { readSize($0) }
    tiles = (root["tiles"] as? [[String: Any]] ?? []).compactMap { each in
      guard let size = readSize(each, isTile: true), let factors = each["scaleFactors"] as? [Int]
      else { return nil }
      return Tiles(
        width: size.width, height: size.height,
        scaleFactors: factors.filter(Self.sides.contains))
    }
  }

  /// The word for "as large as the region": `full` in 2.0, `max` in 3.0, either in 2.1.
  ///
  /// A limit below the picture's size rules out `full`.
  package var fullSize: String {
    let isLimited =
      maxWidth.map { $0 < size.width } == true || maxHeight.map { $0 < size.height } == true
      || maxArea.map { $0 < size.area } == true
    return version == .three || isLimited ? "max" : "full"
  }

  /// The best format for pixels that is offered.
  ///
  /// Level 2 includes PNG, whether the document lists it or not.
  package var format: String {
    ["png", "tif"].first(where: offers(format:)) ?? "jpg"
  }

  package func offers(format: String) -> Bool {
    format == "jpg" || (format == "png" && level == 2) || formats.contains(format)
  }

  /// Returns whether a quality is offered.
  ///
  /// 3.0 requires `color` at every level (4.4).
  package func offers(quality: String) -> Bool {
    if version == .three && quality == "color" { return true }
    let ofLevelTwo = version == .two ? ["color", "gray", "bitonal"] : ["color", "gray"]
    return quality == "default" || qualities.contains(quality)
      || (level == 2 && ofLevelTwo.contains(quality))
  }

  /// Returns whether a feature is claimed, by the level or by name.
  package func supports(_ feature: String) -> Bool {
    if features.contains(feature) { return true }
    let levels = version == .two ? Self.levelsOfTwo : Self.levelsOfThree
    return levels[feature].map { level >= $0 } ?? false
  }

  /// Returns the next level if `features` include all that it requires beyond this level; nil otherwise.
  package func nextLevel(with features: Set<String>) -> Int? {
    let levels = version == .two ? Self.levelsOfTwo : Self.levelsOfThree
    guard level < 2 else { return nil }
    // Features of HTTP are tried separately, and w,h of 2.1 has two names.
    let known = Set(["baseUriRedirect", "cors", "jsonldMediaType", "sizeByDistortedWh"])
    let missing = levels.filter { feature, needed in
      needed == level + 1 && !known.contains(feature) && !supports(feature)
    }.keys
    // Level 2 also requires these qualities and PNG.
    if level == 1 {
      guard offers(format: "png"),
        ["color", "gray"].allSatisfy({ offers(quality: $0) || features.contains($0) })
      else { return nil }
    }
    return !missing.isEmpty && features.isSuperset(of: missing) ? level + 1 : nil
  }

  /// The level from which on a feature is required (compliance documents of 2.1 and 3.0, sections 3 and 4).
  ///
  /// The table of 3.0 contradicts itself at level 1 of `sizeByWh`; this table has the milder reading.
  private static let levelsOfTwo = [
    "regionByPx": 1, "regionByPct": 2, "sizeByW": 1, "sizeByH": 1, "sizeByPct": 1,
    "sizeByConfinedWh": 2, "sizeByDistortedWh": 2, "sizeByWh": 2, "rotationBy90s": 2,
    "baseUriRedirect": 1, "cors": 1, "jsonldMediaType": 1,
  ]
  private static let levelsOfThree = [
    "regionByPx": 1, "regionSquare": 1, "regionByPct": 2, "sizeByW": 1, "sizeByH": 1,
    "sizeByPct": 2, "sizeByConfinedWh": 2, "sizeByWh": 2, "rotationBy90s": 2,
    "baseUriRedirect": 1, "cors": 1, "jsonldMediaType": 1,
  ]
}
