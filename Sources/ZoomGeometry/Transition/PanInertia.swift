/// The end of a pan: the target of the picture's centre, the duration and the spring.
///
///     destination    = centre + 0.15 velocity
///     acceptable     = the rectangle of size max(0, box - viewport) in the viewport's middle: a
///                      larger picture whose centre is there leaves no gap, a smaller one is centred
///     target         = the acceptable point nearest to the destination, D away from it
///     durationIfSlow = min(0.3, 0.1 + 0.001 D) seconds, published below 200 pt/s
///     durationIfFast = min(0.0004 |v|, 0.8) seconds, published from 200 pt/s on
///     damping        = 1 - 0.2 (0.1 D) / (0.1 D + 1)
///
/// Nothing is validated: NaN goes in and comes out.
package struct PanInertia: Sendable {
  /// The position at which the centre rests, in points of the viewport.
  package let target: ViewPoint
  /// The distance from the destination to the target, in points.
  let overshoot: Double
  let speed: Double

  /// Creates the end of a pan of a picture with an upright box, in points and points per second.
  ///
  /// The corrected form passes the picture's geometric centre. The published form passes its
  /// anchor, and so moves a picture that is already acceptable (TI-B7).
  package init(centre: ViewPoint, velocity: ViewPoint, box: ViewSize, viewport: ViewSize) {
    let destination = ViewPoint(x: centre.x + 0.15 * velocity.x, y: centre.y + 0.15 * velocity.y)
    let acceptable = viewport.atOrigin.centred(
      max(0, box.width - viewport.width), max(0, box.height - viewport.height))
    target = ViewPoint(
      x: destination.x.clampedAsPublished(acceptable.x, acceptable.maxX),
      y: destination.y.clampedAsPublished(acceptable.y, acceptable.maxY))
    overshoot = destination.distance(to: target)
    speed = velocity.length
  }

  /// Whether the picture was thrown: at 200 pt/s or more.
  var isThrown: Bool { speed >= 200 }

  private var durationIfSlow: Double { min(0.3, 0.1 + 0.001 * overshoot) }
  private var durationIfFast: Double { min(0.0004 * speed, 0.8) }

  /// The corrected duration in seconds: the larger of the two, so it does not jump.
  ///
  /// Below 200 pt/s it equals the published one.
  package var duration: Double { max(durationIfSlow, durationIfFast) }

  /// The published duration in seconds, which jumps at 200 pt/s (TI-B13).
  package var publishedDuration: Double { isThrown ? durationIfFast : durationIfSlow }

  /// The damping ratio of the spring: above 0.8, at most 1.
  package var damping: Double {
    // The quotient is NaN for an infinite overshoot, and rounds to 1 for a huge one.
    let swing = 0.1 * min(overshoot, 1e9)
    return 1 - 0.2 * swing / (swing + 1)
  }

  /// Returns the curve of the movement: a spring if the picture was thrown, otherwise easing.
  func curve(for duration: Double) -> TimingCurve {
    // The published velocity is 1 distance per second, which is `duration` distances per duration.
    isThrown ? .spring(dampingRatio: damping, velocity: duration) : .easeInEaseOut
  }
}
