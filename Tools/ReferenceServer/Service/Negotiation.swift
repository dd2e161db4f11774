/// The media type of info.json by what the client accepts (5.1 of both versions).
enum Negotiation {
  static let plain = "application/json"
  static let linked = "application/ld+json"

  static func mediaType(_ accept: String?, _ api: ReferenceAPI) -> String {
    let linkedType =
      api == .version2 ? linked : "\(linked);profile=\"\(api.context)\""
    guard let accept else { return api == .version2 ? plain : linkedType }
    let ranges = accept.split(separator: ",").map(MediaRange.init)
    if api == .version2 {
      // Only who wants it explicitly gets JSON-LD.
      let share = ranges.first { $0.type == linked }?.quality ?? 0
      let other = ranges.first { $0.type == plain }?.quality ?? 0
      return share > 0 && share >= other ? linked : plain
    }
    let share = quality(of: linked, ranges)
    return share >= quality(of: plain, ranges) ? linkedType : plain
  }

  /// The quality of the most specific range that covers a type (RFC 7231, 5.3.2).
  private static func quality(of type: String, _ ranges: [MediaRange]) -> Double {
    for range in [type, "application/*", "*/*"] {
      if let match = ranges.first(where: { $0.type == range }) { return match.quality }
    }
    return 0
  }
}

/// One of the types of an Accept header.
private struct MediaRange {
  let type: String
  let quality: Double

  /// A profile may stand behind the type and is not looked at.
  init(_ text: Substring) {
    let parts = text.split(separator: ";").map { $0.filter { $0 != " " }.lowercased() }
    type = parts.first ?? ""
    quality =
      parts.lazy.filter { $0.hasPrefix("q=") }.compactMap { Double($0.dropFirst(2)) }.first ?? 1
  }
}
