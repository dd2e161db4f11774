/// A recogniser that follows how hard one finger presses.
///
/// The states are UIKit's, and each change is one that UIKit documents:
///
///     possible        one touch begins                    began
///     possible        several begin in one event          failed
///     began, changed  the touch moves or presses anew     changed
///     began, changed  it lifts                            ended
///     began, changed  the system takes it away            cancelled
///     began, changed  another begins                      cancelled, or failed by option
///     ended, cancelled, failed                            possible, once no touch remains
///
/// The last change comes with the event after, so that the state can be read in between: UIKit
/// resets a recogniser in the next turn of its run loop. It takes what UIKit delivers: in each event
/// the touches that changed, not all that there are, so it keeps the ids of those that are down.
/// ``OriginalForceRecogniser`` is the published form.
public struct ForceRecogniser: Sendable, Hashable {
  /// What becomes of a press when a second finger comes down.
  public enum SecondTouch: Sendable, Hashable, CaseIterable {
    /// The press is cancelled, the way out that UIKit documents for a gesture that has begun.
    case cancels
    /// The press fails, as the published form means it to.
    case fails
  }

  /// The forces that the touches can have.
  public let range: ForceRange

  /// What becomes of a press when a second finger comes down.
  public let secondTouch: SecondTouch

  /// Where the recogniser stands.
  public private(set) var state = RecogniserState.possible

  /// How hard the finger presses, in the range; 0 unless the state is began or changed.
  public private(set) var force = 0.0

  /// Where the finger is, in points; nil unless the state is began or changed.
  public private(set) var finger: ViewPoint?

  /// The touch that is followed; nil unless the state is began or changed.
  private var followed: Int?
  private var down: Set<Int> = []

  /// Creates a recogniser that has seen no touch.
  public init(range: ForceRange = .usual, secondTouch: SecondTouch = .cancels) {
    self.range = range
    self.secondTouch = secondTouch
  }

  /// The force as a fraction of the largest, 0 to 1; 0 if forces are not told apart.
  public var share: Double { range.share(ofClamped: force) }

  /// Takes an event of touches.
  ///
  /// Touches that it has not seen begin are somebody else's, and ignored.
  /// - Parameters:
  ///   - phase: What the touches do.
  ///   - touches: Those that changed. Forces beyond the range clamp.
  /// - Throws: `GeometryError` if a number is not finite or a coordinate too large; the recogniser
  ///   is then as before.
  public mutating func handle(_ phase: TouchPhase, _ touches: [Touch]) throws(GeometryError) {
    // All numbers before any change.
    var checked: [Touch] = []
    for touch in touches {
      checked.append(
        Touch(
          id: touch.id, point: try GeometryError.point(touch.point, "touch"),
          force: try range.clamped(touch.force)))
    }
    resetIfOver()
    switch phase {
    case .began: begin(checked)
    case .moved: move(checked)
    case .ended: lift(checked, as: .ended)
    case .cancelled: lift(checked, as: .cancelled)
    }
  }

  /// Takes it that the system takes all touches away, as for an incoming call.
  public mutating func cancelAll() {
    resetIfOver()
    down = []
    if followed != nil { finish(.cancelled) }
  }

  private mutating func begin(_ touches: [Touch]) {
    let new = touches.filter { !down.contains($0.id) }
    guard let first = new.first else { return }
    down.formUnion(new.map(\.id))
    switch state {
    case .possible where new.count == 1:
      state = .began
      follow(first)
    case .possible: finish(.failed)
    case .began, .changed: finish(secondTouch == .cancels ? .cancelled : .failed)
    // Fingers of the gesture that is over remain: this one can only join them.
    case .ended, .cancelled, .failed: break
    }
  }

  private mutating func move(_ touches: [Touch]) {
    guard let touch = touches.first(where: { $0.id == followed }) else { return }
    state = .changed
    follow(touch)
  }

  private mutating func lift(_ touches: [Touch], as terminal: RecogniserState) {
    down.subtract(touches.map(\.id))
    if touches.contains(where: { $0.id == followed }) { finish(terminal) }
  }

  private mutating func follow(_ touch: Touch) {
    followed = touch.id
    finger = touch.point
    force = touch.force
  }

  private mutating func finish(_ terminal: RecogniserState) {
    state = terminal
    followed = nil
    finger = nil
    force = 0
  }

  private mutating func resetIfOver() {
    if state.isTerminal && down.isEmpty { state = .possible }
  }
}
