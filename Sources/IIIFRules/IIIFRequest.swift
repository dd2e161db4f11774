internal import ForeignPipelines

/// The five parameters of a picture request, as written in its address.
package struct IIIFRequest: Sendable, Hashable {
  package var region = "full"
  package var size: String
  package var rotation = "0"
  package var quality = "default"
  package var format: String
}

extension IIIFRequest: CustomStringConvertible {
  /// Parses "region/size/rotation/quality.format", as `description` writes it; nil for anything else.
  package init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 4, let dot = parts[3].lastIndex(of: ".") else { return nil }
    self.init(
      region: parts[0], size: parts[1], rotation: parts[2],
      quality: String(parts[3][..<dot]), format: String(parts[3][parts[3].index(after: dot)...]))
  }

  package var description: String { "\(region)/\(size)/\(rotation)/\(quality).\(format)" }

  /// The path after the service's address.
  var path: String {
    let parts = [region, size, rotation, "\(quality).\(format)"]
    // RFC 3986 (pchar) also allows "+" without encoding, but some servers read it as a space.
    return parts.map { "/" + $0.percentEncoded(except: "!,:") }.joined()
  }
}

/// The processing steps in their order (3.0, section 4.6), and the protocol around them.
package enum IIIFStage: String, Sendable, CaseIterable, Codable {
  case region, size, rotation, quality, format
  case `protocol`
}
