/// What the prepared animation shows at one of its moments.
///
/// Two animations of one second run together in Produkt/3dForceTouchExamples: the scale goes from 1
/// to 2 by Core Animation's ease in, ease out, and a spring with Core Animation's usual numbers
/// pulls the view 100 points up. With mass 1, stiffness 100 and damping 10 that is, after t seconds,
///
///     y = -100 (1 - exp(-5 t) (cos wt + (5 / w) sin wt)),  w = sqrt(75)
///
/// It swings past the end by 16 points; one second cuts it at -100.22.
public struct ForcePose: Sendable, Hashable {
  /// The factor about the view's centre.
  public let scale: Double

  /// The move down, in points.
  public let translation: Double

  /// What is shown when nothing is animated.
  public static let rest = ForcePose(seconds: 0)

  /// How long the animation is, in seconds.
  public static let duration = 1.0

  /// Returns where a view stands that is scaled about its centre and moved.
  public func frame(of view: ViewRect) -> ViewRect {
    view.centred(view.width * scale, view.height * scale).moved(by: ViewPoint(x: 0, y: translation))
  }

  /// The pose after a time of 0 to `duration`.
  init(seconds: Double) {
    scale = 1.0.moved(towards: 2, by: CubicBezier.easeInEaseOut.value(at: seconds / Self.duration))
    translation = 0.0.moved(towards: -100, by: Spring().progress(at: seconds))
  }
}
