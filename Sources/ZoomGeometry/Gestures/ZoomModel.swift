/// One of the five published systems.
public enum ZoomSystem: String, Sendable, Hashable, Codable, CaseIterable {
  /// ForceZoom's 1:1 peek.
  case peek
  /// ZoomingViewController: a view to full screen and back.
  case fullscreen
  /// 3D force: the zoom about the finger, the button, the driven animation.
  case force
  /// Double tap with zoomToRect in a scroll view.
  case doubleTap = "double-tap"
  /// Titanium's transition from a thumbnail, with its gestures.
  case transition
}

/// Whether a system works as published, with its defects, or as it should.
public enum ZoomForm: String, Sendable, Hashable, Codable, CaseIterable {
  case corrected, original
}

/// A zoom system as a machine: events and time go in, layers come out.
///
/// A player calls `advance(to:)` with the time of an event, then `handle(_:)`, then `advance(to:)`
/// with the time of the next frame, and takes the layers. Time never goes back.
protocol ZoomModel {
  /// Sets the system up as a script finds it.
  init(_ script: GestureScript, picture: PixelSize, form: ZoomForm) throws(GeometryError)

  /// Where the recogniser stands that drives what is seen.
  var recogniser: RecogniserState { get }

  /// The tracked touch's force as a fraction of the largest.
  var force: Double { get }

  /// Whether something changes by itself as time goes on: an animation runs, a tap waits to be
  /// told from a double tap. False for ever after a bounded time without events.
  var isMoving: Bool { get }

  /// Lets time pass.
  mutating func advance(to time: Double) throws(GeometryError)

  /// Takes an event, at the time that was advanced to.
  mutating func handle(_ event: GestureEvent) throws(GeometryError)

  /// What is drawn now, from back to front.
  func layers() throws(GeometryError) -> [Layer]

  /// Hands out, once, what happened since the last call.
  mutating func takeEvents() -> [ZoomEvent]
}
