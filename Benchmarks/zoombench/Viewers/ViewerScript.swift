internal import Measurement
internal import ZoomGeometry
internal import ZoomLaws

enum ViewerScript: String, CaseIterable {
  case open, drag, pinch, wheel, flick
  case doubleTap = "double-tap"
  case journey

  /// The seconds between deeds, in which viewers come to rest.
  private static let pause = 1.0
  /// The seconds after which each tile arrives; no usual viewer makes more requests.
  private static let (latency, mostRequests) = (0.04, 500)

  /// Returns the case of a round: the gesture at a place that depends on the round and the seed.
  func played(
    round: Int, seed: UInt64, ratio: Double, tiles: TileScheme, _ picture: PixelSize
  ) throws(GeometryError) -> ViewerCase {
    let screen = try Screen(size: ViewSize(width: 360, height: 480), scale: ratio)
    let point = StratifiedPoints(seed: seed).point(at: round)
    // The fingers' ways stay on the screen.
    let place = ViewPoint(
      x: screen.size.width * (0.35 + 0.3 * point.x), y: screen.size.height * (0.35 + 0.3 * point.y))
    let events = GestureWriter.events(of: actions(at: place, middle: screen.bounds.centre))
    let script = try GestureScript(name: rawValue, screen: screen, events: events)
    return ViewerCase(
      gesture: GestureCase(script: script, picture: picture), tiles: tiles,
      delivery: (0..<Self.mostRequests).map { Delivery(ordinal: $0, .delay(Self.latency)) })
  }

  private func actions(at place: ViewPoint, middle: ViewPoint) -> [GestureAction] {
    func action(_ deed: GestureAction.Deed) -> GestureAction {
      GestureAction(after: Self.pause, deed)
    }
    func pinch(_ middle: ViewPoint) -> GestureAction {
      let arm = ViewPoint(x: 0, y: 40)
      return action(
        .pinch(
          GestureAction.PinchPath(
            from: middle, to: middle, arm: arm, endArm: arm.scaled(by: 3), steps: 10)))
    }
    func drag(steps: Int, rest: Double) -> [GestureAction] {
      let end = place - ViewPoint(x: 90, y: 60)
      let pan = action(.pan(finger: 0, from: place, to: end, steps: steps))
      return [pinch(middle), pan, GestureAction(after: rest, .lift([0]))]
    }
    return switch self {
    case .open: []
    // A finger that rests before it is lifted throws nothing.
    case .drag: drag(steps: 15, rest: 0.3)
    case .flick: drag(steps: 5, rest: GestureWriter.sampling)
    case .pinch: [pinch(place)]
    case .wheel: [action(.wheel(at: place, steps: [-100, -100, -100, 100]))]
    case .doubleTap: [action(.doubleTap(at: place, then: place, gap: 0.1))]
    case .journey: Self.allCases.dropLast().flatMap { $0.actions(at: place, middle: middle) }
    }
  }
}
