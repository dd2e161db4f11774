public import ZoomGeometry

/// Something that plays a script: a zoom system of ours or anyone's.
public struct ReplaySubject: LawSubject {
  /// Measured, in evaluations of the peek, to a factor of two or three: a gesture of some dozens of frames is played.
  public let caseCost = 10

  /// What reports call it.
  public let name: String
  /// Which of the systems it is.
  public let system: ZoomSystem
  /// Plays a script over a picture of a size and returns what is shown, one state a frame.
  ///
  /// While nothing moves it may leave states out. It throws what it cannot play.
  public var play: @Sendable (GestureScript, PixelSize) throws -> [ZoomState]

  /// Sets the same system up to be driven live; nil for what only plays scripts.
  public var live: (@Sendable (ZoomScene, PixelSize) throws -> LiveZoom)?

  /// A subject that plays scripts.
  public init(
    _ name: String, system: ZoomSystem,
    play: @escaping @Sendable (GestureScript, PixelSize) throws -> [ZoomState]
  ) {
    self.name = name
    self.system = system
    self.play = play
  }

  /// One of our systems.
  public init(_ system: ZoomSystem, _ form: ZoomForm) {
    self.init("\(system.rawValue) \(form.rawValue)", system: system) { script, picture in
      var player = try GesturePlayer(script, system: system, picture: picture, form: form)
      return try player.states()
    }
    live = { try LiveZoom(system, picture: $1, scene: $0, form: form) }
  }
}

extension GesturePlayer {
  /// Plays the rest of the script.
  package mutating func states() throws -> [ZoomState] {
    var states: [ZoomState] = []
    while let state = try next() { states.append(state) }
    return states
  }
}

extension ReplaySubject {
  /// Plays a case.
  func play(_ gesture: GestureCase) throws -> [ZoomState] {
    try play(gesture.script, gesture.picture)
  }
}
