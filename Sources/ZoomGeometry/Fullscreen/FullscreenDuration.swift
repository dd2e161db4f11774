/// How long the movements of a view to full screen and back take, in seconds.
///
/// As published; both forms use them, with UIKit's usual curve, `TimingCurve.easeInEaseOut`.
public enum FullscreenDuration {
  /// From its place to full screen.
  public static let zoomIn = 0.2
  /// From full screen back to its place.
  public static let zoomOut = 0.2
  /// From one way of holding the device to another, in full screen.
  public static let rotation = 0.25
}
