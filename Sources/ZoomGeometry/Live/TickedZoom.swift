/// A zoom system that is given events as they come and is drawn at ticks of a clock.
///
/// A script is played by it, and so are the fingers on a page: what was recorded of the one gives the
/// same states as the other, to the last bit, whichever of them are drawn.
package struct TickedZoom: Sendable {
  /// How many ticks a second has.
  package let ticksPerSecond: Double
  /// The tick of the last state; -1 before the first.
  package private(set) var tick = -1
  private var zoom: LiveZoom
  /// What was taken and has not been handled; those before `next` have been.
  private var events: [GestureEvent] = []
  private var next = 0

  /// Sets a system up that has seen nothing yet.
  package init(_ zoom: LiveZoom, ticksPerSecond: Double) {
    self.zoom = zoom
    self.ticksPerSecond = ticksPerSecond
  }

  /// Takes an event, to be handled at the first tick that is not before it.
  ///
  /// - Parameter event: One that a script could have next, of a tick that is still to come.
  package mutating func take(_ event: GestureEvent) {
    // Once all are handled their places are used again.
    if next == events.count {
      events.removeAll(keepingCapacity: true)
      next = 0
    }
    events.append(event)
  }

  /// The tick of the state that comes next: the first, then the next while something moves,
  /// otherwise that of the next event; nil when everything rests.
  package var followingTick: Int? {
    if tick < 0 { return 0 }
    if zoom.isMoving { return tick + 1 }
    return next < events.count ? tick(of: events[next].time) : nil
  }

  /// Goes on to the next state; nil when there is none.
  ///
  /// - Throws: `GeometryError` if the system meets numbers that it cannot work with, or if a
  ///   published formula gives one that is not finite.
  package mutating func step() throws(GeometryError) -> ZoomState? {
    guard let following = followingTick else { return nil }
    tick = following
    while next < events.count, tick(of: events[next].time) <= following {
      try zoom.handle(events[next])
      next += 1
    }
    // The last event handled may lie a rounding after its tick.
    try zoom.advance(to: max(Double(following) / ticksPerSecond, zoom.time))
    return try zoom.takeState()
  }

  /// The first tick that is not before a time.
  package func tick(of time: Double) -> Int {
    // A script's 0.05 s times 60 is a little more than 3; a millionth of a tick is no delay.
    Int((time * ticksPerSecond - 1e-6).rounded(.up))
  }
}
