/// Where the full frame stands on the screen: its centre, its scale, its turn.
///
/// The centre is the geometric one. The published form keeps the place of an anchor that a pinch
/// has moved, and clamps that (TI-B7).
public struct TransitionPose: Sendable, Hashable {
  /// The middle of the picture, in points of the viewport.
  public var centre: ViewPoint

  /// Points of the viewport for a point of the full frame; above zero.
  public var scale: Double

  /// The turn in which it rests, or to which it is on its way.
  public var turn: QuarterTurn

  /// By how much it is still turned further than `turn`, clockwise in radians; 0 at rest.
  public var lag: Double

  /// Creates a pose.
  public init(centre: ViewPoint, scale: Double, turn: QuarterTurn = .none, lag: Double = 0) {
    self.centre = centre
    self.scale = scale
    self.turn = turn
    self.lag = lag
  }

  /// What is done to the frame about its centre.
  ///
  /// It is exact for a pose at rest: there are no sines and cosines in it.
  public var linear: Affine {
    let turned = Affine.scale(scale).then(.turn(turn))
    return lag == 0 ? turned : turned.then(.rotation(lag))
  }

  /// Returns the map to the viewport from the own space of a frame of a size.
  public func transform(of size: ViewSize) -> Affine {
    Affine.translation(x: -size.width / 2, y: -size.height / 2).then(linear)
      .then(.translation(x: centre.x, y: centre.y))
  }

  /// What is shown at a place of the viewport: from the middle, in points of the full frame.
  func content(at point: ViewPoint) -> ViewPoint {
    let back = Affine.scale(1 / scale).then(.turn(turn.inverse))
    let straight = lag == 0 ? back : back.then(.rotation(-lag))
    return straight.apply(to: ViewPoint(x: point.x - centre.x, y: point.y - centre.y))
  }

  /// Moves the picture so that something of it is shown at a place of the viewport.
  mutating func show(_ content: ViewPoint, at point: ViewPoint) {
    let arm = linear.apply(to: content)
    centre = ViewPoint(x: point.x - arm.x, y: point.y - arm.y)
  }

  /// Returns the pose at another scale with the same content at a place of the viewport.
  func scaled(to scale: Double, about point: ViewPoint) -> TransitionPose {
    var scaled = self
    scaled.scale = scale
    scaled.show(content(at: point), at: point)
    return scaled
  }
}

extension TransitionPose: Movable {
  /// The pose a share of the way to another; the turn is the other's at once, for the lag to it
  /// takes a way of its own.
  func moved(towards end: TransitionPose, by share: Double) -> TransitionPose {
    var pose = end
    pose.centre = centre.moved(towards: end.centre, by: share)
    // A spring passes its end. From a thumbnail many times as large as the screen that would lead
    // below zero, and mirror the picture.
    let least = min(scale, end.scale) / 2
    pose.scale = max(scale.moved(towards: end.scale, by: share), least)
    return pose
  }
}
