/// The choice of the media type of info.json by the Accept header (5.1 of both versions).
enum Negotiation {
  static let plain = "application/json"
  static let linked = "application/ld+json"

  static func mediaType(_ accept: String?, _ api: ReferenceAPI) -> String {
    let linkedType =
      api == .version2 ? linked : "\(linked);profile=\"\(api.context)\""
    guard let accept else { return api == .version2 ? plain : linkedType }
    let ranges = accept.split(separator: ",").map(MediaRange.init)
    if api == .version2 {
      // Version 2 sends JSON-LD only to clients that name it.
      let share = ranges.first { $0.type == linked }?.quality ?? 0
      let other = ranges.first { $0.type == plain }?.quality ?? 0
      return share > 0 && share >= other ? linked : plain
    }
    let share = quality(of: linked, ranges)
    return share >= quality(of: plain, ranges) ? linkedType : plain
  }

  /// Returns the quality of the most specific range that covers a type (RFC 7231, 5.3.2).
  private static func quality(of type: String, _ ranges: [MediaRange]) -> Double {
    for range in [type, "application/*", "*/*"] {
      if let match = ranges.first(where: { $0.type == range }) { return match.quality }
    }
    return 0
  }
}

private struct MediaRange {
  let type: String
  let quality: Double

  /// Parses a type and its quality; a profile is ignored.
  init(_ text: Substring) {
    let parts = text.split(separator: ";").map { $0.filter { $0 != " " }.lowercased() }
    type = parts.first ?? ""
    quality =
      parts.lazy.filter { $0.hasPrefix("q=") }.compactMap { Double($0.dropFirst(2)) }.first ?? 1
  }
}
