public import ZoomGeometry

/// An implementation of the reactions to force: a recogniser, a button, a zoom, an animation.
public struct ForceSubject: LawSubject {
  /// The reaction of the recogniser to an input.
  public struct RecogniserStep: Sendable, Hashable {
    /// The states that it enters, in order; a repeated `changed` is listed, too.
    public var entered: [RecogniserState]
    /// The force as a fraction of the largest.
    public var share: Double
    /// The point of the finger for zoom and animation; nil while they are at rest.
    public var finger: ViewPoint?

    /// Creates a step.
    public init(entered: [RecogniserState], share: Double, finger: ViewPoint?) {
      (self.entered, self.share, self.finger) = (entered, share, finger)
    }
  }

  /// A button at rest.
  public struct RestingButton: Sendable, Hashable {
    /// The largest force of the hardware.
    public var maximumForce: Double
    /// The offset of its shadow, in points.
    public var offset: ViewPoint
    /// The blur radius of its shadow, in points.
    public var radius: Double

    /// The button in words, such as "a shadow moved by (3, 4) and blurred by 5".
    public var inWords: String {
      "a shadow moved by \(offset.inWords) and blurred by \(radius.inWords)"
    }
  }

  /// A press of a finger on a view that is zoomed.
  public struct PressedView: Sendable, Hashable {
    /// The view's frame at rest, in points.
    public var frame: ViewRect
    /// The finger's position, in points.
    public var finger: ViewPoint
    /// The force of the finger.
    public var force: Double

    /// The press in words: "force 1.5 of 7, touch (10, 20) on a view 200x200 at (87.5, 233.5)".
    public var inWords: String {
      "force \(force.inWords) of \(GestureScript.usualMaximumForce.inWords), touch "
        + "\(finger.inWords) on a view \(frame.inWords)"
    }
  }

  /// The subject's name in reports.
  public var name = "force corrected"
  /// Returns the recogniser's reaction to each touch event or cancellation, for a largest force of
  /// the hardware.
  public var recognise:
    @Sendable ([GestureEvent.Kind], _ maximumForce: Double) throws -> [RecogniserStep] = {
      try steps($0, maximum: $1)
    }
  /// Returns the shadow of a button under a force.
  public var shadow: @Sendable (RestingButton, _ force: Double) throws -> Shadow = {
    try button($0).shadow(at: $1)
  }
  /// Returns the scale of a button that grows under a force.
  public var buttonScale: @Sendable (RestingButton, _ force: Double) throws -> Double = {
    try button($0).scale(at: $1)
  }
  /// Returns the touched point in fractions of a view.
  public var anchor: @Sendable (PressedView) throws -> ViewPoint = {
    try ForceZoom(frame: $0.frame).anchor(of: $0.finger)
  }
  /// Returns the frame of a zoomed view, in points; the hardware's largest force is the usual one.
  public var frame: @Sendable (PressedView) throws -> ViewRect = {
    try ForceZoom(frame: $0.frame).frame(at: $0.finger, force: $0.force)
  }
  /// Returns the moment of an animation that a force shows, in seconds.
  public var time: @Sendable (_ force: Double, _ maximumForce: Double) throws -> Double = {
    try ForceAnimation(range: ForceRange(maximum: $1)).time(at: $0)
  }
  /// Returns the pose of an animation under a force.
  public var pose: @Sendable (_ force: Double, _ maximumForce: Double) throws -> ForcePose = {
    try ForceAnimation(range: ForceRange(maximum: $1)).pose(at: $0)
  }

  /// Creates the corrected forms, whose functions may be replaced.
  public init() {}

  /// The corrected forms.
  public static let corrected = ForceSubject()

  /// The published forms.
  public static let original: ForceSubject = {
    var subject = ForceSubject()
    subject.name = "force original"
    subject.recognise = { originalSteps($0, maximum: $1) }
    subject.shadow = { button, force in
      var original = OriginalForceButton()
      (original.maximumOffset, original.maximumRadius) = (button.offset, button.radius)
      return original.shadow(at: force)
    }
    subject.buttonScale = { OriginalForceButton().scale(at: $1) }
    subject.anchor = { OriginalForceZoom(view: $0.frame).anchor(of: $0.finger) }
    subject.frame = {
      OriginalForceZoom(view: $0.frame).layer(at: $0.finger, force: $0.force).frame
    }
    subject.time = { force, _ in OriginalForceAnimation().time(at: force) }
    subject.pose = { force, _ in OriginalForceAnimation().pose(at: force) }
    return subject
  }()

  private static func steps(
    _ inputs: [GestureEvent.Kind], maximum: Double
  ) throws -> [RecogniserStep] {
    var recogniser = ForceRecogniser(source: .force(try ForceRange(maximum: maximum)))
    var fingers = FingerTable()
    return inputs.map { input in
      let before = recogniser.state
      // The recogniser gets only touches that have begun.
      let isTaken = (try? fingers.take(GestureEvent(time: 0, kind: input))) != nil
      switch input {
      case .touches(let phase, let touches):
        if isTaken { recogniser.handle(phase, touches, fingers) }
      case .cancelAll: recogniser.cancelAll()
      case .device, .interface, .screen, .close, .wheel: break
      }
      let state = recogniser.state
      let isNew = isTaken && !fingers.wasTouched && fingers.isTouched
      return RecogniserStep(
        entered: isNew || state != before || state == .changed ? [state] : [],
        share: recogniser.share, finger: recogniser.finger)
    }
  }

  private static func button(_ button: RestingButton) throws -> ForceButton {
    try ForceButton(
      range: ForceRange(maximum: button.maximumForce), maximumOffset: button.offset,
      maximumRadius: button.radius)
  }

  /// Delivers events as UIKit does: a recogniser whose gesture is over gets none until all touches have ended.
  ///
  /// `cancelAll` is withheld, because this recogniser does not handle cancellations.
  private static func originalSteps(_ inputs: [GestureEvent.Kind], maximum: Double)
    -> [RecogniserStep]
  {
    var recogniser = OriginalForceRecogniser()
    var fingers = FingerTable()
    var finger: ViewPoint?
    return inputs.map { input in
      var entered: [RecogniserState] = []
      let isOver = recogniser.state.isTerminal && fingers.isTouched
      if case .touches(let phase, let touches) = input, !isOver, let first = touches.first {
        entered = recogniser.handle(phase, touches)
        // The published actions undo only a gesture that ended, not one that failed (FT-B13).
        switch recogniser.state {
        case .began,
          .changed where !entered.isEmpty:
          finger = first.point
        case .ended: finger = nil
        case .possible, .changed, .cancelled, .failed: break
        }
      }
      try? fingers.take(GestureEvent(time: 0, kind: input))
      return RecogniserStep(
        entered: entered, share: maximum > 0 ? recogniser.force / maximum : 0, finger: finger)
    }
  }
}
