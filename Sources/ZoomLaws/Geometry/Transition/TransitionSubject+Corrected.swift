package import ZoomGeometry

extension TransitionSubject {
  /// Everything as it should be.
  public static let corrected = TransitionSubject(
    "transition corrected",
    presented: { try crop($0) },
    // The way back is made from the full frame, whatever has been done to it.
    dismissed: { setup, _ in try crop(setup) },
    mask: { try transition($0).mask(openedBy: $2 ? 1 - $1 : $1) },
    view: viewing(TransitionRules()),
    landing: {
      let inertia = try PanInertia(
        centre: $0.centre, velocity: $0.velocity, box: $0.box, viewport: $0.viewport)
      return Landing(
        target: inertia.target, duration: inertia.duration, damping: inertia.damping)
    },
    taps: { try arbitrate($0, delay: $1) })

  private static func transition(_ setup: Presentation) throws -> Transition {
    try Transition(
      picture: setup.picture, viewport: setup.screen.size, thumbnail: setup.thumbnail,
      cornerRadius: setup.cornerRadius)
  }

  private static func crop(_ setup: Presentation) throws -> ThumbnailCrop {
    let transition = try transition(setup)
    let full = transition.full
    return ThumbnailCrop(
      full: full, scale: transition.scale,
      transform: transition.start.transform(
        of: ViewSize(width: full.width, height: full.height)),
      mask: transition.mask, radius: transition.maskRadius)
  }

  /// The taps that the arbiter decides, with an hour for the last one to wait.
  static func arbitrate(_ events: [GestureEvent], delay: Double) throws -> [TapArbiter.Tap] {
    var arbiter = try TapArbiter(delay: delay)
    for event in events {
      switch event.kind {
      case .touches(let phase, let touches): try arbiter.handle(phase, touches, at: event.time)
      case .cancelAll:
        arbiter.advance(to: event.time)
        arbiter.cancel()
      case .device, .interface, .screen, .close: arbiter.advance(to: event.time)
      }
    }
    arbiter.advance(to: (events.last?.time ?? 0) + 3600)
    return arbiter.takeTaps()
  }
}

extension TransitionSubject {
  /// The gestures by some rules, each step brought to rest at once.
  package static func viewing(
    _ rules: TransitionRules
  ) -> @Sendable (PixelSize, Screen, [ViewerStep]) throws -> ShownPicture {
    { picture, screen, steps in
      var viewer = try CorrectedViewer(picture: picture, screen: screen, rules: rules)
      for step in steps { try viewer.take(step) }
      return viewer.view
    }
  }
}
