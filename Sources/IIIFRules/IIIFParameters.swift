internal import ForeignPipelines
internal import ZoomGeometry

/// A parameter, parsed by the grammar of the specification.
enum Parameter<Value: Sendable & Hashable>: Sendable, Hashable {
  case value(Value)
  /// Well formed, but impossible to meet, so that a rule demands a refusal.
  case refused(IIIFRule)
  /// Not in the grammar; the server may answer anything.
  case malformed

  var value: Value? {
    if case .value(let value) = self { value } else { nil }
  }

  var refusal: IIIFRule? {
    if case .refused(let rule) = self { rule } else { nil }
  }
}

enum RegionForm: Sendable, Hashable {
  case full, square
  case pixels(x: Int, y: Int, width: Int, height: Int)
  case percent(x: Double, y: Double, width: Double, height: Double)

  /// The feature's name in info.json; nil if every server must have it.
  var feature: String? {
    switch self {
    case .full: nil
    case .square: "regionSquare"
    case .pixels: "regionByPx"
    case .percent: "regionByPct"
    }
  }
}

struct SizeForm: Sendable, Hashable {
  enum Kind: Sendable, Hashable {
    case largest
    case width(Int)
    case height(Int)
    case percent(Double)
    case both(Int, Int)
    case within(Int, Int)
  }

  var kind: Kind
  /// Whether the region may be enlarged (3.0, "^").
  var isUp: Bool
  /// Whether it is `full` of 2.1, which is not reduced to fit the limits.
  var isUnscaled = false

  var feature: String? { demands.feature }
  var rule: IIIFRule { demands.rule }

  private var demands: (feature: String?, rule: IIIFRule) {
    switch kind {
    case .largest: (nil, .sizeLargest)
    case .width: ("sizeByW", .sizeBySide)
    case .height: ("sizeByH", .sizeBySide)
    case .percent: ("sizeByPct", .sizeByPercent)
    case .both: ("sizeByWh", .sizeByBoth)
    case .within: ("sizeByConfinedWh", .sizeWithin)
    }
  }
}

struct RotationForm: Sendable, Hashable {
  var isMirrored: Bool
  var degrees: Double

  /// The number of quarter turns; nil for any other angle.
  var quarters: Int? { degrees.remainder(dividingBy: 90) == 0 ? Int(degrees / 90) % 4 : nil }

  /// Returns the size that a picture of a size had before it was turned by quarters.
  func unturned(_ size: PixelSize) -> PixelSize {
    (quarters ?? 0) % 2 == 1 ? size.transposed : size
  }
}

/// Parses parameters by the grammar of 2.1 or 3.0, section 4.
struct IIIFGrammar: Sendable {
  let information: IIIFInformation
  private var isThree: Bool { information.version == .three }

  init(_ information: IIIFInformation) { self.information = information }

  func region(_ text: String) -> Parameter<RegionForm> {
    if text == "full" { return .value(.full) }
    if text == "square" { return .value(.square) }
    if text.hasPrefix("pct:") {
      guard let numbers = Self.four(text.dropFirst(4), Self.decimal) else { return .malformed }
      let (x, y, width, height) = (numbers[0], numbers[1], numbers[2], numbers[3])
      guard width > 0, height > 0, x < 100, y < 100 else { return .refused(.regionEmpty) }
      return .value(.percent(x: x, y: y, width: width, height: height))
    }
    guard let numbers = Self.four(text[...], Self.integer) else { return .malformed }
    let (x, y, width, height) = (numbers[0], numbers[1], numbers[2], numbers[3])
    let whole = information.size
    guard width > 0, height > 0, x < whole.width, y < whole.height else {
      return .refused(.regionEmpty)
    }
    return .value(.pixels(x: x, y: y, width: width, height: height))
  }

  func size(_ text: String) -> Parameter<SizeForm> {
    let isUp = isThree && text.hasPrefix("^")
    let plain = text.dropFirst(isUp ? 1 : 0)
    func form(_ kind: SizeForm.Kind) -> Parameter<SizeForm> {
      .value(SizeForm(kind: kind, isUp: isUp))
    }
    if plain == "max" { return form(.largest) }
    if plain == "full" && !isThree {
      return .value(SizeForm(kind: .largest, isUp: false, isUnscaled: true))
    }
    if plain.hasPrefix("pct:") {
      guard let number = Self.decimal(plain.dropFirst(4)) else { return .malformed }
      return number > 0 ? form(.percent(number)) : .refused(.sizeNone)
    }
    let isWithin = plain.hasPrefix("!")
    let sides = Self.list(plain.dropFirst(isWithin ? 1 : 0))
    guard sides.count == 2 else { return .malformed }
    let numbers = sides.map(Self.integer)
    guard zip(sides, numbers).allSatisfy({ $0.isEmpty || $1 != nil }),
      numbers.contains(where: { $0 != nil })
    else { return .malformed }
    if numbers.contains(0) { return .refused(.sizeNone) }
    switch (numbers[0], numbers[1]) {
    case (let width?, let height?):
      return form(isWithin ? .within(width, height) : .both(width, height))
    case (let width?, nil): return isWithin ? .malformed : form(.width(width))
    case (nil, let height?): return isWithin ? .malformed : form(.height(height))
    case (nil, nil): return .malformed
    }
  }

  func rotation(_ text: String) -> Parameter<RotationForm> {
    let isMirrored = text.hasPrefix("!")
    let plain = text.dropFirst(isMirrored ? 1 : 0)
    guard let degrees = Self.decimal(plain) else {
      let isNegative = plain.hasPrefix("-") && Self.decimal(plain.dropFirst()) != nil
      return isNegative ? .refused(.rotationRange) : .malformed
    }
    guard degrees <= 360 else { return .refused(.rotationRange) }
    return .value(RotationForm(isMirrored: isMirrored, degrees: degrees))
  }

  func quality(_ text: String) -> Parameter<String> {
    ["default", "color", "gray", "bitonal"].contains(text) || information.qualities.contains(text)
      ? .value(text) : .refused(.qualityUnknown)
  }

  func format(_ text: String) -> Parameter<String> {
    Self.types[text] != nil || information.formats.contains(text)
      ? .value(text) : .refused(.formatUnknown)
  }

  /// The content types of the formats (section 4.5).
  static let types = [
    "jpg": "image/jpeg", "tif": "image/tiff", "png": "image/png", "gif": "image/gif",
    "jp2": "image/jp2", "pdf": "application/pdf", "webp": "image/webp",
  ]

  private static func list(_ text: Substring) -> [Substring] {
    text.split(separator: ",", omittingEmptySubsequences: false)
  }

  private static func four<Number>(
    _ text: Substring, _ parse: (Substring) -> Number?
  ) -> [Number]? {
    let numbers = list(text).map(parse)
    let parsed = numbers.compactMap(\.self)
    return numbers.count == 4 && parsed.count == 4 ? parsed : nil
  }

  /// The value of all larger numbers: it exceeds any picture, and keeps calculations from overflowing.
  private static let largest = 1 << 31

  /// Parses digits only, however many.
  static func integer(_ text: Substring) -> Int? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
    return min(Int(text) ?? largest, largest)
  }

  /// Parses digits, optionally followed by a dot and more digits.
  static func decimal(_ text: Substring) -> Double? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count),
      parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (48...57).contains($0) } })
    else { return nil }
    return Double(text).map { min($0, Double(largest)) }
  }
}
