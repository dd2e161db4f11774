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

/// A zoom system as a state machine: events and times go in, layers come out.
///
/// Each system has one engine, generic over its form: `PeekEngine<CorrectedPeekForm>`. The engine is
/// what both forms do, the form is what they do differently. ``LiveZoom`` chooses the form once, when
/// it is made, and checks what it hands in: times never go back, and touches move or end only after
/// they began.
///
/// An engine allocates nothing once its buffers have their size.
package protocol ZoomEngine: Sendable {
  /// Sets the system up in a scene.
  init(_ scene: ZoomScene, picture: PixelSize) throws(GeometryError)

  /// The state of the recogniser that drives what is seen.
  var recogniser: RecogniserState { get }

  /// The tracked touch's force as a fraction of the largest.
  var force: Double { get }

  /// Whether something changes by itself as time goes on: an animation runs, a tap waits to be
  /// told from a double tap, a long press is held. False after a bounded time without events.
  var isMoving: Bool { get }

  /// What happened since the events were cleared.
  var events: [ZoomEvent] { get }

  /// Forgets the events; their buffer keeps its size.
  mutating func clearEvents()

  /// Lets time pass.
  mutating func advance(to time: Double) throws(GeometryError)

  /// Takes an event, at the time that was advanced to.
  ///
  /// - Parameter fingers: The fingers, updated with the event.
  mutating func handle(_ event: GestureEvent, _ fingers: FingerTable) throws(GeometryError)

  /// Appends what is drawn now, from back to front.
  func draw(into layers: inout [Layer]) throws(GeometryError)
}
