extension FullscreenModel {
  mutating func handle(_ event: GestureEvent) throws(GeometryError) {
    switch event.kind {
    case .touches(let phase, let touches):
      try handle(phase, touches)
    case .device(let orientation):
      device = orientation
      try follow()
    case .interface(let orientation):
      interface = orientation
      // The published form looks the interface up only when the device reports a turn.
      if form == .corrected { try follow() }
    case .screen(let changed):
      let isResized = changed.size != screen.size
      screen = changed
      if isResized { try layOut() }
    case .cancelAll:
      taps.cancel()
      cancelTouches()
      fingers = 0
    case .close:
      if isFullscreen { dismiss() }
    }
  }

  private mutating func handle(_ phase: TouchPhase, _ touches: [Touch]) throws(GeometryError) {
    try taps.handle(phase, touches, at: now)
    // A tap that waits for nothing is decided by the arbiter's next look at the clock.
    taps.advance(to: now)
    let decided = taps.takeTaps().filter { goal.covered.contains($0.point) }
    switch phase {
    case .began:
      if fingers == 0 { recogniser = .possible }
      fingers += touches.count
    case .moved:
      break
    case .ended:
      fingers -= touches.count
      if fingers == 0 { recogniser = decided.isEmpty ? .failed : .ended }
    case .cancelled:
      cancelTouches()
      fingers -= touches.count
    }
    for _ in decided {
      events.append(.singleTap)
      if isFullscreen { dismiss() } else { try present() }
    }
  }

  private mutating func cancelTouches() {
    guard fingers > 0 else { return }
    recogniser = .cancelled
    events.append(.cancelled)
  }

  private mutating func present() throws(GeometryError) {
    isFullscreen = true
    hierarchy.zoomIn()
    events.append(.present)
    let (start, end) = try zoomIn()
    move(from: start, to: end, in: FullscreenDuration.zoomIn, isTurn: false)
  }

  private mutating func dismiss() {
    isFullscreen = false
    events.append(.dismiss)
    let (start, end) = zoomOut()
    move(from: start, to: end, in: FullscreenDuration.zoomOut, isTurn: false)
  }

  /// Turns the view after the device, if it is in full screen and not right already.
  private mutating func follow() throws(GeometryError) {
    guard isFullscreen else { return }
    let end = try fullscreen()
    guard end != goal else { return }
    events.append(.rotate)
    move(from: shown, to: end, in: FullscreenDuration.rotation, isTurn: true)
  }

  /// Puts everything where it belongs in a new viewport, at once: the points that an animation
  /// under way was made for are gone.
  private mutating func layOut() throws(GeometryError) {
    let old = home
    home = try Self.home(stage, chain, screen)
    if home != old { inline = home }
    come(toRestAt: isFullscreen ? try fullscreen() : FullscreenPlacement(frame: inline))
  }

  private mutating func move(
    from start: FullscreenPlacement, to end: FullscreenPlacement, in duration: Double, isTurn: Bool
  ) {
    let animation = Animation(start: now, duration: duration, curve: .easeInEaseOut)
    run = Run(
      animation: animation, start: start.unwound(towards: end), end: end, isTurn: isTurn)
  }
}
