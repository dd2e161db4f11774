/// A recogniser that follows the force of one finger, measured or derived from time.
///
/// The states are UIKit's, and each change is one that UIKit documents:
///
///     possible        one touch begins                    began
///     possible        several begin in one event          failed
///     began, changed  it moves or changes its force       changed
///     began, changed  it leaves before a long press is complete  failed
///     began, changed  it lifts                            ended
///     began, changed  the system takes it away            cancelled
///     began, changed  another begins                      cancelled
///     began, changed  the screen changes its size         cancelled
///     ended, cancelled, failed                            possible, once no touch remains
///
/// The last change comes with the next event, so that the state can be read in between: UIKit
/// resets a recogniser in the next turn of its run loop. It takes what UIKit delivers: in each event
/// the touches that changed, not all that there are, so it keeps the ids of those that are down.
/// ``OriginalForceRecogniser`` is the published form.
public struct ForceRecogniser: Sendable, Hashable {
  /// The way in which it is pressed.
  public let source: PressSource

  /// The forces that the touches can have.
  public var range: ForceRange { source.range }

  /// The state of the recogniser.
  public private(set) var state = RecogniserState.possible

  /// The touch that is followed; nil unless the state is began or changed.
  private var press: Press?
  private var down = FingerSet()
  private var now = 0.0

  /// Creates a recogniser that has seen no touch.
  public init(source: PressSource = .force(.usual)) { self.source = source }

  /// The force in the range; 0 unless the state is began or changed.
  public var force: Double { press?.force(at: now) ?? 0 }

  /// The place of the finger, in points; nil unless the state is began or changed.
  public var finger: ViewPoint? { press?.point }

  /// The force as a fraction of the largest, 0 to 1; 0 if the hardware does not sense forces.
  public var share: Double { range.share(ofClamped: force) }

  /// Whether the force rises without an event.
  public var isRising: Bool { press?.isRising(at: now) ?? false }

  /// Lets time pass, in seconds: a long press grows.
  ///
  /// - Throws: `GeometryError` if the time is not finite or goes back.
  public mutating func advance(to time: Double) throws(GeometryError) {
    guard try GeometryError.finite(time, "time") >= now else {
      throw GeometryError(argument: "time", value: time, reason: .contradiction("is before \(now)"))
    }
    now = time
  }

  /// Whether a touch has begun here and not ended.
  func follows(_ finger: Finger) -> Bool { down.contains(finger) }

  /// Takes an event of touches.
  ///
  /// Touches whose beginning it has not seen are ignored.
  /// - Parameters:
  ///   - phase: What the touches do.
  ///   - touches: Those that changed. Forces beyond the range clamp.
  ///   - fingers: The fingers, updated with the event.
  public mutating func handle(_ phase: TouchPhase, _ touches: [Touch], _ fingers: FingerTable) {
    now = fingers.time
    resetIfOver()
    switch phase {
    case .began: begin(touches, fingers)
    case .moved: move(touches, fingers)
    case .ended: lift(touches, fingers, as: .ended)
    case .cancelled: lift(touches, fingers, as: .cancelled)
    }
  }

  /// Takes it that the system takes all touches away, as for an incoming call.
  public mutating func cancelAll() {
    resetIfOver()
    down = FingerSet()
    if press != nil { finish(.cancelled) }
  }

  /// Takes a screen of another size: what was pressed is elsewhere on it, so a press is cancelled.
  ///
  /// Touches that stay on the screen are down until they end, and no gesture begins before that.
  public mutating func screenChanged() {
    resetIfOver()
    if press != nil { finish(.cancelled) }
  }

  private mutating func begin(_ touches: [Touch], _ fingers: FingerTable) {
    var new = 0
    var first: Touch?
    for touch in touches where source.accepts(touch) {
      guard let finger = fingers[touch.id] else { continue }
      down.insert(finger)
      new += 1
      first = first ?? touch
    }
    guard let first else { return }
    switch state {
    case .possible where new == 1:
      state = .began
      press = Press(first, source: source, at: now)
    case .possible: finish(.failed)
    case .began, .changed: finish(.cancelled)
    // Fingers of the gesture that is over remain: this one can only join them.
    case .ended, .cancelled, .failed: break
    }
  }

  private mutating func move(_ touches: [Touch], _ fingers: FingerTable) {
    // All samples of an event, for one on the way may have left where a long press must stay.
    for touch in touches where touch.id == press?.id {
      state = .changed
      press?.move(to: touch, fingers)
      if press?.hasFailed == true { finish(.failed) }
    }
  }

  private mutating func lift(
    _ touches: [Touch], _ fingers: FingerTable, as terminal: RecogniserState
  ) {
    down.removeLifted(of: fingers)
    if touches.contains(where: { $0.id == press?.id }) { finish(terminal) }
  }

  private mutating func finish(_ terminal: RecogniserState) {
    state = terminal
    press = nil
  }

  private mutating func resetIfOver() {
    if state.isTerminal && down.isEmpty { state = .possible }
  }
}

extension ForceRecogniser {
  /// Creates a recogniser of forces.
  public init(range: ForceRange) { self.init(source: .force(range)) }
}
