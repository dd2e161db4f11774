import ZoomGeometry

extension TransitionSubject.Presentation {
  /// The setup in words: "1600x1200 on 375x667 @2x, thumbnail 100x100 at (20, 50), corners 5".
  public var inWords: String {
    "\(picture) on \(screen.inWords), thumbnail \(thumbnail.inWords), corners "
      + cornerRadius.inWords
  }
}

extension TransitionSubject.ViewerStep {
  /// The step in words: "pan by (10, 20)".
  public var inWords: String {
    switch self {
    case .pan(let translation): "pan by \(translation.inWords)"
    case .endPan(let velocity): "let go at \(velocity.inWords) pt/s"
    case .beginPinch(let point): "two fingers about \(point.inWords)"
    case .pinch(let ratio, let centre): "\(ratio.inWords) times apart about \(centre.inWords)"
    case .endPinch: "two fingers lifted"
    case .cancel: "cancelled"
    case .singleTap: "tap"
    case .doubleTap(let point): "double tap at \(point.inWords)"
    case .turn(let device, let isHasty): "turn to \(device)" + (isHasty ? " hastily" : "")
    }
  }
}

extension [TransitionSubject.ViewerStep] {
  /// The steps in words, one after the other: "tap, pan by (10, 20)".
  var inWords: String { isEmpty ? "nothing" : map(\.inWords).joined(separator: ", ") }
}

extension TransitionSubject.Throw {
  /// The throw in words: "picture 500x300 about (100, 100) on 375x667, let go at (0, 200) pt/s".
  public var inWords: String {
    "picture \(box.inWords) about \(centre.inWords) on \(viewport.inWords), let go at "
      + "\(velocity.inWords) pt/s"
  }
}
