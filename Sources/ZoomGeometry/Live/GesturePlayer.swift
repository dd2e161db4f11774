/// Plays a zoom system over a script, on the script's clock: no time passes in the world.
///
///     var player = try GesturePlayer(script, system: .peek, picture: size)
///     while let state = try player.next() { … }
///
/// A state is given for each tick of the script's frame rate at which something happened or moved;
/// while everything rests there are none. So their number is bounded by the events and the lengths
/// of the animations, not by the times in the script. The same script gives the same states.
public struct GesturePlayer: Sendable {
  private let script: GestureScript
  private var zoom: LiveZoom
  private var nextEvent = 0
  /// The tick of the last state; -1 before the first.
  private var tick = -1

  /// Sets a system up.
  ///
  /// - Parameters:
  ///   - script: What happens.
  ///   - system: What it happens to.
  ///   - picture: The upright size of the picture in pixels.
  ///   - form: As it should be, or as published.
  /// - Throws: `GeometryError` if the system cannot work with the numbers.
  public init(
    _ script: GestureScript, system: ZoomSystem, picture: PixelSize, form: ZoomForm = .corrected
  ) throws(GeometryError) {
    self.init(script, zoom: try LiveZoom(system, picture: picture, scene: script.scene, form: form))
  }

  /// Plays a system that has seen nothing yet.
  package init(_ script: GestureScript, zoom: LiveZoom) {
    self.script = script
    self.zoom = zoom
  }

  /// Returns the next state; nil when the script is over and everything rests.
  ///
  /// - Throws: `GeometryError` if the system meets numbers that it cannot work with, or if a
  ///   published formula gives one that is not finite.
  public mutating func next() throws(GeometryError) -> ZoomState? {
    guard let tick = followingTick else { return nil }
    self.tick = tick
    while nextEvent < script.events.count, self.tick(of: script.events[nextEvent]) <= tick {
      try zoom.handle(script.events[nextEvent])
      nextEvent += 1
    }
    // The last event handled may lie a rounding after its tick.
    try zoom.advance(to: max(Double(tick) / script.framesPerSecond, zoom.time))
    return try zoom.takeState()
  }

  /// The first tick, then the next while something moves, otherwise that of the next event.
  private var followingTick: Int? {
    if tick < 0 { return 0 }
    if zoom.isMoving { return tick + 1 }
    guard nextEvent < script.events.count else { return nil }
    return self.tick(of: script.events[nextEvent])
  }

  /// The first tick that is not before an event.
  private func tick(of event: GestureEvent) -> Int {
    // A script's 0.05 s times 60 is a little more than 3; a millionth of a tick is no delay.
    Int((event.time * script.framesPerSecond - 1e-6).rounded(.up))
  }
}
