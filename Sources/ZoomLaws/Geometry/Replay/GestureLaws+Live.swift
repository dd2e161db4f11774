import PropertyTesting
import ZoomGeometry

extension GestureLaws {
  /// Laws of systems that are driven live; a subject that only plays scripts keeps them.
  static func live(_ system: ZoomSystem) -> [Law<ReplaySubject>] {
    [
      law(
        "GE-31", "Events as they come, at any frame rate, end as the script of them does.",
        of: system
      ) { subject, gesture, testCase in
        guard let live = subject.live else { return }
        let zoom = try live(gesture.script.scene, gesture.picture)
        let rate = try testCase.draw(.double(in: 1...240))
        let (events, end) = try driven(zoom, gesture.script.events, framesPerSecond: rate)
        let states = try subject.play(gesture)
        let isSame =
          end.layers == states.last?.layers && end.recogniser == states.last?.recogniser
          && end.force == states.last?.force
        try Property.require(isSame, "live at \(rate) Hz it ends as \(end.layers)")
        let told = states.flatMap(\.events)
        try Property.require(events == told, "live \(events) happens, in the script \(told)")
      },
      law(
        "GE-34", "A clock that counts since the boot or since 1970 gives what one from 0 gives.",
        of: system, holds: startsAtAnyTime),
      law(
        "GE-35", "After an event that is refused, those that come later are taken.", of: system,
        holds: goesOnAfterRefusal),
    ]
  }

  private static func startsAtAnyTime(
    _ subject: ReplaySubject, _ gesture: GestureCase, _ testCase: inout TestCase
  ) throws {
    guard let live = subject.live else { return }
    // Half an hour, four months, 2026, and the end of the clock.
    let origin = try testCase.draw(Gen<Double>.element(of: [2e3, 1e7, 1.8e9, 0x1p32 - 2e5]))
    // A double of 32 bits before the point has 21 after it, so such times and frames are exact.
    let events = gesture.script.events.map {
      GestureEvent(time: ($0.time * 0x1p20).rounded() * 0x1p-20, kind: $0.kind)
    }
    let zoom = try live(gesture.script.scene, gesture.picture)
    let (said, end) = try driven(zoom, events, framesPerSecond: 64)
    var late = zoom
    try late.advance(to: origin)
    let shifted = events.map { GestureEvent(time: origin + $0.time, kind: $0.kind) }
    let (lateSaid, lateEnd) = try driven(late, shifted, framesPerSecond: 64)
    try Property.require(
      lateSaid == said && lateEnd.recogniser == end.recogniser
        && near(lateEnd.force, end.force, within: 1e-5),
      "from \(origin) s on \(lateSaid) happens and not \(said), and it ends as "
        + "\(lateEnd.recogniser) with a force of \(lateEnd.force)")
    guard let one = end.picture, let other = lateEnd.picture else { return }
    // Taps are decided 0.35 s after a lift, which no clock of 1970 tells exactly: what interrupts an
    // animation that they begin finds it a millionth of its way further.
    let off = apart(one.toScreen, other.toScreen, gesture.picture)
    try Property.require(
      off <= 100 * gestureSlack * magnitude(one.box),
      "from \(origin) s on a corner is \(off) points off")
  }

  private static func goesOnAfterRefusal(
    _ subject: ReplaySubject, _ gesture: GestureCase, _ testCase: inout TestCase
  ) throws {
    let events = gesture.script.events
    guard let live = subject.live, !events.isEmpty else { return }
    // The kind first: most events are movements.
    let kinds = Dictionary(grouping: events.indices) { events[$0].kindNumber }
    let kind = try testCase.draw(Gen<Int>.element(of: kinds.keys.sorted()))
    let number = try testCase.draw(Gen<Int>.element(of: kinds[kind] ?? [0]))
    let refused = events[number].spoilt
    testCase.classify(kind == 0, as: "a beginning", atLeast: 0.05)
    testCase.classify(kind == 1, as: "a lift", atLeast: 0.05)
    testCase.classify(kind == 2, as: "a cancellation of everything")
    var zoom = try live(gesture.script.scene, gesture.picture)
    _ = try driven(&zoom, events[..<number])
    let before = try zoom.layers()
    do {
      try zoom.handle(refused)
      try Property.require(false, "an event with NaN is taken")
    } catch is GeometryError {}
    try Property.require(try zoom.layers() == before, "the event is refused and moves something")
    do {
      _ = try driven(&zoom, events[(number + 1)...])
    } catch let error as GeometryError {
      try Property.require(false, "after \(refused.sentence) it refuses: \(error)")
    }
    guard case .touches(.began, let touches) = refused.kind else { return }
    // What was refused never was.
    var sound = try live(gesture.script.scene, gesture.picture)
    let without = events[..<number] + events[(number + 1)...].without(Set(touches.map(\.id)))
    _ = try driven(&sound, without)
    try zoom.advance(to: zoom.time + 2)
    try sound.advance(to: zoom.time)
    try Property.require(
      try zoom.layers() == sound.layers(), "a finger that was refused does something")
  }

  /// Drives a system as an app does, until it rests: what happened, and its last state.
  private static func driven(
    _ start: LiveZoom, _ events: [GestureEvent], framesPerSecond: Double
  ) throws -> ([ZoomEvent], ZoomState) {
    var zoom = start
    let events = try driven(&zoom, events, framesPerSecond: framesPerSecond)
    while zoom.isMoving { try zoom.advance(to: zoom.time + 1 / framesPerSecond) }
    let end = try zoom.takeState()
    return (events + end.events, end)
  }

  /// Gives a system events and the frames between them, and returns what happened.
  private static func driven(
    _ zoom: inout LiveZoom, _ events: some Sequence<GestureEvent>, framesPerSecond: Double = 60
  ) throws -> [ZoomEvent] {
    var happened: [ZoomEvent] = []
    for event in events {
      while zoom.isMoving, zoom.time + 1 / framesPerSecond < event.time {
        try zoom.advance(to: zoom.time + 1 / framesPerSecond)
        _ = try zoom.layers()
      }
      try zoom.handle(event)
      happened += zoom.events
      zoom.clearEvents()
    }
    return happened
  }
}

extension GestureEvent {
  /// A number for the kind of event.
  fileprivate var kindNumber: Int {
    switch kind {
    case .touches(.began, _): 0
    case .touches(.ended, _): 1
    case .cancelAll: 2
    case .touches(.cancelled, _): 3
    case .touches(.moved, _): 4
    case .device, .interface, .screen, .close: 5
    }
  }

  /// The event with a number that is refused.
  fileprivate var spoilt: GestureEvent {
    guard case .touches(let phase, var touches) = kind else {
      return GestureEvent(time: .nan, kind: kind)
    }
    touches[touches.count - 1].point.y = .nan
    return GestureEvent(time: time, kind: .touches(phase, touches))
  }
}

extension Sequence<GestureEvent> {
  /// The events without some touches that are down, up to their ends.
  fileprivate func without(_ fingers: Set<Int>) -> [GestureEvent] {
    var left = fingers
    return compactMap { event in
      if event.kind == .cancelAll { left = [] }
      return event.withTouches { phase, touches in
        if phase == .began { left.subtract(touches.map(\.id)) }
        let others = touches.filter { !left.contains($0.id) }
        if phase == .ended || phase == .cancelled { left.subtract(touches.map(\.id)) }
        return others
      }
    }
  }
}
