/// The poses of a picture at full screen, for one screen and one turn: fitted and at rest.
///
/// Earlier turns have no effect on these poses (TI-B8, TI-B10).
struct TransitionFit: Sendable {
  /// The largest relative difference at which a scale counts as fitted.
  ///
  /// The published form compares for equality, which a pinch out and back misses (TI-B11).
  static let tolerance = 0.001
  let turn: QuarterTurn
  /// The size of the full frame, unscaled and unrotated, in points.
  let full: ViewSize
  /// The scale of the full frame at which the turned picture fits the screen: 1 without a quarter turn.
  let scale: Double
  /// The scales of a pinch, relative to the fit.
  let band: PinchBand
  private let screen: Screen
  private let picture: PixelSize

  /// Creates the fit.
  ///
  /// The largest scale at rest is the published 3 times the fit, or the scale that shows a picture
  /// pixel on each screen pixel if that is larger (TI-B15).
  init(picture: PixelSize, screen: Screen, turn: QuarterTurn = .none) {
    let upright = AspectFit(picture: picture, viewport: screen.size)
    let turned = AspectFit(picture: picture, viewport: screen.size.turned(by: turn))
    self.picture = picture
    self.screen = screen
    self.turn = turn
    full = upright.frame.size
    scale = turn.swapsAxes ? turned.scale / upright.scale : 1
    let pixelForPixel = 1 / (turned.scale * screen.scale)
    band = PinchBand(maximum: max(PinchBand.publishedMaximum, pixelForPixel))
  }

  var fitted: TransitionPose {
    aligned(TransitionPose(centre: screen.bounds.centre, scale: scale, turn: turn))
  }

  func isFitted(_ pose: TransitionPose) -> Bool { abs(pose.scale / scale - 1) <= Self.tolerance }

  /// Returns the size of the picture's upright box at a scale of the full frame, in points.
  func box(at scale: Double) -> ViewSize {
    ViewSize(width: full.width * scale, height: full.height * scale).turned(by: turn)
  }

  /// Returns the pose aligned to screen pixels if each picture pixel covers whole ones.
  private func aligned(_ pose: TransitionPose) -> TransitionPose {
    let box = box(at: pose.scale)
    let pixel = box.width / Double(picture.turned(by: turn).width)
    guard screen.showsWhole(pixelOf: pixel) else { return pose }
    // The near corner is rounded, and moved on by a pixel if a gap would open at the far edge.
    func middle(_ centre: Double, _ length: Double, _ viewport: Double) -> Double {
      let corner = screen.onPixel(centre - length / 2)
      let gap = viewport - (corner + length)
      // A gap below a ten-thousandth of a point is rounding.
      let isGap = length > viewport && gap > 0.0001
      return corner + (isGap ? 1 / screen.scale : 0) + length / 2
    }
    var aligned = pose
    aligned.centre = ViewPoint(
      x: middle(pose.centre.x, box.width, screen.size.width),
      y: middle(pose.centre.y, box.height, screen.size.height))
    return aligned
  }

  func settled(_ pose: TransitionPose, about point: ViewPoint) -> TransitionPose {
    thrown(pose, about: point, velocity: ViewPoint(x: 0, y: 0)).pose
  }

  /// Returns the pose in which a picture rests after its release with a velocity, and the movement.
  ///
  /// Its scale is clamped about `point`. Then its centre is moved so that the picture covers the
  /// screen on each axis on which it is longer and is centred on the other.
  func thrown(
    _ pose: TransitionPose, about point: ViewPoint, velocity: ViewPoint
  ) -> (pose: TransitionPose, inertia: PanInertia) {
    var settled = pose
    // A scale in bounds is kept to the last bit; quotient and product could be off by a rounding.
    if pose.scale < scale || pose.scale > scale * band.maximum {
      let zoom = (pose.scale / scale).clamped(to: 1...band.maximum)
      settled = pose.scaled(to: scale * zoom, about: point)
    }
    let inertia = PanInertia(
      centre: settled.centre, velocity: velocity, box: box(at: settled.scale), viewport: screen.size
    )
    settled.centre = inertia.target
    return (aligned(settled), inertia)
  }

  /// Returns the pose after a double tap.
  ///
  /// A picture at the fit is enlarged to three times the fit, with the tapped content under the
  /// finger as far as the picture's borders allow. From any other pose it returns to the fit.
  func doubleTapped(_ pose: TransitionPose, at point: ViewPoint) -> TransitionPose {
    guard isFitted(pose) else { return fitted }
    return settled(
      fitted.scaled(to: scale * PinchBand.publishedMaximum, about: point), about: point)
  }
}

/// The centre, scale and turn of the full frame on the screen.
///
/// The centre is the geometric one. The published form stores and clamps the position of an anchor
/// that a pinch has moved (TI-B7).
struct TransitionPose: Hashable {
  /// The middle of the picture, in points of the viewport.
  var centre: ViewPoint
  /// The number of viewport points per point of the full frame; above zero.
  var scale: Double
  /// The turn at rest or at the end of the current animation.
  var turn = QuarterTurn.none
  /// The rotation beyond `turn`, clockwise in radians; 0 at rest.
  var lag = 0.0

  /// The map of the frame about its centre; exact at rest, without sines and cosines.
  var linear: Affine {
    let turned = Affine.scale(scale).then(.turn(turn))
    return lag == 0 ? turned : turned.then(.rotation(lag))
  }

  /// Returns the map from a frame of a size to the viewport.
  func transform(of size: ViewSize) -> Affine {
    Affine.translation(x: -size.width / 2, y: -size.height / 2).then(linear)
      .then(.translation(x: centre.x, y: centre.y))
  }

  /// Returns the point of the full frame, relative to its middle, at a point of the viewport.
  func content(at point: ViewPoint) -> ViewPoint {
    let back = Affine.scale(1 / scale).then(.turn(turn.inverse))
    return (lag == 0 ? back : back.then(.rotation(-lag))).apply(to: point - centre)
  }

  /// Moves the picture so that a point of the full frame is shown at a point of the viewport.
  mutating func show(_ content: ViewPoint, at point: ViewPoint) {
    centre = point - linear.apply(to: content)
  }

  /// Returns the pose at another scale with the same content at a point of the viewport.
  func scaled(to scale: Double, about point: ViewPoint) -> TransitionPose {
    var scaled = self
    scaled.scale = scale
    scaled.show(content(at: point), at: point)
    return scaled
  }
}

extension TransitionPose: Movable {
  /// Returns the pose at a share of the way, with the end's turn; `lag` is animated separately.
  func moved(towards end: TransitionPose, by share: Double) -> TransitionPose {
    var pose = end
    pose.centre = centre.moved(towards: end.centre, by: share)
    // From a huge thumbnail a spring overshoots to a negative scale, which mirrors the picture.
    let least = min(scale, end.scale) / 2
    pose.scale = max(scale.moved(towards: end.scale, by: share), least)
    return pose
  }
}

/// The start of a pinch: the raw scale, and the content under the centre.
///
/// Each pose is computed from the beginning and the current fingers, so the path between has no effect (TI-P11).
struct TransitionPinch: Sendable {
  private let fit: TransitionFit
  private let raw: Double
  private let content: ViewPoint

  /// Creates a pinch that begins at the visible pose, about the midpoint of two fingers.
  init(_ pose: TransitionPose, fit: TransitionFit, centre: ViewPoint) {
    self.fit = fit
    raw = fit.band.raw(pose.scale / fit.scale)
    content = pose.content(at: centre)
  }

  /// Returns the pose that keeps the content under the fingers, for their midpoint and the ratio of
  /// their distance to the initial one.
  func pose(ratio: Double, centre: ViewPoint, lag: Double = 0) -> TransitionPose {
    var pose = TransitionPose(
      centre: centre, scale: fit.scale * fit.band.shown(raw * ratio), turn: fit.turn, lag: lag)
    pose.show(content, at: centre)
    return pose
  }
}

/// The range of a pinch's scale relative to the fit, with resistance beyond both ends.
///
/// The raw scale r of the fingers is shown as
///
///     f(r) = r                  for 1 <= r <= Z
///            sqrt(r)            below 1
///            Z sqrt(r / Z)      above Z
///
/// The published form takes the root of every event's factor, so its band depends on the sampling rate
/// (TI-B6), and it does not resist above Z. Raw scales are clamped to a millionth ... a million times Z.
package struct PinchBand: Sendable {
  /// The published largest scale.
  ///
  /// It is too small to show a picture of 4535x1823 pixels 1:1 on a phone of 750x1334 (TI-B15).
  package static let publishedMaximum = 3.0
  /// The largest scale at rest: Z, at least 1.
  let maximum: Double

  func shown(_ raw: Double) -> Double {
    let raw = clamped(raw)
    if raw < 1 { return raw.squareRoot() }
    return raw > maximum ? maximum * (raw / maximum).squareRoot() : raw
  }

  /// Returns the raw scale of a shown one: the inverse of `shown(_:)`.
  func raw(_ shown: Double) -> Double {
    if shown < 1 { return clamped(shown * shown) }
    return clamped(shown > maximum ? shown * (shown / maximum) : shown)
  }

  private func clamped(_ raw: Double) -> Double { raw.clamped(to: 1e-6...(maximum * 1e6)) }
}
