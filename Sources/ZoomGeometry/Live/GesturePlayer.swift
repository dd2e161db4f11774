/// A player of a gesture script on a zoom system, by the script's clock.
///
///     var player = try GesturePlayer(script, system: .peek, picture: size)
///     while let state = try player.next() { … }
///
/// It returns a state for each tick of the script's frame rate at which an event came or something
/// moved. So the number of states is bounded by the events and the lengths of the animations, not
/// by the times in the script. The same script gives the same states.
public struct GesturePlayer: Sendable {
  private var zoom: TickedZoom

  /// Creates a player of a system for a picture of an upright size.
  public init(
    _ script: GestureScript, system: ZoomSystem, picture: PixelSize, form: ZoomForm = .corrected
  ) throws(GeometryError) {
    self.init(script, zoom: try LiveZoom(system, picture: picture, scene: script.scene, form: form))
  }

  /// Creates a player of a system that has handled no event yet.
  package init(_ script: GestureScript, zoom: LiveZoom) {
    self.zoom = TickedZoom(zoom, ticksPerSecond: script.framesPerSecond, events: script.events)
  }

  /// Returns the next state; nil when the script is over and everything rests.
  ///
  /// - Throws: `GeometryError` if the system meets numbers that it cannot work with, or if a
  ///   published formula gives one that is not finite.
  public mutating func next() throws(GeometryError) -> ZoomState? { try zoom.step() }
}

/// A zoom system that takes events as they come and is drawn at the ticks of a clock.
///
/// It plays scripts, and also the touches that a web page sends as they happen. A recording of
/// those touches, played as a script, gives the same states to the last bit, whichever states the
/// page drew.
package struct TickedZoom: Sendable {
  package let ticksPerSecond: Double
  /// The tick of the last state; -1 before the first.
  package private(set) var tick = -1
  private var zoom: LiveZoom
  /// A buffer of events; the system has handled those before `next`.
  private var events: [GestureEvent]
  private var next = 0

  /// Creates a ticked zoom of a system that has handled no event yet.
  package init(_ zoom: LiveZoom, ticksPerSecond: Double, events: [GestureEvent] = []) {
    self.zoom = zoom
    self.ticksPerSecond = ticksPerSecond
    self.events = events
  }

  /// Adds a valid event, which is handled at the first tick that is not before it.
  package mutating func take(_ event: GestureEvent) {
    if next == events.count {
      events.removeAll(keepingCapacity: true)
      next = 0
    }
    events.append(event)
  }

  package var followingTick: Int? {
    if tick < 0 { return 0 }
    if zoom.isMoving { return tick + 1 }
    return next < events.count ? tick(of: events[next].time) : nil
  }

  package mutating func step() throws(GeometryError) -> ZoomState? {
    guard let following = followingTick else { return nil }
    tick = following
    while next < events.count, tick(of: events[next].time) <= following {
      try zoom.handle(events[next])
      next += 1
    }
    // Rounding may place the last event slightly after its tick.
    try zoom.advance(to: max(Double(following) / ticksPerSecond, zoom.time))
    return try zoom.takeState()
  }

  /// Returns the first tick that is not before a time.
  package func tick(of time: Double) -> Int {
    // A script's 0.05 s times 60 is a little more than 3, so a millionth of a tick is ignored.
    Int((time * ticksPerSecond - 1e-6).rounded(.up))
  }
}
