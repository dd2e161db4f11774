import PropertyTesting
import Testing

@testable import ZoomGeometry

/// An event of one finger.
func finger(
  _ time: Double, _ phase: TouchPhase, _ x: Double, _ y: Double, id: Int = 1
) -> GestureEvent {
  GestureEvent(time: time, kind: .touches(phase, [Touch(id: id, point: ViewPoint(x, y))]))
}

/// A tap that takes a twentieth of a second.
func tap(_ time: Double, _ x: Double, _ y: Double) -> [GestureEvent] {
  [finger(time, .began, x, y), finger(time + 0.05, .ended, x, y)]
}

/// Two taps; the second comes up a fifth of a second after the time.
func twoTaps(_ time: Double, _ x: Double, _ y: Double) -> [GestureEvent] {
  tap(time, x, y) + tap(time + 0.15, x, y)
}

/// The screen turns on its side, or becomes another.
func resize(_ time: Double, _ width: Double, _ height: Double) throws -> GestureEvent {
  let size = ViewSize(width, height)
  return GestureEvent(time: time, kind: .screen(try Screen(size: size)))
}

/// Plays events to the end, on the phone's screen if no other is given.
func play(
  _ system: ZoomSystem, _ events: [GestureEvent], picture: PixelSize = forest,
  form: ZoomForm = .corrected, screen: ViewSize = phone, scale: Double = 1,
  insets: ViewInsets = .none, maximumForce: Double = GestureScript.usualMaximumForce,
  press: PressKind? = nil, device: DeviceOrientation = .portrait,
  interface: InterfaceOrientation = .portrait, stage: Stage = Stage()
) throws -> [ZoomState] {
  let script = try GestureScript(
    screen: Screen(size: screen, scale: scale, insets: insets), maximumForce: maximumForce,
    press: press, device: device, interface: interface, stage: stage, events: events)
  var player = try GesturePlayer(script, system: system, picture: picture, form: form)
  var states: [ZoomState] = []
  while let state = try player.next() { states.append(state) }
  return states
}

/// A system that is played event by event.
func live(
  _ system: ZoomSystem, _ form: ZoomForm = .corrected, picture: PixelSize = forest,
  screen: Screen? = nil, press: PressSource = .force(.usual)
) throws -> LiveZoom {
  let scene = ZoomScene(screen: try screen ?? Screen(size: phone), press: press)
  return try LiveZoom(system, picture: picture, scene: scene, form: form)
}

/// A gesture script, written down event by event.
struct Play {
  let system: ZoomSystem
  var size = phone
  var scale = 1.0
  var device = DeviceOrientation.portrait
  var interface = InterfaceOrientation.portrait
  var stage = Stage()
  var events: [GestureEvent] = []
  /// The time of the next event, in seconds.
  var now = 0.0
  private var fingers: [Int: ViewPoint] = [:]

  /// For the full-screen system: of sixty frames a second a zoom lasts 12, a rotation 15.
  static func fullscreen(
    size: ViewSize = phone, device: DeviceOrientation = .portrait,
    interface: InterfaceOrientation = .portrait,
    stage: Stage = Stage(view: ViewRect(20, 30, 100, 50))
  ) -> Play {
    Play(system: .fullscreen, size: size, device: device, interface: interface, stage: stage)
  }

  /// The same after a tap on the usual view, which goes to full screen.
  var opened: Play {
    var play = self
    play.tap(70, 55, at: 0)
    return play
  }

  /// For the transition.
  static var transition: Play { Play(system: .transition, scale: 2) }

  /// A script that taps the usual thumbnail and waits until the picture fills the screen.
  static var presented: Play {
    var play = transition
    play.tap(70, 100)
    play.now = 1
    return play
  }

  mutating func event(_ kind: GestureEvent.Kind, at time: Double) {
    events.append(GestureEvent(time: time, kind: kind))
  }

  mutating func add(_ kind: GestureEvent.Kind) { event(kind, at: now) }

  /// A finger that comes down and up at once.
  mutating func tap(_ x: Double, _ y: Double, at time: Double) {
    events += [finger(time, .began, x, y), finger(time, .ended, x, y)]
  }

  /// A finger that comes down and up in a twentieth of a second.
  mutating func tap(_ x: Double, _ y: Double) {
    events += ZoomGeometryTests.tap(now, x, y)
    now += 0.05
  }

  mutating func doubleTap(_ x: Double, _ y: Double) {
    tap(x, y)
    now += 0.1
    tap(x, y)
  }

  /// Puts fingers down.
  mutating func press(_ points: (Double, Double)...) {
    touch(.began, points.enumerated().map { ($0.offset, $0.element) })
  }

  /// Moves the fingers in steps of a 60th of a second.
  mutating func drag(to points: (Double, Double)..., steps: Int = 10) {
    let starts = fingers
    for step in 1...steps {
      let share = Double(step) / Double(steps)
      now += 1.0 / 60
      touch(
        .moved,
        points.enumerated().map { index, end in
          let start = starts[index] ?? ViewPoint(0, 0)
          return (index, (start.x + share * (end.0 - start.x), start.y + share * (end.1 - start.y)))
        })
    }
  }

  /// Ends the touches, where the fingers are.
  mutating func lift(_ phase: TouchPhase = .ended) {
    touch(phase, fingers.sorted { $0.key < $1.key }.map { ($0.key, ($0.value.x, $0.value.y)) })
    fingers = [:]
  }

  private mutating func touch(_ phase: TouchPhase, _ points: [(Int, (Double, Double))]) {
    let touches = points.map { id, place in
      Touch(id: id, point: ViewPoint(place.0, place.1))
    }
    for touch in touches { fingers[touch.id] = touch.point }
    add(.touches(phase, touches))
  }

  /// Everything that is shown.
  func states(
    _ form: ZoomForm = .corrected, _ picture: SamplePicture = .forest, stage: Stage? = nil
  ) throws -> [ZoomState] {
    try play(
      system, events, picture: picture.size(), form: form, screen: size, scale: scale,
      device: device, interface: interface, stage: stage ?? self.stage)
  }
}

extension [ZoomState] {
  /// What happened, in order.
  var happened: [ZoomEvent] { flatMap(\.events) }

  /// The last state not after a time.
  func shown(at time: Double) throws -> ZoomState { try #require(last { $0.time <= time + 1e-9 }) }

  /// Where the picture is seen at the end.
  var lastBox: ViewRect? { last?.box }
}

extension Layer {
  /// The layer, if it is an area.
  var fill: FillLayer? { if case .fill(let layer) = self { layer } else { nil } }
}

extension ZoomState {
  /// Where the picture is seen: its box on the screen, mask taken into account.
  var box: ViewRect? { picture.map { $0.transform.boundingBox(of: $0.seen) } }

  /// What the picture covers, mask or not.
  func pictureFrame() throws -> ViewRect {
    let layer = try #require(picture)
    return layer.transform.boundingBox(of: layer.size.atOrigin)
  }
}

/// Gestures of one and two fingers drawn from a seed, written down event by event.
struct RandomGestures {
  private(set) var events: [GestureEvent] = []
  private(set) var now: Double
  private var random: SplitMix64
  private let screen: ViewSize

  /// Begins to write.
  ///
  /// - Parameters:
  ///   - seed: Says which gestures they are.
  ///   - screen: Where the fingers are.
  ///   - start: The time of the first event, in seconds.
  init(seed: UInt64, screen: ViewSize, start: Double) {
    random = SplitMix64(seed: seed)
    self.screen = screen
    now = start
  }

  /// A touch and its end, in a place that may be given.
  mutating func tap(at place: ViewPoint? = nil) {
    let place = place ?? point()
    add(.began, [place])
    now += 0.05
    add(.ended, [place])
  }

  mutating func doubleTap() {
    let place = point()
    tap(at: place)
    now += 0.1
    tap(at: place)
  }

  /// A drag of one or two fingers with changing force; of two, the second comes and goes apart.
  mutating func drag(fingers count: Int, cancelled: Bool = false) {
    var places = [point()]
    add(.began, places)
    for step in 0..<24 {
      now += 1.0 / 60
      let force = 6.5 * random.nextUnit()
      if step == 4, count == 2 {
        let second = point()
        add(.began, [second], from: 1)
        places.append(second)
      }
      places = places.map { place in
        ViewPoint(place.x + random.number(-12, 14), place.y + random.number(-15, 11))
      }
      add(.moved, places, force: force)
    }
    now += 0.01
    if cancelled { return add(.cancelled, places) }
    if count == 2 {
      add(.ended, [places[1]], from: 1)
      now += 0.02
      add(.moved, [places[0]])
    }
    add(.ended, [places[0]])
  }

  /// Some gestures of every kind, with time between them for animations to end or not.
  mutating func gestures(_ count: Int) {
    for _ in 0..<count {
      switch random.next() % 6 {
      case 0: tap()
      case 1: doubleTap()
      case 2: drag(fingers: 2)
      case 3: drag(fingers: 1, cancelled: true)
      case 4: drag(fingers: 2, cancelled: true)
      default: drag(fingers: 1)
      }
      now += random.pick([0.1, 0.5, 1.5])
    }
  }

  /// Lets time go by.
  mutating func wait(_ seconds: Double) { now += seconds }

  mutating func add(_ kind: GestureEvent.Kind) {
    events.append(GestureEvent(time: now, kind: kind))
  }

  private mutating func add(
    _ phase: TouchPhase, _ points: [ViewPoint], from first: Int = 0, force: Double = 0
  ) {
    add(
      .touches(
        phase,
        points.enumerated().map { index, point in
          Touch(id: first + index, point: point, force: force)
        }))
  }

  private mutating func point() -> ViewPoint {
    ViewPoint(random.number(0.1, 0.9) * screen.width, random.number(0.1, 0.9) * screen.height)
  }
}

// Everything with x and y exchanged: mirrored on the diagonal through the screen's corner.

extension ViewPoint {
  var transposed: ViewPoint { ViewPoint(y, x) }
}

extension ViewSize {
  var transposed: ViewSize { ViewSize(height, width) }
}

extension ViewRect {
  var transposed: ViewRect { ViewRect(y, x, height, width) }
}

extension Affine {
  /// The map between the mirrored places.
  var transposed: Affine { Affine(a: d, b: c, c: b, d: a, tx: ty, ty: tx) }
}

extension GestureEvent {
  /// Touches and screens with x and y exchanged; the rest as it is.
  func transposed() throws -> GestureEvent {
    var event = self
    switch kind {
    case .touches(let phase, let touches):
      event.kind = .touches(
        phase,
        touches.map { Touch(id: $0.id, point: $0.point.transposed, force: $0.force) })
    case .screen(let screen):
      event.kind = .screen(try Screen(size: screen.size.transposed, scale: screen.scale))
    case .device, .interface, .cancelAll, .close: break
    }
    return event
  }
}

extension Layer {
  /// The numbers of a layer, or of the layer with x and y exchanged, to be compared but for rounding.
  func numbers(transposed: Bool) -> [Double] {
    func numbers(_ point: ViewPoint) -> [Double] {
      transposed ? [point.y, point.x] : [point.x, point.y]
    }
    func numbers(_ rect: ViewRect) -> [Double] {
      let rect = transposed ? rect.transposed : rect
      return [rect.x, rect.y, rect.width, rect.height]
    }
    func numbers(_ map: Affine) -> [Double] {
      let map = transposed ? map.transposed : map
      return [map.a, map.b, map.c, map.d, map.tx, map.ty]
    }
    func numbers(_ shadow: Shadow?) -> [Double] {
      shadow.map { numbers($0.offset) + [$0.radius, $0.opacity] } ?? [-1]
    }
    switch self {
    case .picture(let layer):
      let content = layer.content
      return [0] + numbers(ViewRect(content.x, content.y, content.width, content.height))
        + numbers(layer.size.atOrigin) + numbers(layer.transform)
        + (layer.mask.map { numbers($0) } ?? [-1]) + numbers(layer.shadow)
        + [layer.cornerRadius, layer.opacity]
    case .fill(let layer):
      return [1] + numbers(layer.rect) + numbers(layer.transform) + numbers(layer.shadow)
        + [layer.shade, layer.opacity, layer.cornerRadius]
    case .outline(let layer):
      return [2] + numbers(layer.rect) + numbers(layer.shadow) + [layer.width, layer.shade]
    }
  }
}
