/// The choice of the media type of info.json by the Accept header (5.1 of both versions).
enum Negotiation {
  static let plain = "application/json"
  static let linked = "application/ld+json"

  static func mediaType(_ accept: String?, _ api: ReferenceAPI) -> String {
    let linkedType =
      api == .version2 ? linked : "\(linked);profile=\"\(api.context)\""
    guard let accept else { return api == .version2 ? plain : linkedType }
    let qualities = Dictionary(
      accept.split(separator: ",").map(quality), uniquingKeysWith: { first, _ in first })
    // Version 2 sends JSON-LD only to clients that name it. In version 3 the most specific range
    // that covers a type counts (RFC 7231, 5.3.2).
    let wild = api == .version2 ? 0 : qualities["application/*"] ?? qualities["*/*"] ?? 0
    let share = qualities[linked] ?? wild
    let isLinked = share >= qualities[plain] ?? wild && (api == .version3 || share > 0)
    return isLinked ? linkedType : plain
  }

  /// Parses a type and its quality; a profile is ignored.
  private static func quality(_ range: Substring) -> (String, Double) {
    let parts = range.split(separator: ";").map { $0.filter { $0 != " " }.lowercased() }
    let quality = parts.lazy.filter { $0.hasPrefix("q=") }.compactMap { Double($0.dropFirst(2)) }
    return (parts.first ?? "", quality.first ?? 1)
  }
}
