/// A rotation by a whole number of quarter turns, kept as that number.
///
/// A sine of pi / 2 in floating point leaves 4e-14 points of residue on a screen; whole turns leave
/// none, and a picture turned by them keeps every pixel.
public enum QuarterTurn: Int, Sendable, Hashable, CaseIterable {
  /// No turn.
  case none = 0
  /// A quarter turn clockwise as seen on a screen with y down: (x, y) -> (-y, x), +pi / 2.
  case clockwise = 1
  /// Half a turn.
  case half = 2
  /// A quarter turn counter-clockwise: (x, y) -> (y, -x), -pi / 2.
  case counterclockwise = 3

  /// Whether width and height change places.
  public var swapsAxes: Bool { self == .clockwise || self == .counterclockwise }

  /// The turn that undoes this one.
  public var inverse: QuarterTurn { QuarterTurn(turns: 4 - rawValue) }

  /// One turn after the other.
  public static func + (first: QuarterTurn, second: QuarterTurn) -> QuarterTurn {
    QuarterTurn(turns: first.rawValue + second.rawValue)
  }

  /// Clockwise quarter turns, at least 0.
  private init(turns: Int) {
    switch turns % 4 {
    case 1: self = .clockwise
    case 2: self = .half
    case 3: self = .counterclockwise
    default: self = .none
    }
  }

  /// The angle in radians, clockwise, from -pi / 2 to pi.
  public var radians: Double {
    switch self {
    case .none: 0
    case .clockwise: .pi / 2
    case .half: .pi
    case .counterclockwise: -.pi / 2
    }
  }
}

extension QuarterTurn: Codable {
  /// Decodes an angle in degrees clockwise: 0, 90, 180 or 270.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let degrees = try container.decode(Int.self)
    guard degrees.isMultiple(of: 90), let turn = QuarterTurn(rawValue: degrees / 90) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "\(degrees) degrees is none of 0, 90, 180 and 270")
    }
    self = turn
  }

  /// Encodes the angle in degrees clockwise.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue * 90)
  }
}

extension PixelSize {
  /// Returns the size after a turn.
  public func turned(by turn: QuarterTurn) -> PixelSize { turn.swapsAxes ? transposed : self }
}

extension ViewSize {
  /// Returns the size after a turn.
  public func turned(by turn: QuarterTurn) -> ViewSize {
    turn.swapsAxes ? ViewSize(width: height, height: width) : self
  }
}
