/// What a zoom system shows at one moment, in numbers only.
public struct ZoomState: Sendable, Hashable, Codable {
  /// The moment, in seconds of the script's clock.
  public var time: Double

  /// What is drawn on.
  public var screen: Screen

  /// What is drawn, from back to front, over black.
  public var layers: [Layer]

  /// Where the system's recogniser stands; of several, the one that drives what is seen.
  public var recogniser: RecogniserState

  /// The force of the tracked touch as a fraction of the largest possible, 0 to 1 once corrected.
  public var force: Double

  /// What happened since the state before.
  public var events: [ZoomEvent]

  /// Creates a state.
  public init(
    time: Double = 0, screen: Screen, layers: [Layer], recogniser: RecogniserState = .possible,
    force: Double = 0, events: [ZoomEvent] = []
  ) {
    self.time = time
    self.screen = screen
    self.layers = layers
    self.recogniser = recogniser
    self.force = force
    self.events = events
  }

  /// The topmost part of the picture.
  public var picture: PictureLayer? {
    for case .picture(let layer) in layers.reversed() { return layer }
    return nil
  }

  /// The topmost outline: a peek's preview frame.
  public var previewFrame: ViewRect? {
    for case .outline(let layer) in layers.reversed() { return layer.rect }
    return nil
  }

  /// Whether every number is finite.
  public var isFinite: Bool { time.isFinite && force.isFinite && layers.allSatisfy(\.isFinite) }
}

/// The states of a gesture recogniser, by UIKit's names.
public enum RecogniserState: String, Sendable, Hashable, Codable, CaseIterable {
  case possible, began, changed, ended, cancelled, failed

  /// Whether a gesture is over.
  public var isTerminal: Bool { self == .ended || self == .cancelled || self == .failed }
}

/// Something that a zoom system reports.
public enum ZoomEvent: String, Sendable, Hashable, Codable, CaseIterable {
  /// A 1:1 peek opens.
  case peek
  /// A peek is to be committed.
  case pop
  /// A peek closes without being committed.
  case dismissPeek
  /// A touch beside the picture was turned down.
  case rejectedTouch
  /// The picture goes to full screen.
  case present
  /// The picture goes back to where it came from.
  case dismiss
  /// A turn of the device is followed.
  case rotate
  case singleTap, doubleTap
  case zoomIn, zoomOut
  case panBegan, panEnded
  case pinchBegan, pinchEnded
  /// A gesture was cancelled, by the system or by what else touched the screen.
  case cancelled
}
