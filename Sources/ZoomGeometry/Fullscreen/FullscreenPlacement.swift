/// The placement of the view on the screen, as the numbers that are animated.
///
/// The turn is an angle: interpolated matrices would shrink the view to a point in a half turn.
struct FullscreenPlacement: Movable {
  /// The view's middle, in points of the viewport.
  var centre: ViewPoint
  /// The view's size before the turn.
  var size: ViewSize
  /// The view's turn, in quarter turns clockwise.
  var quarters: Double
  /// The covered rectangle at rest, stored so that a given frame is returned to the last bit.
  var covered: ViewRect

  init(_ layer: ViewLayer, _ turn: QuarterTurn) {
    (centre, size) = (layer.position, layer.size)
    quarters = turn.quarters
    let turned = size.turned(by: turn)
    covered = ViewRect(
      x: centre.x - turned.width / 2, y: centre.y - turned.height / 2,
      width: turned.width, height: turned.height)
  }

  init(frame: ViewRect) {
    self.init(ViewLayer(frame: frame), .none)
    covered = frame
  }

  /// The view as Core Animation places it; exact for a whole number of quarter turns.
  var layer: ViewLayer {
    var layer = ViewLayer(frame: size.atOrigin)
    layer.position = centre
    if quarters == quarters.rounded(), let turn = QuarterTurn(rawValue: Int(quarters) & 3) {
      layer.transform = .turn(turn)
    } else {
      layer.transform = .rotation(quarters * .pi / 2)
    }
    return layer
  }

  /// Returns this placement with its angle changed by whole turns, so that interpolation to `end`
  /// goes the way of `QuarterTurn.sweep(from:to:)`.
  func unwound(towards end: FullscreenPlacement) -> FullscreenPlacement {
    var start = self
    start.quarters = end.quarters - QuarterTurn.sweep(from: quarters, to: end.quarters)
    return start
  }

  func moved(towards end: FullscreenPlacement, by share: Double) -> FullscreenPlacement {
    var placement = self
    placement.centre = centre.moved(towards: end.centre, by: share)
    placement.size = ViewSize(
      width: size.width.moved(towards: end.size.width, by: share),
      height: size.height.moved(towards: end.size.height, by: share))
    placement.quarters = quarters.moved(towards: end.quarters, by: share)
    placement.covered = covered.moved(towards: end.covered, by: share)
    return placement
  }
}

extension QuarterTurn {
  /// The turn as an angle in quarter turns clockwise, -1 to 2: exact, unlike radians.
  var quarters: Double { self == .counterclockwise ? -1 : Double(rawValue) }

  /// Returns the angle by which an animation turns, in quarter turns clockwise.
  ///
  /// It is the shorter way, from -2 to 2, for angles up to 6 apart. The two ways of a half turn are
  /// equally long. Interpolating matrices would turn neither way and shrink everything to a point
  /// (ZV-B10). A difference of exactly 2 or -2 is kept, so that landscape to landscape passes
  /// upright, upright to upside down goes clockwise, and turning back reverses the turn.
  static func sweep(from start: Double, to end: Double) -> Double {
    let way = end - start
    if way > 2 { return way - 4 }
    if way < -2 { return way + 4 }
    return way
  }
}
