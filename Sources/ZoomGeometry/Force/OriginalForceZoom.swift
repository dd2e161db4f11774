/// The force zoom as Produkt/3dForceTouchExamples published it, defects included.
///
/// It is kept so that its defects can be shown beside ``ForceZoom``. Nothing is validated and
/// nothing throws: zeros, NaN and infinities go in and come out. With the view's captured frame F:
///
///     anchor    = clamp((p - F.origin) / F.size, 0, 1)    of the view, not of the picture (FT-B15)
///     transform = scale by max(1, f)                      no effect below 1 (FT-B10), no end (FT-B14)
///
/// Both are set on the view's layer, whose position stays. So the touched place moves to where the
/// anchor stood, the view's centre, even at scale 1 (FT-B9).
public struct OriginalForceZoom: Sendable, Hashable {
  /// Where the view's layout puts it now, in points.
  public var view: ViewRect

  /// Where the view stood when it appeared, in points: F.
  ///
  /// It is not asked for again when the view moves (FT-B12), and is empty before the view appears
  /// (FT-B11).
  public var captured: ViewRect

  /// Creates the zoom of a view.
  ///
  /// - Parameters:
  ///   - view: Where the view's layout puts it now, in points.
  ///   - captured: Where it stood when it appeared; where it stands now if not given.
  public init(view: ViewRect, captured: ViewRect? = nil) {
    self.view = view
    self.captured = captured ?? view
  }

  /// Returns the anchor that is set for a finger.
  public func anchor(of finger: ViewPoint) -> ViewPoint {
    ViewPoint(
      x: Self.clamped((finger.x - captured.x) / captured.width),
      y: Self.clamped((finger.y - captured.y) / captured.height))
  }

  /// Returns by how much the view is scaled under a force.
  public func scale(at force: Double) -> Double {
    // 1 for a NaN force: the generic `max` keeps its first argument then.
    max(1, force)
  }

  /// Returns the view's layer under a force.
  public func layer(at finger: ViewPoint, force: Double) -> ViewLayer {
    var layer = ViewLayer(frame: view)
    layer.anchor = anchor(of: finger)
    layer.transform = .scale(scale(at: force))
    return layer
  }

  /// Clamps to the unit interval and makes 0 of NaN, by the order of the arguments (FT-B11).
  private static func clamped(_ value: Double) -> Double { min(max(0, value), 1) }
}
