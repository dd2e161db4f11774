/// The force recogniser as Produkt/3dForceTouchExamples published it, defects included.
///
/// It is kept so that its defects can be shown beside ``ForceRecogniser``. Nothing is validated and
/// nothing throws. It takes the touches that changed for all that there are (FT-B1), sets a state
/// before it knows whether the event counts (FT-B2), and neither hears of a cancellation (FT-B3)
/// nor forgets a force (FT-B4, FT-B5).
///
/// UIKit hands a recogniser whose gesture is over no further events until all its touches are gone.
/// That is UIKit's part and not done here: each event that is handed in counts.
public struct OriginalForceRecogniser: Sendable, Hashable {
  /// Where the recogniser stands.
  public private(set) var state = RecogniserState.possible

  /// The force of the last single touch of an event, whichever touch it was.
  public private(set) var force = 0.0

  /// Creates a recogniser that has seen no touch.
  public init() {}

  /// Takes an event of touches.
  ///
  /// - Parameters:
  ///   - phase: What the touches do.
  ///   - touches: Those that changed.
  /// - Returns: The states that it sets, in their order; two where the second takes the first back.
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
