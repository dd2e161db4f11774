public import ZoomGeometry

/// The things that respond to the force of a finger: a recogniser, a button, a zoom, an animation.
public struct ForceSubject: LawSubject {
  /// An input of the recogniser.
  public enum RecogniserInput: Sendable, Hashable {
    /// Touches begin, move, end or are cancelled, all in one event of the system.
    case touches(TouchPhase, [Touch])
    /// The system cancels all touches.
    case cancelAll

    /// The input in words: "finger 0 began at (10, 20) force 1".
    public var inWords: String {
      switch self {
      case .touches(let phase, let touches): touches.inWords(phase)
      case .cancelAll: "everything is cancelled"
      }
    }

    /// The input as an event.
    var kind: GestureEvent.Kind {
      switch self {
      case .touches(let phase, let touches): .touches(phase, touches)
      case .cancelAll: .cancelAll
      }
    }
  }

  /// The reaction of the recogniser to an input.
  public struct RecogniserStep: Sendable, Hashable {
    /// The states that it has entered, in order; staying in `changed` counts as entering it.
    public var entered: [RecogniserState]
    /// The force as a fraction of the largest.
    public var share: Double
    /// The finger that zoom and animation respond to; nil while they are at rest.
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

    /// The button in words: "a shadow moved by (3, 4) and blurred by 5".
    public var inWords: String {
      "a shadow moved by \(offset.inWords) and blurred by \(radius.inWords)"
    }
  }

  /// A finger on a view that is zoomed.
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
  public let name: String
  /// Returns the recogniser's reaction to each input, on hardware with a largest force.
  public var recognise:
    @Sendable ([RecogniserInput], _ maximumForce: Double) throws -> [RecogniserStep]
  /// Returns the shadow of a button under a force.
  public var shadow: @Sendable (RestingButton, _ force: Double) throws -> Shadow
  /// Returns the scale of a button that grows under a force.
  public var buttonScale: @Sendable (RestingButton, _ force: Double) throws -> Double
  /// Returns the touched place in fractions of a view.
  public var anchor: @Sendable (PressedView) throws -> ViewPoint
  /// Returns the frame of a zoomed view, in points; the hardware's largest force is the usual one.
  public var frame: @Sendable (PressedView) throws -> ViewRect
  /// Returns the moment of an animation that a force shows, in seconds.
  public var time: @Sendable (_ force: Double, _ maximumForce: Double) throws -> Double
  /// Returns the pose of an animation under a force.
  public var pose: @Sendable (_ force: Double, _ maximumForce: Double) throws -> ForcePose

  /// Creates a subject.
  public init(
    _ name: String,
    recognise: @escaping @Sendable ([RecogniserInput], Double) throws -> [RecogniserStep],
    shadow: @escaping @Sendable (RestingButton, Double) throws -> Shadow,
    buttonScale: @escaping @Sendable (RestingButton, Double) throws -> Double,
    anchor: @escaping @Sendable (PressedView) throws -> ViewPoint,
    frame: @escaping @Sendable (PressedView) throws -> ViewRect,
    time: @escaping @Sendable (Double, Double) throws -> Double,
    pose: @escaping @Sendable (Double, Double) throws -> ForcePose
  ) {
    (self.name, self.recognise, self.shadow) = (name, recognise, shadow)
    (self.buttonScale, self.anchor, self.frame) = (buttonScale, anchor, frame)
    (self.time, self.pose) = (time, pose)
  }

  /// The corrected forms.
  public static let corrected = ForceSubject(
    "force corrected",
    recognise: { inputs, maximum in
      var recogniser = ForceRecogniser(range: try ForceRange(maximum: maximum))
      var fingers = FingerTable()
      return inputs.map { input in
        let before = recogniser.state
        // A recogniser gets no touches that have not begun.
        let isTaken = (try? fingers.take(GestureEvent(time: 0, kind: input.kind))) != nil
        switch input {
        case .touches(let phase, let touches) where isTaken:
          recogniser.handle(phase, touches, fingers)
        case .touches: break
        case .cancelAll: recogniser.cancelAll()
        }
        let state = recogniser.state
        let isNew = isTaken && !fingers.wasTouched && fingers.isTouched
        return RecogniserStep(
          entered: isNew || state != before || state == .changed ? [state] : [],
          share: recogniser.share, finger: recogniser.finger)
      }
    },
    shadow: { try button($0).shadow(at: $1) },
    buttonScale: { try button($0).scale(at: $1) },
    anchor: { try ForceZoom(frame: $0.frame).anchor(of: $0.finger) },
    frame: { try ForceZoom(frame: $0.frame).frame(at: $0.finger, force: $0.force) },
    time: { try ForceAnimation(range: ForceRange(maximum: $1)).time(at: $0) },
    pose: { try ForceAnimation(range: ForceRange(maximum: $1)).pose(at: $0) })

  /// The published forms.
  public static let original = ForceSubject(
    "force original", recognise: { originalSteps($0, maximum: $1) },
    shadow: { button, force in
      var original = OriginalForceButton()
      (original.maximumOffset, original.maximumRadius) = (button.offset, button.radius)
      return original.shadow(at: force)
    },
    buttonScale: { OriginalForceButton().scale(at: $1) },
    anchor: { OriginalForceZoom(view: $0.frame).anchor(of: $0.finger) },
    frame: { OriginalForceZoom(view: $0.frame).layer(at: $0.finger, force: $0.force).frame },
    time: { force, _ in OriginalForceAnimation().time(at: force) },
    pose: { force, _ in OriginalForceAnimation().pose(at: force) })

  private static func button(_ button: RestingButton) throws -> ForceButton {
    try ForceButton(
      range: ForceRange(maximum: button.maximumForce), maximumOffset: button.offset,
      maximumRadius: button.radius)
  }

  /// Delivers events as UIKit does.
  ///
  /// A gesture that is over gets no events until all of its touches have ended, and a recogniser that
  /// does not handle cancellations gets none.
  private static func originalSteps(_ inputs: [RecogniserInput], maximum: Double)
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
      try? fingers.take(GestureEvent(time: 0, kind: input.kind))
      return RecogniserStep(
        entered: entered, share: maximum > 0 ? recogniser.force / maximum : 0, finger: finger)
    }
  }
}
