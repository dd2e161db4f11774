/// A rotation by a whole number of quarter turns, stored as that number.
///
/// A rotation by pi / 2 in floating point is off by 4e-14 points on a screen. Whole numbers are
/// exact, so a turned picture keeps every pixel.
public enum QuarterTurn: Int, Sendable, Hashable, CaseIterable {
  case none = 0
  /// A quarter turn clockwise as seen on a screen with y down: (x, y) -> (-y, x), +pi / 2.
  case clockwise = 1
  case half = 2
  /// A quarter turn counter-clockwise: (x, y) -> (y, -x), -pi / 2.
  case counterclockwise = 3

  /// Whether the turn swaps width and height.
  public var swapsAxes: Bool { self == .clockwise || self == .counterclockwise }

  /// The opposite turn.
  public var inverse: QuarterTurn { QuarterTurn(turns: -rawValue) }

  /// Returns the sum of two turns.
  public static func + (first: QuarterTurn, second: QuarterTurn) -> QuarterTurn {
    QuarterTurn(turns: first.rawValue + second.rawValue)
  }

  private init(turns: Int) { self = QuarterTurn(rawValue: turns & 3) ?? .none }

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
        in: container, debugDescription: "\(degrees) degrees is not 0, 90, 180 or 270")
    }
    self = turn
  }

  /// Encodes the angle in degrees clockwise.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue * 90)
  }
}

/// The orientation of a device, with UIKit's names in the order of UIKit's numbers.
public enum DeviceOrientation: String, Sendable, Hashable, Codable, CaseIterable {
  case unknown, portrait
  /// Upright with the home button at the top.
  case portraitUpsideDown
  /// On its side with the home button at the right.
  case landscapeLeft
  /// On its side with the home button at the left.
  case landscapeRight
  case faceUp, faceDown

  /// Creates the orientation with a number of UIKit; `unknown` for other numbers.
  public init(number: Int) {
    self = Self.allCases.indices.contains(number) ? Self.allCases[number] : .unknown
  }

  /// Creates the orientation of a device that shows an interface upright.
  public init(upright interface: InterfaceOrientation) {
    switch interface {
    case .unknown: self = .unknown
    case .portrait: self = .portrait
    case .portraitUpsideDown: self = .portraitUpsideDown
    case .landscapeRight: self = .landscapeLeft
    case .landscapeLeft: self = .landscapeRight
    }
  }

  /// The turn that makes content upright on a screen whose coordinates stay portrait; nil for an
  /// orientation that does not determine it (flat or unknown).
  public var contentTurn: QuarterTurn? {
    switch self {
    case .portrait: QuarterTurn.none
    case .portraitUpsideDown: .half
    case .landscapeLeft: .clockwise
    case .landscapeRight: .counterclockwise
    case .unknown, .faceUp, .faceDown: nil
    }
  }
}

/// The orientation of an interface, with UIKit's names in the order of UIKit's numbers.
///
/// Number 3 is `landscapeRight` here and `landscapeLeft` in ``DeviceOrientation``, because the
/// interface turns against the device. The numbers agree; the names do not.
public enum InterfaceOrientation: String, Sendable, Hashable, Codable, CaseIterable {
  case unknown, portrait, portraitUpsideDown
  /// The interface of a device held in `DeviceOrientation.landscapeLeft`.
  case landscapeRight
  /// The interface of a device held in `DeviceOrientation.landscapeRight`.
  case landscapeLeft

  /// Creates the orientation with a number of UIKit; `unknown` for other numbers.
  public init(number: Int) {
    self = Self.allCases.indices.contains(number) ? Self.allCases[number] : .unknown
  }
}
