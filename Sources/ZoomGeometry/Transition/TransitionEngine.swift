/// The engine of the transition: thumbnail, presenting, full screen, dismissing.
///
/// A tap on the thumbnail presents. At full screen one finger pans, two pinch, a tap dismisses or
/// resets, a double tap zooms, the device turns the picture, and a close button dismisses it in any
/// pose. While it presents or dismisses, touches are ignored, as in UIKit.
package struct TransitionEngine<Form: TransitionForm>: ZoomEngine {
  private enum TransitionPhase {
    case thumbnail, presenting, fullscreen, dismissing
  }

  private let picture: PixelSize
  private let stage: Stage
  private var screen: Screen
  private var transition: Transition
  private var form: Form
  private var phase = TransitionPhase.thumbnail
  /// The opacity of the black backdrop.
  private var backdrop = Motion(0.0)
  private var tracker: FingerTracker
  private var taps = TapArbiter()
  private var now = 0.0
  package private(set) var events: [ZoomEvent] = []
  package private(set) var recogniser = RecogniserState.possible

  package init(_ scene: ZoomScene, picture: PixelSize) throws(GeometryError) {
    let transition = Transition(picture: picture, screen: scene.screen, stage: scene.stage)
    self.init(scene, picture: picture, transition, try Form(scene, picture: picture, transition))
  }

  /// Creates an engine with a given form, such as one with a planted fault.
  package init(_ scene: ZoomScene, picture: PixelSize, _ transition: Transition, _ form: Form) {
    self.picture = picture
    stage = scene.stage
    screen = scene.screen
    self.transition = transition
    self.form = form
    taps.delay = Self.thumbnailDelay
    tracker = FingerTracker(slop: taps.slop)
  }

  package var force: Double { 0 }

  package var isMoving: Bool { form.isMoving || backdrop.isMoving || taps.pendingUntil != nil }

  package mutating func advance(to time: Double) throws(GeometryError) {
    taps.advance(to: time)
    try decideTaps()
    settle(to: time)
  }

  package mutating func handle(
    _ event: GestureEvent, _ fingers: FingerTable
  ) throws(GeometryError) {
    switch event.kind {
    case .touches(let phase, let touches):
      try handle(phase, touches, fingers)
    case .device(let orientation):
      try turn(to: orientation)
    case .screen(let screen):
      try change(to: screen, fingers)
    case .cancelAll:
      taps.cancel()
      if tracker.isTouched { try cancel() }
    case .close:
      if phase == .presenting || phase == .fullscreen { try dismiss() }
    case .interface, .wheel:
      // The interface stays portrait; the picture follows the device.
      break
    }
  }

  package func draw(into layers: inout [Layer]) throws(GeometryError) {
    layers.append(.fill(FillLayer(rect: screen.bounds, shade: 0.9)))
    // A spring overshoots.
    let opacity = backdrop.value(at: now).clamped(to: 0...1)
    layers.append(.fill(FillLayer(rect: screen.bounds, shade: 0, opacity: opacity)))
    layers.append(
      .picture(
        phase == .thumbnail
          ? try transition.layer(of: picture, at: transition.start, openedBy: 0)
          : try form.layer(at: now)))
  }

  package mutating func clearEvents() { events.removeAll(keepingCapacity: true) }
}

// The phases.
extension TransitionEngine {
  /// The delay of taps on a thumbnail: they do not wait, because a double tap does nothing there.
  private static var thumbnailDelay: Double { 0 }

  /// Advances all animations to a time, and the phase when they are over.
  private mutating func settle(to time: Double) {
    now = time
    form.advance(to: time)
    backdrop.advance(to: time)
    guard !form.isMoving, !backdrop.isMoving else { return }
    switch phase {
    case .presenting:
      phase = .fullscreen
    case .dismissing:
      phase = .thumbnail
      taps.delay = Self.thumbnailDelay
    case .thumbnail, .fullscreen:
      break
    }
  }

  private mutating func present() throws(GeometryError) {
    phase = .presenting
    events.append(.present)
    forgetTaps()
    try form.present(at: now)
    backdrop.move(to: 1, at: now, for: TransitionTiming.present, TransitionTiming.presentCurve)
  }

  private mutating func dismiss() throws(GeometryError) {
    interruptGesture()
    phase = .dismissing
    events.append(.dismiss)
    forgetTaps()
    try form.dismiss(at: now)
    backdrop.move(to: 0, at: now, for: TransitionTiming.dismiss, TransitionTiming.dismissCurve)
  }

  private mutating func turn(to orientation: DeviceOrientation) throws(GeometryError) {
    let isShown = phase == .presenting || phase == .fullscreen
    guard try form.turn(to: orientation, isShown: isShown, at: now) else { return }
    interruptGesture()
    events.append(.rotate)
  }

  private mutating func change(
    to screen: Screen, _ fingers: FingerTable
  ) throws(GeometryError) {
    guard screen != self.screen else { return }
    if screen.size != self.screen.size {
      taps.screenChanged(fingers)
      try decideTaps()
      interruptGesture()
    }
    self.screen = screen
    transition = Transition(picture: picture, screen: screen, stage: stage)
    try form.change(to: screen, transition)
    settle(to: now)
  }

  /// Forgets waiting taps, which belong to the previous phase.
  private mutating func forgetTaps() {
    taps.forget()
    taps.delay = TouchThresholds.usual.tapDelay
  }
}

// The touches.
extension TransitionEngine {
  private mutating func handle(
    _ phase: TouchPhase, _ touches: [Touch], _ fingers: FingerTable
  ) throws(GeometryError) {
    switch self.phase {
    case .thumbnail:
      if phase == .began { recogniser = .possible }
    case .fullscreen:
      if phase == .began, !tracker.isActive { recogniser = .possible }
      tracker.handle(phase, touches, fingers)
      for index in tracker.changes.indices { try apply(tracker.changes[index]) }
    case .presenting, .dismissing:
      return
    }
    taps.handle(phase, touches, fingers)
    // A tap without a delay is decided now.
    taps.advance(to: now)
    try decideTaps()
  }

  private mutating func apply(_ change: FingerTracker.Change) throws(GeometryError) {
    switch change {
    case .panBegan: report(.panBegan, .began)
    case .panned: if tracker.changes.first != .panBegan { recogniser = .changed }
    case .panEnded, .panHandedOver: report(.panEnded, .ended)
    case .panReleased: break
    case .pinchBegan: report(.pinchBegan, .began)
    case .pinched: if case .pinchBegan? = tracker.changes.first {} else { recogniser = .changed }
    case .pinchEnded: report(.pinchEnded, .ended)
    case .cancelled: return try cancel()
    }
    try form.follow(change, at: now)
  }

  private mutating func report(_ event: ZoomEvent, _ state: RecogniserState) {
    events.append(event)
    recogniser = state
  }

  /// Reports a tap; during a gesture, the recogniser's state stays that of the gesture.
  private mutating func reportTap(_ event: ZoomEvent) {
    report(event, tracker.isActive ? recogniser : .ended)
  }

  private mutating func cancel() throws(GeometryError) {
    tracker.abandon()
    report(.cancelled, .cancelled)
    try form.follow(.cancelled, at: now)
  }

  /// Cancels a gesture, because something else moves the picture.
  private mutating func interruptGesture() {
    if tracker.isActive { report(.cancelled, .cancelled) }
    tracker.abandon()
  }

  private mutating func decideTaps() throws(GeometryError) {
    while let tap = taps.nextTap() {
      settle(to: tap.time)
      switch phase {
      case .thumbnail:
        guard transition.thumbnail.contains(tap.point) else { continue }
        recogniser = .ended
        try present()
      case .fullscreen where tap.isDouble:
        reportTap(.doubleTap)
        if let zoom = try form.doubleTap(tap.point, at: now) { events.append(zoom) }
      case .fullscreen:
        reportTap(.singleTap)
        if form.singleTap(at: now) { try dismiss() } else { events.append(.zoomOut) }
      case .presenting, .dismissing:
        continue
      }
    }
  }
}
