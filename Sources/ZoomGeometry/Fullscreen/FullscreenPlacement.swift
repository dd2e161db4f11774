/// Where the view stands on the screen, as the numbers that an animation moves.
///
/// The turn is an angle and not a matrix, so that half-way through a half turn there is a view.
struct FullscreenPlacement: Movable {
  /// The view's middle, in points of the viewport.
  var centre: ViewPoint
  /// Its own size, before the turn.
  var size: ViewSize
  /// Its turn, in quarter turns clockwise.
  var quarters: Double
  /// What the view covers when it rests, kept so that a frame it was given is given back to the bit.
  var covered: ViewRect

  init(centre: ViewPoint, size: ViewSize, turn: QuarterTurn) {
    self.centre = centre
    self.size = size
    quarters = turn.quarters
    let turned = size.turned(by: turn)
    covered = ViewRect(
      x: centre.x - turned.width / 2, y: centre.y - turned.height / 2,
      width: turned.width, height: turned.height)
  }

  /// A layer, in a turn.
  init(_ layer: ViewLayer, _ turn: QuarterTurn) {
    self.init(centre: layer.position, size: layer.size, turn: turn)
  }

  /// A view without a turn.
  init(frame: ViewRect) {
    self.init(centre: frame.centre, size: frame.size, turn: .none)
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

  /// The same placement with its angle written so that a plain interpolation to `end` turns the
  /// way of `QuarterTurn.sweep(from:to:)`.
  func unwound(towards end: FullscreenPlacement) -> FullscreenPlacement {
    var start = self
    start.quarters = end.quarters - QuarterTurn.sweep(from: quarters, to: end.quarters)
    return start
  }

  /// The placement a share of the way from this one to another, each number by itself.
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
