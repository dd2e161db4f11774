import ZoomGeometry

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
