/// The growth of a picture about the finger that presses it.
///
/// The idea is Produkt/3dForceTouchExamples'; ``OriginalForceZoom`` has its formulas. With the
/// picture's frame F at rest, the finger p, the force f of 0 to m, and its fraction u = f / m:
///
///     a = clamp((p - F.origin) / F.size, 0, 1)      the touched point, in fractions of the picture
///     s = 1 + u (max(1, m) - 1)
///     frame.origin = F.origin + a F.size (1 - s)    so the touched point does not move
///     frame.size   = F.size s
///
/// A finger beside the picture counts as the nearest point of it. The frame at s = 1 is exactly F.
public struct ForceZoom: Sendable, Hashable {
  /// The picture's frame at rest, in points: F.
  public let frame: ViewRect
  /// The forces that the touches can have.
  public let range: ForceRange

  /// Creates the zoom of a picture that fills a frame.
  public init(frame: ViewRect, range: ForceRange = .usual) throws(GeometryError) {
    self.init(unchecked: try GeometryError.rect(frame, "frame"), range)
  }

  /// Creates the zoom of an unchecked frame: the sides of a thin picture's frame may be less than
  /// the 1e-6 points of a valid length, but are never 0.
  init(unchecked frame: ViewRect, _ range: ForceRange) {
    self.frame = frame
    self.range = range
  }

  /// Returns the touched point in fractions of the picture, 0 to 1: a.
  public func anchor(of finger: ViewPoint) throws(GeometryError) -> ViewPoint {
    let finger = try GeometryError.point(finger, "finger")
    // For an extremely thin picture a quotient may overflow to infinity, but is never NaN.
    return ViewPoint(
      x: ((finger.x - frame.x) / frame.width).clamped(to: 0...1),
      y: ((finger.y - frame.y) / frame.height).clamped(to: 0...1))
  }

  /// Returns the scale of the picture under a force: s, 1 or more.
  public func scale(at force: Double) throws(GeometryError) -> Double {
    // A press never shrinks the picture.
    1.0.moved(towards: max(1, range.maximum), by: try range.share(of: force))
  }

  /// Returns the picture's frame under a force, in points.
  public func frame(at finger: ViewPoint, force: Double) throws(GeometryError) -> ViewRect {
    let anchor = try anchor(of: finger)
    let scale = try scale(at: force)
    return ViewRect(
      x: frame.x + anchor.x * frame.width * (1 - scale),
      y: frame.y + anchor.y * frame.height * (1 - scale),
      width: frame.width * scale, height: frame.height * scale)
  }
}

/// A button that sinks under the finger: its shadow shrinks, or the button grows a little.
///
/// The idea is Produkt/3dForceTouchExamples'; ``OriginalForceButton`` has its formulas. With the
/// force's fraction u of the largest:
///
///     offset = (1 - u) M      M the offset at rest; so never past it, and never to the other side
///     radius = (1 - u) R      R the radius at rest
///     scale  = 1 + u gain
public struct ForceButton: Sendable, Hashable {
  /// The forces that the touches can have.
  public let range: ForceRange
  /// The offset of the shadow at rest, in points.
  public let maximumOffset: ViewPoint
  /// The blur radius of the shadow at rest, in points.
  public let maximumRadius: Double
  /// The opacity of the shadow, whatever the force: 0 is invisible, 1 is black.
  public let opacity: Double
  /// The fraction of its size by which the button grows under the largest force.
  public let gain: Double

  /// Creates a button, by default with the published numbers.
  public init(
    range: ForceRange = .usual, maximumOffset: ViewPoint = ViewPoint(x: 6.6, y: 6.6),
    maximumRadius: Double = 10, opacity: Double = 0.8, gain: Double = 1.0 / 15
  ) throws(GeometryError) {
    self.range = range
    self.maximumOffset = try GeometryError.point(maximumOffset, "maximumOffset")
    self.maximumRadius = try GeometryError.point(
      GeometryError.notNegative(maximumRadius, "maximumRadius"), "maximumRadius")
    self.opacity = try GeometryError.unit(opacity, "opacity")
    self.gain = try GeometryError.point(GeometryError.notNegative(gain, "gain"), "gain")
  }

  /// Returns the shadow under a force.
  public func shadow(at force: Double) throws(GeometryError) -> Shadow {
    let rest = 1 - (try range.share(of: force))
    return Shadow(
      offset: ViewPoint(x: rest * maximumOffset.x, y: rest * maximumOffset.y),
      radius: rest * maximumRadius, opacity: opacity)
  }

  /// Returns the scale of a button that grows instead, under a force: 1 or more.
  public func scale(at force: Double) throws(GeometryError) -> Double {
    1 + (try range.share(of: force)) * gain
  }
}

/// A prepared animation that force drives back and forth in place of time.
///
/// The idea is Produkt/3dForceTouchExamples'; ``OriginalForceAnimation`` has its formulas. With the
/// force's fraction u of the largest and the duration D, the moment shown is t = u D. The largest
/// force shows the end; an animation that does not fill forwards would snap back to its start.
public struct ForceAnimation: Sendable, Hashable {
  /// The forces that the touches can have.
  public let range: ForceRange

  /// Creates an animation.
  public init(range: ForceRange = .usual) { self.range = range }

  /// Returns the moment that a force shows, in seconds: 0 to `ForcePose.duration`.
  public func time(at force: Double) throws(GeometryError) -> Double {
    try range.share(of: force) * ForcePose.duration
  }

  /// Returns the pose under a force.
  public func pose(at force: Double) throws(GeometryError) -> ForcePose {
    ForcePose(seconds: try time(at: force))
  }
}

/// The pose of a view at one moment of the prepared animation.
///
/// Produkt/3dForceTouchExamples combines two animations of one second: the scale goes from 1 to 2
/// by Core Animation's ease in, ease out, and a spring with Core Animation's usual numbers pulls
/// the view 100 points up. With mass 1, stiffness 100 and damping 10 that is, after t seconds,
///
///     y = -100 (1 - exp(-5 t) (cos wt + (5 / w) sin wt)),  w = sqrt(75)
///
/// It overshoots the end by 16 points. The animation stops after one second, at y = -100.22.
public struct ForcePose: Sendable, Hashable {
  /// The scale about the view's centre.
  public let scale: Double
  /// The translation downwards, in points.
  public let translation: Double
  /// The pose without an animation.
  public static let rest = ForcePose(seconds: 0)
  /// The length of the animation, in seconds.
  public static let duration = 1.0

  /// Returns the frame of a view that is scaled about its centre and moved.
  public func frame(of view: ViewRect) -> ViewRect {
    view.centred(view.width * scale, view.height * scale).moved(by: ViewPoint(x: 0, y: translation))
  }

  /// Creates the pose after a time of 0 to `duration`.
  init(seconds: Double) {
    let eased = TimingCurve.easeInEaseOut.progress(at: seconds / Self.duration)
    scale = 1.0.moved(towards: 2, by: eased)
    translation = 0.0.moved(towards: -100, by: Spring().progress(at: seconds))
  }
}
