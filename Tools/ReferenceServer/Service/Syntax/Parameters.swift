/// The syntax of the parameters, common to both versions (4.1 to 4.5).
enum Parameters {
  /// Parses decimal digits; numbers larger than any picture are clamped.
  static func whole(_ text: some StringProtocol) -> Int? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
    let most = 1 << 31
    return text.utf8.reduce(0) { min($0 * 10 + Int($1) - 48, most) }
  }

  /// Parses percentages and degrees: digits, optionally with a "." and more digits (4.7).
  ///
  /// The specification only recommends a leading 0 below 1 and no trailing zeros, so both are optional here.
  static func decimal(_ text: some StringProtocol) -> Double? {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard text.utf8.count <= 32, let first = parts.first,
      parts.allSatisfy({ $0.utf8.allSatisfy { (48...57).contains($0) } }),
      parts.count == 1 ? !first.isEmpty : !parts[1].isEmpty
    else { return nil }
    return Double(first.isEmpty ? "0" + String(text) : String(text))
  }

  static func region(_ text: String) throws(RequestError) -> RegionForm {
    if text == "full" { return .full }
    if text == "square" { return .square }
    let isPercent = text.hasPrefix("pct:")
    let parts = (isPercent ? text.dropFirst(4) : text[...])
      .split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 4 else { throw .syntax("region", text) }
    if isPercent {
      let numbers = parts.compactMap { decimal($0) }
      guard numbers.count == 4 else { throw .syntax("region", text) }
      return .percent(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    }
    let numbers = parts.compactMap { whole($0) }
    guard numbers.count == 4 else { throw .syntax("region", text) }
    return .pixels(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
  }

  static func size(_ text: String, _ api: ReferenceAPI) throws(RequestError) -> SizeForm {
    let hasCaret = text.hasPrefix("^")
    if hasCaret, api == .version2 { throw .syntax("size", text) }
    let upscales = hasCaret || api == .version2
    var rest = text.dropFirst(hasCaret ? 1 : 0)
    // `max` does not upscale without ^, unlike the other sizes of version 2.
    if rest == "max" { return SizeForm(kind: .max, upscales: hasCaret) }
    if rest == "full", api == .version2 { return SizeForm(kind: .full, upscales: false) }
    if rest.hasPrefix("pct:") {
      guard let share = decimal(rest.dropFirst(4)) else { throw .syntax("size", text) }
      return SizeForm(kind: .percent(share), upscales: upscales)
    }
    let isConfined = rest.hasPrefix("!")
    if isConfined { rest = rest.dropFirst() }
    let parts = rest.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 2 else { throw .syntax("size", text) }
    let kind: SizeForm.Kind
    switch (whole(parts[0]), whole(parts[1])) {
    case (let width?, let height?):
      let size = Extent(width: width, height: height)
      kind = isConfined ? .confined(size) : .exact(size)
    case (let width?, nil) where parts[1].isEmpty && !isConfined: kind = .width(width)
    case (nil, let height?) where parts[0].isEmpty && !isConfined: kind = .height(height)
    default: throw .syntax("size", text)
    }
    return SizeForm(kind: kind, upscales: upscales)
  }

  static func rotation(_ text: String) throws(RequestError) -> Rotation {
    let isMirrored = text.hasPrefix("!")
    guard let degrees = decimal(text.dropFirst(isMirrored ? 1 : 0)) else {
      throw .syntax("rotation", text)
    }
    guard degrees <= 360 else { throw RequestError("rotation \(text) is beyond 360 degrees") }
    return Rotation(mirrored: isMirrored, degrees: degrees)
  }

  /// Returns a parser of the names of a type's values.
  static func choice<Value: RawRepresentable<String> & Sendable>(
    of parameter: String
  ) -> Parser<Value> {
    { text throws(RequestError) in
      guard let value = Value(rawValue: text) else {
        throw RequestError("\(parameter) \"\(text)\" is not offered")
      }
      return value
    }
  }
}
