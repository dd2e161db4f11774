internal import PropertyTesting
public import ZoomGeometry

/// A script and the picture that it is played over: the input of a law about gestures.
public struct GestureCase: Sendable, Hashable, CustomStringConvertible {
  /// The script.
  public var script: GestureScript
  /// The upright size of the picture in pixels.
  public var picture: PixelSize

  /// Creates a case of a script and a picture.
  public init(script: GestureScript, picture: PixelSize) {
    self.script = script
    self.picture = picture
  }

  /// Returns the case with other events and, if given, other properties.
  public func with(
    _ events: [GestureEvent], screen: Screen? = nil, press: PressKind? = nil, stage: Stage? = nil
  ) throws(GeometryError) -> GestureCase {
    let changed = try script.with(events, screen: screen, press: press, stage: stage)
    return GestureCase(script: changed, picture: picture)
  }

  var end: Double { script.events.last?.time ?? 0 }

  /// The picture, the screen and the events, one event per line.
  public var description: String {
    let stage = script.stage
    let head =
      "\(picture) on \(script.screen.inWords), device \(script.device), interface "
      + "\(script.interface), view \(stage.view?.inWords ?? "as usual")"
      + (stage.ancestors.isEmpty ? "" : " in \(stage.ancestors.count) others")
    return ([head] + script.events.map(\.sentence)).joined(separator: "\n")
  }
}

/// A breach by a script that a law has made of its input.
struct VariantBreach: PlacedError {
  let error: any Error
  let gesture: GestureCase
  var failurePlace: String? { (error as? any PlacedError)?.failurePlace }
}

extension GestureCase {
  /// Runs checks of a play of this script; reports show it, and not the law's input, if they fail.
  func judge(_ checks: (GestureCase) throws -> Void) throws {
    do { try checks(self) } catch let error as any PlacedError {
      throw VariantBreach(error: error, gesture: self)
    }
  }
}

extension GestureScript {
  package func with(
    _ events: [GestureEvent]? = nil, screen: Screen? = nil, press: PressKind? = nil,
    device: DeviceOrientation? = nil, interface: InterfaceOrientation? = nil, stage: Stage? = nil
  ) throws(GeometryError) -> GestureScript {
    try GestureScript(
      name: name, screen: screen ?? self.screen, framesPerSecond: framesPerSecond,
      maximumForce: maximumForce, press: press ?? self.press, device: device ?? self.device,
      interface: interface ?? self.interface, stage: stage ?? self.stage,
      events: events ?? self.events)
  }
}

extension GestureEvent {
  /// The event in words: "0.25 s: finger 0 moved at (10, 20)".
  var sentence: String {
    "\(time.inWords) s: \(kind.inWords)"
  }

  package var touches: [Touch] { if case .touches(_, let touches) = kind { touches } else { [] } }
  package var phase: TouchPhase? { if case .touches(let phase, _) = kind { phase } else { nil } }
  package var isTouch: Bool { phase != nil }
  package var isMovement: Bool { phase == .moved }
  package var screen: Screen? { if case .screen(let screen) = kind { screen } else { nil } }

  /// Returns the event, with changed touches if it has any; nil if none is left.
  package func withTouches(_ change: (TouchPhase, [Touch]) -> [Touch]) -> GestureEvent? {
    guard case .touches(let phase, let touches) = kind else { return self }
    let changed = change(phase, touches)
    return changed.isEmpty ? nil : GestureEvent(time: time, kind: .touches(phase, changed))
  }

  /// Returns the event with each touch changed; nil if it has no touch left.
  package func changingTouches(
    _ change: (TouchPhase, inout Touch) -> Void
  ) -> GestureEvent? {
    withTouches { phase, touches in
      touches.map { touch in
        var touch = touch
        change(phase, &touch)
        return touch
      }
    }
  }

  package func follow(_ down: inout [Int: ViewPoint]) {
    switch kind {
    case .touches(let phase, let touches):
      for touch in touches {
        down[touch.id] = phase == .began || phase == .moved ? touch.point : nil
      }
    case .cancelAll: down = [:]
    case .device, .interface, .screen, .close, .wheel: break
    }
  }
}

extension GestureEvent.Kind {
  var inWords: String {
    switch self {
    case .touches(let phase, let touches): touches.inWords(phase)
    case .device(let device): "the device is \(device)"
    case .interface(let interface): "the interface is \(interface)"
    case .screen(let screen): "the screen is \(screen.inWords)"
    case .cancelAll: "everything is cancelled"
    case .close: "close"
    case .wheel(let at, let by): "the wheel scrolls by \(by.inWords) at \(at.inWords)"
    }
  }
}

extension [Touch] {
  func inWords(_ phase: TouchPhase) -> String {
    map {
      "\($0.isMouse ? "mouse" : "finger") \($0.id) \(phase.rawValue) at \($0.point.inWords)"
        + ($0.force == 0 ? "" : " force \($0.force.inWords)")
    }.joined(separator: ", ")
  }
}

extension Sequence<GestureEvent> {
  /// Returns the points of the fingers that are down after the events, by their numbers.
  package func fingers() -> [Int: ViewPoint] {
    var down: [Int: ViewPoint] = [:]
    for event in self { event.follow(&down) }
    return down
  }
}

extension [Int: ViewPoint] {
  /// Returns the fingers as touches without force, ordered by their numbers.
  func touches() -> [Touch] {
    sorted { $0.key < $1.key }.map { Touch(id: $0.key, point: $0.value) }
  }
}

extension [GestureEvent] {
  /// Returns the touches that are down after the events, as last reported.
  func touchesDown() -> [Touch] {
    fingers().keys.sorted().compactMap { id in
      lazy.flatMap(\.touches).last { $0.id == id }
    }
  }

  func mappingTouches(_ change: (inout Touch) -> Void) -> [GestureEvent] {
    compactMap { $0.changingTouches { change(&$1) } }
  }

  /// The events with a pen in place of finger 0.
  var withPen: [GestureEvent] { mappingTouches { $0.isPen = $0.id == 0 } }

  var lastScreen: Screen? { lazy.compactMap(\.screen).last }
}

/// An input of a law that can be played as a gesture, to show a breach.
protocol PlayedInput {
  /// The gesture; throws if the input has numbers that are invalid for a screen or picture; laws try such inputs, too.
  var played: GestureCase { get throws(GeometryError) }

  /// Whether the gesture has all parts of the input; if not, playing it need not show the breach.
  var isPlayedExactly: Bool { get }

  var inWords: String { get }
}

extension PlayedInput {
  var isPlayedExactly: Bool { true }
  var inWords: String { (try? played)?.description ?? "\(self)" }
}

extension GestureCase: PlayedInput {
  var played: GestureCase { self }
}

extension PeekInput: PlayedInput {
  /// Whether a live peek has this side and this letterbox policy: its side is the viewport's shorter one, and it clamps
  /// a finger that moves beside the picture; the corrected one refuses a finger that comes down there.
  var isPlayedExactly: Bool {
    let shorter = min(viewport.width, viewport.height)
    return letterbox == .clamp && (side ?? shorter) == shorter
  }

  /// A finger that comes down at the touched point and presses until the peek opens.
  var played: GestureCase {
    get throws(GeometryError) {
      try GestureCase(
        [
          GestureAction(.press(at: touch, forces: [0.5, 0.5, 0.5, 2])),
          GestureAction(after: 0.25, .touch(finger: 0, at: touch, force: 2)),
        ], on: Screen(size: viewport, scale: scale),
        PixelSize(width: pictureWidth, height: pictureHeight))
    }
  }
}

extension DoubleTapInput: PlayedInput {
  /// Live scroll views have the published factors, and pictures of whole pixels.
  var isPlayedExactly: Bool {
    scene
      == DoubleTapScene(
        image: ViewSize(
          width: Double(wholePixels(scene.image.width)),
          height: Double(wholePixels(scene.image.height))), bounds: scene.bounds)
  }

  /// A double tap at the point where the fitted picture shows the tapped image point.
  var played: GestureCase {
    get throws(GeometryError) {
      let scale = scene.fitScale
      let point = ViewPoint(
        x: (scene.bounds.width - scale * scene.image.width) / 2 + scale * place.x,
        y: (scene.bounds.height - scale * scene.image.height) / 2 + scale * place.y)
      return try GestureCase(
        [GestureAction(.doubleTap(at: point, then: point, gap: GestureWriter.sampling))],
        on: Screen(size: scene.bounds),
        PixelSize(
          width: wholePixels(scene.image.width), height: wholePixels(scene.image.height)))
    }
  }

  private func wholePixels(_ length: Double) -> Int {
    length.isFinite ? Int(length.rounded().clamped(to: 0...1e9)) : 0
  }
}

extension [GestureEvent.Kind]: PlayedInput {
  /// The inputs at intervals of a sixtieth of a second, over a photograph.
  var played: GestureCase {
    get throws(GeometryError) {
      let events = enumerated().map { number, input in
        GestureEvent(time: Double(number + 1) * GestureWriter.sampling, kind: input)
      }
      let screen = try Screen(size: ViewSize(width: 375, height: 667))
      return GestureCase(
        script: try GestureScript(screen: screen, events: events),
        picture: try PixelSize(width: 1600, height: 1200))
    }
  }
}

extension GestureCase {
  init(
    _ actions: [GestureAction], on screen: Screen, _ picture: PixelSize
  ) throws(GeometryError) {
    script = try GestureScript(screen: screen, events: GestureWriter.events(of: actions))
    self.picture = picture
  }
}
