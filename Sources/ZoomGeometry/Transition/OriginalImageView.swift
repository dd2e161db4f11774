internal import RealModule

/// The image view at full screen as quri/Titanium published it, defects included.
///
/// It keeps what UIKit keeps: a layer with position, anchor and transform, and beside it the angle
/// that was last turned to. Each method is one of the published gesture handlers and leaves the
/// values that the layer is animated to; ``TransitionFit``, ``TransitionPinch`` and ``PanInertia``
/// have the corrections. Nothing is validated: NaN goes in and comes out.
public struct OriginalImageView: Sendable, Hashable {
  /// How the view stands in the viewport.
  public var layer: ViewLayer

  /// The angle of the last turn that was completed: clockwise, in radians.
  public private(set) var angle = 0.0

  /// The angle that the turn under way leads to; nil when none is.
  public private(set) var pendingAngle: Double?

  /// The size of the screen in points.
  public var viewport: ViewSize

  /// Creates a view that stands in a frame.
  public init(frame: ViewRect, viewport: ViewSize) {
    layer = ViewLayer(frame: frame)
    self.viewport = viewport
  }

  /// The scale as it is read from the transform.
  public var scale: Double {
    (layer.transform.a * layer.transform.a + layer.transform.c * layer.transform.c).squareRoot()
  }

  /// Moves the view by a translation of the fingers, in points.
  public mutating func pan(by translation: ViewPoint) {
    layer.position.x += translation.x
    layer.position.y += translation.y
  }

  /// Ends a pan: sends the position, which is the anchor's, to where a centre may rest, and the
  /// anchor back to the middle.
  ///
  /// After a pinch away from the middle, the content moves though nothing was to be moved (TI-B7).
  public mutating func endPan(velocity: ViewPoint) -> OriginalPanInertia {
    let inertia = OriginalPanInertia(
      centre: layer.position, velocity: velocity, box: layer.frame.size, viewport: viewport)
    layer.anchor = ViewPoint(x: 0.5, y: 0.5)
    layer.position = inertia.target
    return inertia
  }

  /// Begins a pinch: brings anchor and position under the fingers, which moves nothing.
  ///
  /// The anchor of a view without an extent is 0 / 0 (TI-B14).
  public mutating func beginPinch(at centre: ViewPoint) {
    let own = layer.toParent.inverted()?.apply(to: centre) ?? ViewPoint(x: .nan, y: .nan)
    layer.anchor = ViewPoint(x: own.x / layer.size.width, y: own.y / layer.size.height)
    layer.position = centre
  }

  /// Scales by the factor since the event before.
  ///
  /// Its root is taken if the view is below 1 already: two events are not their product (TI-B6).
  public mutating func pinch(by factor: Double) {
    let applied = scale < 1 ? factor.squareRoot() : factor
    layer.transform = Affine.scale(applied).then(layer.transform)
  }

  /// Ends a pinch: brings a scale below 1 to 1 and one above 3 to 3.
  ///
  /// A pinch that is cancelled is left as it is (TI-B12).
  public mutating func endPinch() {
    if scale < 1 {
      layer.transform = .rotation(angle)
    } else if scale > PinchBand.publishedMaximum {
      layer.transform = Affine.scale(PinchBand.publishedMaximum).then(.rotation(angle))
    }
  }

  /// Takes a single tap; returns whether it dismisses, which it does at a scale of exactly 1
  /// (TI-B11).
  ///
  /// Otherwise the transform becomes the identity, while the angle stays (TI-B8).
  public mutating func singleTap() -> Bool {
    guard scale != 1 else { return true }
    layer.anchor = ViewPoint(x: 0.5, y: 0.5)
    layer.position = viewport.atOrigin.centre
    layer.transform = .identity
    return false
  }

  /// Takes a double tap; returns whether it zooms, which it does about the anchor and only from the
  /// identity: not out again, and in no landscape (TI-B9).
  public mutating func doubleTap() -> Bool {
    guard layer.transform == .identity else { return false }
    layer.transform = .scale(PinchBand.publishedMaximum)
    return true
  }

  /// Begins a turn: from the angle of the last one that was completed, not of the last one begun
  /// (TI-B10).
  public mutating func turn(to device: DeviceOrientation) {
    let new =
      switch device {
      case .landscapeLeft: Double.pi / 2
      case .landscapeRight: -Double.pi / 2
      case .faceUp, .faceDown: angle
      case .portrait, .portraitUpsideDown, .unknown: 0.0
      }
    layer.transform = Affine.rotation(new - angle).then(layer.transform)
    pendingAngle = new
  }

  /// Completes the turn under way, 0.3 s after it began.
  public mutating func completeTurn() {
    angle = pendingAngle ?? angle
    pendingAngle = nil
  }
}

extension ViewLayer: Movable {
  /// The layer a share of the way to another: scale and angle each by itself, as Core Animation
  /// takes a transform apart.
  func moved(towards end: ViewLayer, by share: Double) -> ViewLayer {
    guard share != 1 else { return end }
    let (from, to) = (transform, end.transform)
    let turn = (to.angle - from.angle).remainder(dividingBy: 2 * .pi)
    var moved = end
    moved.position = position.moved(towards: end.position, by: share)
    moved.anchor = anchor.moved(towards: end.anchor, by: share)
    moved.transform = Affine.scale(from.factor.moved(towards: to.factor, by: share))
      .then(.rotation(from.angle + share * turn))
      .then(
        .translation(
          x: from.tx.moved(towards: to.tx, by: share), y: from.ty.moved(towards: to.ty, by: share)))
    return moved
  }
}

extension Affine {
  fileprivate var factor: Double { (a * a + b * b).squareRoot() }
  fileprivate var angle: Double { Double.atan2(y: b, x: a) }
}
