import ZoomGeometry

extension ForceSubject {
  /// Everything as it should be.
  public static let corrected = ForceSubject(
    "force corrected",
    recognise: { inputs, maximum in
      var recogniser = ForceRecogniser(range: try ForceRange(maximum: maximum))
      var fingers = FingerTable()
      return inputs.map { input in
        let before = recogniser.state
        // A recogniser is handed no touches that have not begun.
        let isTaken = (try? fingers.take(input.event)) != nil
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

  /// Everything as it was published.
  public static let original = ForceSubject(
    "force original", recognise: { originalSteps($0, maximum: $1) },
    shadow: { button, force in
      var original = OriginalForceButton()
      original.maximumOffset = button.offset
      original.maximumRadius = button.radius
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

  /// Hands events on as UIKit does: none of a gesture that is over while touches of it remain, and
  /// no cancellation to a recogniser that does not ask for one.
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
        // The published actions undo only what has ended, not what failed (FT-B13).
        switch recogniser.state {
        case .began,
          .changed where !entered.isEmpty:
          finger = first.point
        case .ended: finger = nil
        case .possible, .changed, .cancelled, .failed: break
        }
      }
      try? fingers.take(input.event)
      return RecogniserStep(
        entered: entered, share: maximum > 0 ? recogniser.force / maximum : 0, finger: finger)
    }
  }
}

extension ForceSubject {
  /// Which fingers are down after an input.
  static func follow(_ input: RecogniserInput, _ down: inout Set<Int>) {
    switch input {
    case .touches(.began, let touches): down.formUnion(touches.map(\.id))
    case .touches(.ended, let touches), .touches(.cancelled, let touches):
      down.subtract(touches.map(\.id))
    case .touches(.moved, _): break
    case .cancelAll: down = []
    }
  }
}

extension ForceSubject.RecogniserInput {
  /// The input as an event of a table of fingers.
  fileprivate var event: GestureEvent {
    switch self {
    case .touches(let phase, let touches): GestureEvent(time: 0, kind: .touches(phase, touches))
    case .cancelAll: GestureEvent(time: 0, kind: .cancelAll)
    }
  }
}
