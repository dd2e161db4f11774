import PropertyTesting
import Testing
import ZoomLaws

@testable import ZoomGeometry

/// Returns an event of one finger.
func finger(
  _ time: Double, _ phase: TouchPhase, _ x: Double, _ y: Double, id: Int = 1
) -> GestureEvent {
  GestureEvent(time: time, kind: .touches(phase, [Touch(id: id, point: ViewPoint(x, y))]))
}

/// Returns a tap of a twentieth of a second.
func tap(_ time: Double, _ x: Double, _ y: Double) -> [GestureEvent] {
  [finger(time, .began, x, y), finger(time + 0.05, .ended, x, y)]
}

/// Returns a change to another screen.
func resize(_ time: Double, _ width: Double, _ height: Double) throws -> GestureEvent {
  let size = ViewSize(width, height)
  return GestureEvent(time: time, kind: .screen(try Screen(size: size)))
}

/// Returns the states of a system that plays events to the end.
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

/// Creates a system that takes events one by one.
func live(
  _ system: ZoomSystem, _ form: ZoomForm = .corrected, picture: PixelSize = forest,
  screen: Screen? = nil, press: PressSource = .force(.usual)
) throws -> LiveZoom {
  let scene = ZoomScene(screen: try screen ?? Screen(size: phone), press: press)
  return try LiveZoom(system, picture: picture, scene: scene, form: form)
}

extension Layer {
  /// The layer, if it is an area.
  var fill: FillLayer? { if case .fill(let layer) = self { layer } else { nil } }
}

/// Random gestures of one and two fingers.
struct RandomGestures {
  private var writer: GestureWriter
  private var random: SplitMix64
  private let screen: ViewSize

  init(seed: UInt64, screen: ViewSize, start: Double) {
    writer = GestureWriter(at: start)
    random = SplitMix64(seed: seed)
    self.screen = screen
  }

  var events: [GestureEvent] { writer.events }

  mutating func tap(at place: ViewPoint? = nil) {
    writer.write(GestureAction(.tap(at: place ?? point(), held: 0.05)))
  }

  /// A drag of one or two fingers with changing force; the second comes later and leaves first.
  mutating func drag(fingers count: Int, cancelled: Bool = false) {
    var places = [point()]
    writer.touch([Touch(id: 0, point: places[0])])
    for step in 0..<24 {
      wait(1.0 / 60)
      if step == 4, count == 2 { places.append(point()) }
      let force = 6.5 * random.nextUnit()
      places = places.map {
        ViewPoint($0.x + random.number(-12, 14), $0.y + random.number(-15, 11))
      }
      writer.touch(
        places.enumerated().map { Touch(id: $0.offset, point: $0.element, force: force) })
    }
    wait(0.01)
    if cancelled { return writer.lift([0, 1], .cancelled) }
    writer.lift([1], .ended)
    wait(0.02)
    writer.lift([0], .ended)
  }

  /// Some gestures of every kind, with pauses in which animations end or not.
  mutating func gestures(_ count: Int) {
    for _ in 0..<count {
      switch random.next() % 6 {
      case 0: tap()
      case 1:
        let place = point()
        writer.write(GestureAction(.doubleTap(at: place, then: place, gap: 0.1)))
      case 2: drag(fingers: 2)
      case 3: drag(fingers: 1, cancelled: true)
      case 4: drag(fingers: 2, cancelled: true)
      default: drag(fingers: 1)
      }
      wait(random.pick([0.1, 0.5, 1.5]))
    }
  }

  mutating func wait(_ seconds: Double) { writer.now += seconds }

  private mutating func point() -> ViewPoint {
    ViewPoint(random.number(0.1, 0.9) * screen.width, random.number(0.1, 0.9) * screen.height)
  }
}

// Mirroring on the diagonal through the screen's corner: x and y are exchanged.

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
  /// The map between the mirrored points.
  var transposed: Affine { Affine(a: d, b: c, c: b, d: a, tx: ty, ty: tx) }
}

extension GestureEvent {
  /// Returns the event with x and y of touches and screens exchanged.
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
  /// Returns the numbers of the layer, with x and y exchanged if `transposed`.
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
