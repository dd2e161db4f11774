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
  private var zoom: TickedZoom
  private var nextEvent = 0

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
    self.zoom = TickedZoom(zoom, ticksPerSecond: script.framesPerSecond)
  }

  /// Returns the next state; nil when the script is over and everything rests.
  ///
  /// - Throws: `GeometryError` if the system meets numbers that it cannot work with, or if a
  ///   published formula gives one that is not finite.
  public mutating func next() throws(GeometryError) -> ZoomState? {
    // Those of the next state, and no more: a state needs no others.
    while nextEvent < script.events.count {
      let event = script.events[nextEvent]
      if let following = zoom.followingTick, zoom.tick(of: event.time) > following { break }
      zoom.take(event)
      nextEvent += 1
    }
    return try zoom.step()
  }
}
