/// The output of a zoom system at one moment, in numbers only.
public struct ZoomState: Sendable, Hashable, Codable {
  /// The time in seconds from the beginning of the script or, live, from a moment that the caller chose.
  public var time: Double
  /// The screen.
  public var screen: Screen
  /// The layers from back to front, over black.
  public var layers: [Layer]
  /// The state of the system's recogniser; if it has several, of the one that drives the picture.
  public var recogniser: RecogniserState
  /// The force of the tracked touch as a fraction of the largest; a corrected system keeps to 0...1.
  public var force: Double
  /// The events since the previous state.
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

  /// The topmost picture layer.
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

/// An event that a zoom system reports.
public enum ZoomEvent: String, Sendable, Hashable, Codable, CaseIterable {
  /// A 1:1 peek opens.
  case peek
  /// A peek is committed.
  case pop
  /// A peek closes without being committed.
  case dismissPeek
  /// A touch beside the picture is ignored.
  case rejectedTouch
  /// The picture goes to full screen.
  case present
  /// The picture returns from full screen.
  case dismiss
  /// The picture follows a turn of the device.
  case rotate
  case singleTap, doubleTap
  case zoomIn, zoomOut
  case panBegan, panEnded
  case pinchBegan, pinchEnded
  /// A gesture is cancelled, by the system or by another touch.
  case cancelled
}
