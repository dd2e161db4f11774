/// The transition as a machine: thumbnail, presenting, full screen, dismissing.
///
/// A tap on the thumbnail presents. At full screen one finger pans, two pinch, a tap dismisses or
/// resets, a double tap zooms, the device turns the picture, and a close button dismisses as it is.
/// While the picture is on its way between the two nothing is touched, as in UIKit's transitions:
/// fingers that come down then are not looked at.
struct TransitionModel: ZoomModel, Sendable {
  private enum Phase {
    case thumbnail, presenting, fullscreen, dismissing
  }

  private let picture: PixelSize
  private let stage: Stage
  private var screen: Screen
  private var transition: Transition
  private var stand: any TransitionStand
  private var phase = Phase.thumbnail
  /// How black the page behind the picture is.
  private var backdrop = Motion(0.0)
  private var touches: TransitionTouches
  private var taps: TapArbiter
  private var now = 0.0
  private var events: [ZoomEvent] = []
  private(set) var recogniser = RecogniserState.possible

  init(_ script: GestureScript, picture: PixelSize, form: ZoomForm) throws(GeometryError) {
    self.picture = picture
    stage = script.stage
    screen = script.screen
    transition = Transition(picture: picture, screen: script.screen, stage: script.stage)
    stand =
      switch form {
      case .corrected:
        try CorrectedTransitionStand(
          picture: picture, screen: script.screen, device: script.device, transition)
      case .original:
        OriginalTransitionStand(
          picture: picture, screen: script.screen, stage: script.stage, transition)
      }
    taps = Self.thumbnailTaps
    touches = TransitionTouches(slop: taps.slop)
  }

  /// Nothing here is driven by force.
  var force: Double { 0 }

  var isMoving: Bool { stand.isMoving || backdrop.isMoving || taps.pendingUntil != nil }

  mutating func advance(to time: Double) throws(GeometryError) {
    taps.advance(to: time)
    try decideTaps()
    settle(to: time)
  }

  mutating func handle(_ event: GestureEvent) throws(GeometryError) {
    switch event.kind {
    case .touches(let phase, let fingers):
      try handle(phase, fingers)
    case .device(let orientation):
      try turn(to: orientation)
    case .screen(let screen):
      try change(to: screen)
    case .cancelAll:
      taps.cancel()
      if touches.isTouched { try cancel() }
    case .close:
      if phase == .presenting || phase == .fullscreen { try dismiss() }
    case .interface:
      // The interface stays portrait: the picture goes by the device.
      break
    }
  }

  func layers() throws(GeometryError) -> [Layer] {
    let page = FillLayer(rect: screen.bounds, shade: 0.9)
    // A spring passes its end.
    let opacity = backdrop.value(at: now).clamped(to: 0...1)
    let cover = FillLayer(rect: screen.bounds, shade: 0, opacity: opacity)
    let shown =
      phase == .thumbnail
      ? try transition.thumbnailLayer(of: picture) : try stand.layer(at: now)
    return [.fill(page), .fill(cover), .picture(shown)]
  }

  mutating func takeEvents() -> [ZoomEvent] {
    defer { events = [] }
    return events
  }
}

// The phases.
extension TransitionModel {
  /// A thumbnail has no double tap to wait for.
  private static var thumbnailTaps: TapArbiter {
    var taps = TapArbiter()
    taps.delay = 0
    return taps
  }

  /// Lets everything that is on its way come to a time.
  private mutating func settle(to time: Double) {
    now = time
    stand.advance(to: time)
    backdrop.advance(to: time)
    guard !stand.isMoving, !backdrop.isMoving else { return }
    switch phase {
    case .presenting:
      phase = .fullscreen
    case .dismissing:
      phase = .thumbnail
      taps = Self.thumbnailTaps
    case .thumbnail, .fullscreen:
      break
    }
  }

  private mutating func present() throws(GeometryError) {
    phase = .presenting
    events.append(.present)
    forgetTouches()
    try stand.present(at: now)
    backdrop.move(
      to: 1, at: now, for: TransitionTiming.present, TransitionTiming.presentCurve)
  }

  private mutating func dismiss() throws(GeometryError) {
    interruptGesture()
    phase = .dismissing
    events.append(.dismiss)
    forgetTouches()
    try stand.dismiss(at: now)
    backdrop.move(
      to: 0, at: now, for: TransitionTiming.dismiss, TransitionTiming.dismissCurve)
  }

  private mutating func turn(to orientation: DeviceOrientation) throws(GeometryError) {
    let isShown = phase == .presenting || phase == .fullscreen
    guard try stand.turn(to: orientation, isShown: isShown, at: now), isShown else { return }
    interruptGesture()
    events.append(.rotate)
  }

  private mutating func change(to screen: Screen) throws(GeometryError) {
    self.screen = screen
    transition = Transition(picture: picture, screen: screen, stage: stage)
    interruptGesture()
    try stand.change(to: screen, transition)
    settle(to: now)
  }

  /// Forgets fingers and taps that wait: they belong to what was shown before.
  private mutating func forgetTouches() {
    taps = TapArbiter()
    touches.abandon()
  }

  /// Ends a gesture that something else takes the picture from.
  private mutating func interruptGesture() {
    if touches.isActive {
      events.append(.cancelled)
      recogniser = .cancelled
    }
    touches.abandon()
  }
}

// The touches.
extension TransitionModel {
  private mutating func handle(_ phase: TouchPhase, _ fingers: [Touch]) throws(GeometryError) {
    switch self.phase {
    case .thumbnail:
      if phase == .began { recogniser = .possible }
    case .fullscreen:
      if phase == .began, !touches.isActive { recogniser = .possible }
      for change in touches.handle(phase, fingers, at: now) { try apply(change) }
    case .presenting, .dismissing:
      return
    }
    try taps.handle(phase, fingers, at: now)
    // A tap that waits for nothing is decided now.
    taps.advance(to: now)
    try decideTaps()
  }

  private mutating func apply(_ change: TransitionTouches.Change) throws(GeometryError) {
    switch change {
    case .panBegan:
      events.append(.panBegan)
      recogniser = .began
    case .panned(let translation):
      recogniser = events.last == .panBegan ? .began : .changed
      stand.pan(by: translation, at: now)
    case .panEnded(let velocity):
      events.append(.panEnded)
      recogniser = .ended
      try stand.endPan(velocity: velocity, at: now)
    case .panHandedOver:
      events.append(.panEnded)
      recogniser = .ended
    case .panLeft:
      try stand.endPan(velocity: ViewPoint(x: 0, y: 0), at: now)
    case .pinchBegan(let centre):
      events.append(.pinchBegan)
      recogniser = .began
      try stand.beginPinch(at: centre, time: now)
    case .pinched(let pinch):
      recogniser = events.last == .pinchBegan ? .began : .changed
      try stand.pinch(pinch, at: now)
    case .pinchEnded:
      events.append(.pinchEnded)
      recogniser = .ended
      try stand.endPinch(at: now)
    case .cancelled:
      try cancel()
    }
  }

  private mutating func cancel() throws(GeometryError) {
    touches.abandon()
    events.append(.cancelled)
    recogniser = .cancelled
    try stand.cancel(at: now)
  }

  /// Takes each tap at the time at which it was decided.
  private mutating func decideTaps() throws(GeometryError) {
    for tap in taps.takeTaps() {
      settle(to: max(now, tap.time))
      try take(tap)
    }
  }

  private mutating func take(_ tap: TapArbiter.Tap) throws(GeometryError) {
    switch phase {
    case .thumbnail:
      guard transition.thumbnail.contains(tap.point) else { return }
      recogniser = .ended
      try present()
    case .fullscreen:
      recogniser = .ended
      events.append(tap.isDouble ? .doubleTap : .singleTap)
      if tap.isDouble {
        if let zoom = try stand.doubleTap(tap.point, at: now) { events.append(zoom) }
      } else if stand.singleTap(at: now) {
        try dismiss()
      } else {
        events.append(.zoomOut)
      }
    case .presenting, .dismissing:
      return
    }
  }
}
