/// The picture at full screen, for one screen and one turn: where it fits, and where it may rest.
///
/// Made from the last turn alone, so no sequence of turns can leave anything behind (TI-B8, TI-B10).
public struct TransitionFit: Sendable, Hashable {
  /// By how much more than 1 or less a scale may be and count as fitted.
  ///
  /// It is less than half a point on a screen of 375. The published form compares for equality,
  /// which a pinch there and back misses by a rounding (TI-B11).
  public static let tolerance = 0.001

  /// How the picture is turned.
  public let turn: QuarterTurn

  /// The size of the full frame, unscaled and unrotated, in points: the picture's own space.
  public let full: ViewSize

  /// The scale of the full frame at which the turned picture fits the screen.
  ///
  /// 1 unless it is turned by a quarter. The published form turns the picture and leaves it at 1.
  public let scale: Double

  /// The size of the screen in points.
  public var viewport: ViewSize { screen.size }

  private let screen: Screen
  private let picture: PixelSize

  /// The scales of a pinch, relative to the fit.
  public let band: PinchBand

  /// Works out the fit.
  ///
  /// The largest scale at which the picture rests is the published 3 times the fit, or what it takes
  /// to show each picture pixel as one pixel of the screen if that is more (TI-B15).
  /// - Parameters:
  ///   - picture: The upright size of the picture in pixels.
  ///   - screen: What is drawn on.
  ///   - turn: How the picture is turned.
  /// - Throws: `GeometryError` if that scale is too large.
  public init(picture: PixelSize, screen: Screen, turn: QuarterTurn = .none) throws(GeometryError) {
    let upright = AspectFit(picture: picture, viewport: screen.size)
    let turned = AspectFit(picture: picture, viewport: screen.size.turned(by: turn))
    self.picture = picture
    self.screen = screen
    self.turn = turn
    full = upright.frame.size
    scale = turn.swapsAxes ? turned.scale / upright.scale : 1
    let pixelForPixel = 1 / (turned.scale * screen.scale)
    band = try PinchBand(maximum: max(PinchBand.publishedMaximum, pixelForPixel))
  }

  /// The picture fitted to the screen, in its middle.
  public var fitted: TransitionPose {
    aligned(TransitionPose(centre: viewport.atOrigin.centre, scale: scale, turn: turn))
  }

  /// The pose on whole pixels of the screen, where picture pixels cover whole ones.
  private func aligned(_ pose: TransitionPose) -> TransitionPose {
    let box = box(at: pose.scale)
    let pixel = box.width / Double(picture.turned(by: turn).width)
    guard screen.showsWhole(pixelOf: pixel) else { return pose }
    // Its corner is moved, inwards where a gap would open at the far edge.
    func middle(_ centre: Double, _ length: Double, _ viewport: Double) -> Double {
      let corner = screen.onPixel(centre - length / 2)
      let gap = viewport - (corner + length)
      // A gap below a ten-thousandth of a point is rounding.
      let isGap = length > viewport && gap > 0.0001
      return corner + (isGap ? 1 / screen.scale : 0) + length / 2
    }
    var aligned = pose
    aligned.centre = ViewPoint(
      x: middle(pose.centre.x, box.width, viewport.width),
      y: middle(pose.centre.y, box.height, viewport.height))
    return aligned
  }

  /// The size of the picture's upright box at a scale of the full frame, in points.
  public func box(at scale: Double) -> ViewSize {
    ViewSize(width: full.width * scale, height: full.height * scale).turned(by: turn)
  }

  /// Returns where a picture comes to rest that is let go.
  ///
  /// Its scale is brought back to 1 ... maximum of the fit, about `point`; then its centre to where
  /// the picture covers the screen on each axis on which it is larger, and is centred on the other.
  /// - Throws: `GeometryError` if a number is not finite or the scale not positive.
  public func settled(
    _ pose: TransitionPose, about point: ViewPoint
  ) throws(GeometryError) -> TransitionPose {
    try thrown(pose, about: point, velocity: ViewPoint(x: 0, y: 0)).pose
  }

  /// Returns where a picture comes to rest that is let go with a velocity, and on which way.
  ///
  /// - Throws: `GeometryError` if a number is not finite or too large, or the scale not positive.
  public func thrown(
    _ pose: TransitionPose, about point: ViewPoint, velocity: ViewPoint
  ) throws(GeometryError) -> (pose: TransitionPose, inertia: PanInertia) {
    let scale = try self.scale * band.settled(pose.scale / self.scale)
    // Not by the quotient and product if nothing is to be done: they can be off by a rounding.
    let isInside = pose.scale >= self.scale && pose.scale <= self.scale * band.maximum
    var settled = isInside ? pose : pose.scaled(to: scale, about: point)
    let inertia = try PanInertia(
      centre: settled.centre, velocity: velocity, box: box(at: settled.scale), viewport: viewport)
    settled.centre = inertia.target
    return (aligned(settled), inertia)
  }
}
