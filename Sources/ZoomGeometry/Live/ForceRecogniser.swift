/// A recogniser that follows the force of one finger, measured or derived from time.
///
/// The states are UIKit's. All changes are as UIKit documents them, except one: here a long press
/// that moves too far fails even after it began.
///
///     possible        one touch begins, and presses hard enough   began
///     possible        several begin in one event                  failed
///     possible        another begins later                        failed
///     possible        it lifts or is cancelled                    failed
///     possible        the screen changes its size                 failed
///     began, changed  it moves or changes its force               changed
///     possible, began, changed  it moves beyond the slop before a long press is complete  failed
///     began, changed  it lifts                                    ended
///     began, changed  the system cancels it                       cancelled
///     began, changed  another begins                              cancelled
///     began, changed  the screen changes its size                 cancelled
///     ended, cancelled, failed                                    possible, once no touch remains
///
/// The change back to possible (last row) waits for the next event, so that the final state can be
/// read until then. UIKit, too, resets a recogniser later. ``OriginalForceRecogniser`` is the
/// published form.
public struct ForceRecogniser: Sendable, Hashable {
  private struct Press: Hashable {
    let id: Int
    let began: Double
    var point: ViewPoint
    var force: Double
  }

  /// The source of the force.
  public let source: PressSource

  /// The range of the forces.
  public var range: ForceRange { source.range }

  /// The state of the recogniser.
  public private(set) var state = RecogniserState.possible
  /// The share of the largest force at which the state becomes began.
  let opening: Double
  private var press: Press?
  /// The fingers that are down and can press.
  private var down = FingerSet()
  private var now = 0.0

  /// Creates a recogniser that begins as soon as a touch does.
  public init(source: PressSource = .force(.usual)) { self.init(source, opening: 0) }

  init(_ source: PressSource, opening: Double) {
    self.source = source
    self.opening = opening
  }

  /// The force in the range; 0 if nothing presses.
  public var force: Double {
    guard let press else { return 0 }
    if case .longPress(let long) = source {
      return min(1, (now - press.began) / long.duration) * range.maximum
    }
    return press.force.clamped(to: 0...range.maximum)
  }

  /// The point of the finger; nil if nothing presses.
  public var finger: ViewPoint? { press?.point }

  /// The force as a fraction of the largest, 0 to 1; 0 if the hardware does not sense forces.
  public var share: Double { range.share(ofClamped: force) }

  /// Whether the force rises without an event.
  public var isRising: Bool {
    if case .longPress(let long) = source, let press {
      now - press.began < long.duration
    } else {
      false
    }
  }

  var isTouched: Bool { !down.isEmpty }

  func follows(_ finger: Finger) -> Bool { down.contains(finger) }

  /// Advances to a time in seconds, with which the force of a long press rises.
  ///
  /// - Throws: `GeometryError` if the time is not finite or goes back.
  public mutating func advance(to time: Double) throws(GeometryError) {
    guard try GeometryError.finite(time, "time") >= now else {
      throw GeometryError(argument: "time", value: time, reason: .contradiction("is before \(now)"))
    }
    now = time
    beginIfHard()
  }

  /// Handles the touches of an event that the table of fingers has just checked and taken.
  ///
  /// It ignores touches whose beginning it did not see. Forces beyond the range clamp.
  public mutating func handle(_ phase: TouchPhase, _ touches: [Touch], _ fingers: FingerTable) {
    now = fingers.time
    resetIfOver()
    switch phase {
    case .began: begin(touches, fingers)
    case .moved: for touch in touches where touch.id == press?.id { move(to: touch, fingers) }
    case .ended, .cancelled:
      down.removeLifted(of: fingers)
      if touches.contains(where: { $0.id == press?.id }) {
        finish(phase == .ended ? .ended : .cancelled)
      }
    }
  }

  /// Cancels all touches, as for an incoming call.
  public mutating func cancelAll() {
    resetIfOver()
    down = FingerSet()
    if press != nil { finish(.cancelled) }
  }

  /// Handles a change of the screen's size: it cancels a press, because the pressed view has moved.
  ///
  /// Touches that are down stay down until they end, and no gesture begins before that.
  public mutating func screenChanged() {
    resetIfOver()
    if press != nil { finish(.cancelled) }
  }

  private mutating func begin(_ touches: [Touch], _ fingers: FingerTable) {
    var (first, count): (Touch?, Int) = (nil, 0)
    for touch in touches where source.accepts(touch) {
      guard let finger = fingers[touch.id] else { continue }
      down.insert(finger)
      first = first ?? touch
      count += 1
    }
    // While fingers of a finished gesture are down, a new finger begins no gesture.
    guard let first, !state.isTerminal else { return }
    guard count == 1, press == nil else { return finish(.cancelled) }
    press = Press(id: first.id, began: now, point: first.point, force: first.force)
    beginIfHard()
  }

  private mutating func move(to touch: Touch, _ fingers: FingerTable) {
    if case .longPress(let long) = source, isRising,
      let start = fingers[touch.id]?.start, start.distance(to: touch.point) > long.slop
    {
      return finish(.failed)
    }
    press?.point = touch.point
    press?.force = touch.force
    if state == .began { state = .changed }
    beginIfHard()
  }

  private mutating func beginIfHard() {
    if state == .possible, press != nil, share >= opening { state = .began }
  }

  private mutating func finish(_ terminal: RecogniserState) {
    state = state == .possible ? .failed : terminal
    press = nil
  }

  private mutating func resetIfOver() {
    if state.isTerminal && down.isEmpty { state = .possible }
  }
}
