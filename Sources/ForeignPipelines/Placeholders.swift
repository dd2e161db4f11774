internal import Foundation
internal import SystemPackage
internal import ZoomGeometry

/// The names in braces in commands and addresses: {file}, {x}, {w} and so on.
package enum Placeholders {
  static func values(of file: FilePath) -> [String: String] {
    ["file": file.string, "name": file.lastComponent?.string ?? "", "stem": file.stem ?? ""]
  }

  /// Returns the placeholder values of a region: its corner, its size, its exclusive right and bottom ends.
  static func values(_ region: PixelRegion, of file: FilePath) -> [String: String] {
    let numbers = [
      "x": region.x, "y": region.y, "w": region.width, "h": region.height, "right": region.maxX,
      "bottom": region.maxY,
    ]
    return values(of: file).merging(numbers.mapValues(String.init)) { first, _ in first }
  }

  private static let ofPicture = ["file", "name", "stem"]
  private static let ofRegion = ["x", "y", "w", "h", "right", "bottom"]

  /// The placeholders that each kind of pipeline replaces; a worker has none.
  static let names: [ForeignPipeline.Kind: [String]] = [
    .command: ofPicture + ofRegion + ["out", "out.png"], .tiles: ofPicture + ["z", "x", "y"],
    .iiif: ofPicture, .http: ofPicture + ofRegion,
  ]

  /// Returns the first placeholder in a text that is not among the known names.
  ///
  /// Only a word in braces is a placeholder, and a shell's `${NAME}` is not. For a command, callers pass only
  /// words without spaces: the others may be shell or awk programs, which use braces themselves.
  static func unknown(in text: String, _ known: [String]) -> String? {
    for match in text.matches(of: /(\$?)\{([A-Za-z]+(\.[A-Za-z0-9]+)?)\}/) where match.1.isEmpty {
      let isOut = match.3 != nil && match.2.hasPrefix("out.") && known.contains("out")
      if !isOut, !known.contains(String(match.2)) { return String(match.2) }
    }
    return nil
  }

  /// Replaces the placeholders that have values, percent-encoded for an address if `encoded` is true.
  package static func fill(
    _ text: String, _ values: [String: String], encoded: Bool = false
  ) -> String {
    var result = ""
    var rest = text[...]
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      let value = values[String(rest[rest.index(after: open)..<close])]
      result += rest[..<open]
      result += value.map { encoded ? $0.percentEncoded() : $0 } ?? String(rest[open...close])
      rest = rest[rest.index(after: close)...]
    }
    return result + rest
  }
}

extension String {
  /// Percent-encodes all characters except the unreserved ones of RFC 3986, so that a slash is encoded too,
  /// and except those of `others`.
  package func percentEncoded(except others: String = "") -> String {
    // No character beyond ASCII stays, although the set has some.
    let plain = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-._~" + others))
    return addingPercentEncoding(withAllowedCharacters: plain) ?? self
  }
}
