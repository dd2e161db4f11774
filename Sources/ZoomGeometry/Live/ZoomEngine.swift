/// One of the five published systems.
public enum ZoomSystem: String, Sendable, Hashable, Codable, CaseIterable {
  /// The peek (FlexMonkey/ForceZoom): a 1:1 part of the picture.
  case peek
  /// The zoom of a view to full screen and back (Matt Gallagher's ZoomingViewController).
  case fullscreen
  /// The zoom about the finger, the button and the driven animation (Produkt/3dForceTouchExamples).
  case force
  /// The double tap in a scroll view (fanyinan/ZoomImageScrollViewDemo).
  case doubleTap = "double-tap"
  /// The transition from a thumbnail, with its gestures (quri/Titanium).
  case transition
}

/// The form of a system: as published, with its defects, or corrected.
public enum ZoomForm: String, Sendable, Hashable, Codable, CaseIterable {
  case corrected, original
}

/// A zoom system as a state machine: events and times go in, layers come out.
///
/// Each system has one engine, generic over its form: `PeekEngine<CorrectedPeekForm>`. The form holds
/// the differences. ``LiveZoom`` chooses it and checks the events: times never go back, and touches
/// move or end only after they began. An engine allocates nothing once its buffers have their size.
package protocol ZoomEngine: Sendable {
  var recogniser: RecogniserState { get }

  var force: Double { get }

  /// Whether time alone changes something: an animation runs, a tap waits, a long press grows. False
  /// after a bounded time without events.
  var isMoving: Bool { get }

  var events: [ZoomEvent] { get }

  /// Forgets the events; their buffer keeps its size.
  mutating func clearEvents()

  mutating func advance(to time: Double) throws(GeometryError)

  /// Handles an event at the current time, which has already updated the fingers.
  mutating func handle(_ event: GestureEvent, _ fingers: FingerTable) throws(GeometryError)

  /// Appends the layers to draw now, from back to front.
  func draw(into layers: inout [Layer]) throws(GeometryError)
}
