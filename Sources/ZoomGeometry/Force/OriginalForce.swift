// The force systems as Produkt/3dForceTouchExamples published them, defects included. They exist so that each defect
// can be compared with the corrected type. Nothing is validated and nothing throws: zeros, NaN and infinities go in
// and come out.

/// The force recogniser as published; see ``ForceRecogniser``.
///
/// It treats the touches that changed in an event as if no others were down (FT-B1), sets a state
/// before it knows whether the event counts (FT-B2), and neither handles cancellations (FT-B3) nor
/// resets its force (FT-B4, FT-B5). UIKit sends a recogniser whose gesture is over no events until
/// all its touches have ended. This type leaves that to its caller: it handles every event.
public struct OriginalForceRecogniser: Sendable, Hashable {
  /// The state of the recogniser.
  public private(set) var state = RecogniserState.possible
  /// The force of the last single touch of an event, whichever touch it was.
  public private(set) var force = 0.0

  /// Creates a recogniser in the state `possible`.
  public init() {}

  /// Handles the touches that changed and returns the states that it sets, in order: two if the
  /// second revokes the first.
  @discardableResult
  public mutating func handle(_ phase: TouchPhase, _ touches: [Touch]) -> [RecogniserState] {
    let entered: RecogniserState
    switch phase {
    case .began: entered = .began
    case .moved: entered = .changed
    case .ended: entered = .ended
    case .cancelled: return []
    }
    guard touches.count == 1 else {
      state = .failed
      return [entered, .failed]
    }
    state = entered
    force = touches[0].force
    return [entered]
  }
}

/// The force zoom as published; see ``ForceZoom``. With the view's captured frame F:
///
///     anchor    = clamp((p - F.origin) / F.size, 0, 1)    of the view, not of the picture (FT-B15)
///     transform = scale by max(1, f)                      no effect below 1 (FT-B10), no upper limit (FT-B14)
///
/// Both are set on the view's layer, whose position stays. So the touched point jumps to the
/// position of the old anchor, the view's centre, even at scale 1 (FT-B9).
public struct OriginalForceZoom: Sendable, Hashable {
  /// The current frame of the view, in points.
  public var view: ViewRect
  /// The frame of the view when it appeared, in points: F.
  ///
  /// It is not updated when the view moves (FT-B12), and is empty before the view appears (FT-B11).
  public var captured: ViewRect

  /// Creates the zoom of a view; the captured frame defaults to the current one.
  public init(view: ViewRect, captured: ViewRect? = nil) {
    self.view = view
    self.captured = captured ?? view
  }

  /// Returns the anchor that is set for a finger.
  public func anchor(of finger: ViewPoint) -> ViewPoint {
    ViewPoint(
      x: Self.clamped((finger.x - captured.x) / captured.width),
      y: Self.clamped((finger.y - captured.y) / captured.height))
  }

  /// Returns the scale of the view under a force.
  public func scale(at force: Double) -> Double {
    // 1 for a NaN force: the generic `max` keeps its first argument then.
    max(1, force)
  }

  /// Returns the view's layer under a force.
  public func layer(at finger: ViewPoint, force: Double) -> ViewLayer {
    var layer = ViewLayer(frame: view)
    layer.anchor = anchor(of: finger)
    layer.transform = .scale(scale(at: force))
    return layer
  }

  /// Returns a value clamped to 0...1; the order of the arguments turns NaN into 0 (FT-B11).
  private static func clamped(_ value: Double) -> Double { min(max(0, value), 1) }
}

/// The force button as published; see ``ForceButton``.
///
///     offset = M - f (M / m)      below 0 at the hardware's largest force, because m is only 6.6 (FT-B6)
///     radius = R - f              not a fraction of R, so not 0 when fully pressed (FT-B7)
///     scale  = 1 + f / 100
public struct OriginalForceButton: Sendable, Hashable {
  /// The force that is taken for the largest: m.
  public var maximumForce = 6.6
  /// The offset of the shadow at rest, in points: M.
  public var maximumOffset = ViewPoint(x: 6.6, y: 6.6)
  /// The blur radius of the shadow at rest, in points: R.
  public var maximumRadius = 10.0
  /// The opacity of the shadow, whatever the force.
  public var opacity = 0.8

  /// Creates a button with the published numbers.
  public init() {}

  /// Returns the shadow under a force.
  public func shadow(at force: Double) -> Shadow {
    // The step is computed first, as published: for a maximum of 0 it is infinite, and 0 times it is NaN (FT-B8).
    let step = ViewPoint(x: maximumOffset.x / maximumForce, y: maximumOffset.y / maximumForce)
    return Shadow(
      offset: ViewPoint(x: maximumOffset.x - force * step.x, y: maximumOffset.y - force * step.y),
      radius: maximumRadius - force, opacity: opacity)
  }

  /// Returns the scale of a button that grows instead, under a force.
  public func scale(at force: Double) -> Double { 1 + force / 100 }
}

/// The force-driven animation as published; see ``ForceAnimation``.
///
/// The moment shown is t = f / 7, which is before the animation's end at the hardware's largest
/// force (FT-B16). Forces of more than 7 show a moment after the end (FT-B17).
public struct OriginalForceAnimation: Sendable, Hashable {
  /// The force that shows the end: 7, more than the hardware's largest.
  public var maximumForce = 7.0

  /// Creates an animation with the published number.
  public init() {}

  /// Returns the moment that a force shows, in seconds.
  public func time(at force: Double) -> Double { force / maximumForce * ForcePose.duration }

  /// Returns the pose under a force.
  ///
  /// The animation does not fill. Before the start, from the end on, and for NaN, the pose is the
  /// one without an animation.
  public func pose(at force: Double) -> ForcePose {
    let time = time(at: force)
    return time >= 0 && time < ForcePose.duration ? ForcePose(seconds: time) : .rest
  }
}
