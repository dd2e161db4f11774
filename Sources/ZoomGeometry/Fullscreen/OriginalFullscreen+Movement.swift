extension OriginalFullscreen {
  /// Returns where the animation to full screen begins and ends.
  ///
  /// The frame is sent to the upright window, and on the next line, with no animation, bounds and
  /// transform are assigned those of the way the device is held. What differs from where the frame
  /// was sent, jumps; only the position still moves (ZV-B2).
  /// - Parameter inline: The view where it stands in the window, without a transform.
  /// - Returns: The view right after the jump, and at the end of the animation.
  public func zoomedIn(_ inline: ViewLayer) -> (start: ViewLayer, end: ViewLayer) {
    var start = inline
    start.transform = layer.transform
    if turn.swapsAxes { start.size = size }
    return (start, layer)
  }

  /// Returns where the animation back begins and ends.
  ///
  /// The frame is set while the turn is still on, which gives the size that the turned view would
  /// need, and the turn is taken off on the next line. After a quarter turn the sides stay swapped
  /// (ZV-B1): a place (20, 30, 100, 50) is returned to as (45, 5, 50, 100).
  /// - Parameters:
  ///   - shown: The view in full screen.
  ///   - frame: The proxy's frame, in the same points.
  /// - Returns: The view right after the turn was taken off, and at the end of the animation.
  public static func zoomedOut(
    _ shown: ViewLayer, to frame: ViewRect
  ) -> (start: ViewLayer, end: ViewLayer) {
    var (start, end) = (shown, shown)
    end.setFrame(frame)
    start.transform = .identity
    end.transform = .identity
    return (start, end)
  }
}
