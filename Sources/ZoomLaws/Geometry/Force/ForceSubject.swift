public import ZoomGeometry

/// What answers to how hard a finger presses: a recogniser, a button, a zoom and an animation.
public struct ForceSubject: LawSubject {
  /// Something that happens to the recogniser.
  public enum RecogniserInput: Sendable, Hashable {
    /// Touches begin, move, end or are cancelled, all in one event of the system.
    case touches(TouchPhase, [Touch])
    /// The system takes everything away.
    case cancelAll
  }

  /// What the recogniser makes of an input.
  public struct RecogniserStep: Sendable, Hashable {
    /// The states that it has entered, in order; staying in `changed` counts as entering it.
    public var entered: [RecogniserState]
    /// The force as a fraction of the largest.
    public var share: Double
    /// Where the finger is that zoom and animation answer to; nil when they are at rest.
    public var finger: ViewPoint?

    /// A step.
    public init(entered: [RecogniserState], share: Double, finger: ViewPoint?) {
      self.entered = entered
      self.share = share
      self.finger = finger
    }
  }

  /// A button at rest.
  public struct RestingButton: Sendable, Hashable {
    /// The force of the hardest touch.
    public var maximumForce: Double
    /// How far its shadow is moved, in points.
    public var offset: ViewPoint
    /// How far its shadow is blurred, in points.
    public var radius: Double
  }

  /// A finger on a view that is zoomed.
  public struct PressedView: Sendable, Hashable {
    /// Where the view stands at rest, in points.
    public var frame: ViewRect
    /// Where the finger is, in points.
    public var finger: ViewPoint
    /// How hard it presses.
    public var force: Double
  }

  /// What reports call it.
  public let name: String
  /// What the recogniser makes of each input, on hardware with a largest force.
  public var recognise:
    @Sendable ([RecogniserInput], _ maximumForce: Double) throws -> [RecogniserStep]
  /// The shadow of a button under a force.
  public var shadow: @Sendable (RestingButton, _ force: Double) throws -> Shadow
  /// The scale of a button under a force, where it grows instead.
  public var buttonScale: @Sendable (RestingButton, _ force: Double) throws -> Double
  /// The touched place in fractions of a view.
  public var anchor: @Sendable (PressedView) throws -> ViewPoint
  /// Where a zoomed view stands, in points; the hardware's largest force is the usual one.
  public var frame: @Sendable (PressedView) throws -> ViewRect
  /// The moment of an animation that a force shows, in seconds.
  public var time: @Sendable (_ force: Double, _ maximumForce: Double) throws -> Double
  /// What an animation shows under a force.
  public var pose: @Sendable (_ force: Double, _ maximumForce: Double) throws -> ForcePose

  /// A subject of one's own.
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
    self.name = name
    self.recognise = recognise
    self.shadow = shadow
    self.buttonScale = buttonScale
    self.anchor = anchor
    self.frame = frame
    self.time = time
    self.pose = pose
  }
}

extension ForceSubject.RecogniserInput {
  /// The input in words: "finger 0 began at (10, 20) force 1".
  public var inWords: String {
    switch self {
    case .touches(let phase, let touches): touches.inWords(phase)
    case .cancelAll: "everything is cancelled"
    }
  }
}

extension ForceSubject.RestingButton {
  /// The button in words: "a shadow moved by (3, 4) and blurred by 5".
  public var inWords: String {
    "a shadow moved by \(offset.inWords) and blurred by \(radius.inWords)"
  }
}

extension ForceSubject.PressedView {
  /// The press in words: "force 1.5 of 7, touch (10, 20) on a view 200x200 at (87.5, 233.5)".
  public var inWords: String {
    "force \(force.inWords) of \(GestureScript.usualMaximumForce.inWords), touch \(finger.inWords) "
      + "on a view \(frame.inWords)"
  }
}
