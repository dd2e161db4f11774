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
        "GE-35", "A refused event changes nothing, and those that come later are taken.",
        of: system,
        holds: goesOnAfterRefusals),
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
    try Property.require(
      end.layers.count == lateEnd.layers.count && end.pictures.count == lateEnd.pictures.count,
      "from \(origin) s on it ends with \(lateEnd.layers) and not \(end.layers)")
    for (one, other) in Swift.zip(end.pictures, lateEnd.pictures) {
      // Taps are decided 0.35 s after a lift, which a clock of 1970 does not resolve exactly: an
      // animation that they begin is interrupted a millionth of its way further.
      let off = apart(one.toScreen, other.toScreen, gesture.picture)
      try Property.require(
        off <= 100 * gestureSlack * magnitude(one.box),
        "from \(origin) s on a corner is \(off) points off")
    }
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
    _ zoom: inout LiveZoom, _ events: [GestureEvent], framesPerSecond: Double
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
