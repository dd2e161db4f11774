/// How the device is held, by UIKit's names and numbers.
public enum DeviceOrientation: Int, Sendable, Hashable, CaseIterable {
  /// Not known yet.
  case unknown = 0
  /// Upright.
  case portrait = 1
  /// Upright with the home button at the top.
  case portraitUpsideDown = 2
  /// On its side, the home button at the right.
  case landscapeLeft = 3
  /// On its side, the home button at the left.
  case landscapeRight = 4
  /// Lying with the screen up.
  case faceUp = 5
  /// Lying with the screen down.
  case faceDown = 6
}

/// How the interface is drawn, by UIKit's names and numbers.
///
/// Number 3 is called right here and left in ``DeviceOrientation``: the interface turns against the
/// device. A port that goes by the names is wrong; the numbers agree.
public enum InterfaceOrientation: Int, Sendable, Hashable, CaseIterable {
  /// Not known.
  case unknown = 0
  /// Upright.
  case portrait = 1
  /// Upright with the home button at the top.
  case portraitUpsideDown = 2
  /// Drawn for a device held in `DeviceOrientation.landscapeLeft`.
  case landscapeRight = 3
  /// Drawn for a device held in `DeviceOrientation.landscapeRight`.
  case landscapeLeft = 4
}

extension DeviceOrientation {
  /// The turn that brings content upright for somebody who holds the device so, on a screen whose
  /// coordinates stay portrait; nil where the holding says nothing (lying flat, unknown).
  public var contentTurn: QuarterTurn? {
    switch self {
    case .portrait: QuarterTurn.none
    case .portraitUpsideDown: .half
    case .landscapeLeft: .clockwise
    case .landscapeRight: .counterclockwise
    case .unknown, .faceUp, .faceDown: nil
    }
  }

  /// Creates the orientation of a device for which the interface is drawn upright.
  public init(upright interface: InterfaceOrientation) {
    switch interface {
    case .unknown: self = .unknown
    case .portrait: self = .portrait
    case .portraitUpsideDown: self = .portraitUpsideDown
    case .landscapeRight: self = .landscapeLeft
    case .landscapeLeft: self = .landscapeRight
    }
  }
}
