import Testing

@testable import ZoomGeometry

extension ZoomState {
  /// The rectangles of one shade, from back to front.
  func fills(_ shade: Double) -> [ViewRect] {
    layers.compactMap(\.fill).filter { $0.shade == shade }
      .map { $0.transform.boundingBox(of: $0.rect) }
  }

  /// Where the picture's up points.
  func up() throws -> ViewPoint { direction(0, -1, under: try #require(picture).transform) }

  /// Whether the caption stands before the picture.
  var isCaptionInFront: Bool { layers.last?.fill?.shade == FullscreenPage.captionShade }
}

let portraitWindow = ViewRect(0, 0, 375, 667)

/// The furthest that two rectangles are apart in any of their four numbers.
func difference(_ one: ViewRect, _ other: ViewRect) -> Double {
  [one.x - other.x, one.y - other.y, one.width - other.width, one.height - other.height]
    .map(abs).max() ?? .infinity
}

/// Where a direction of the content points once a map is done.
func direction(_ x: Double, _ y: Double, under map: Affine) -> ViewPoint {
  map.apply(to: ViewPoint(x, y)) - map.apply(to: ViewPoint(0, 0))
}

/// A setup in the window of a phone of the time: fixed, its corner at (0, 0).
func setup(
  _ device: DeviceOrientation, interface: InterfaceOrientation = .portrait,
  window: ViewRect = portraitWindow, kind: WindowKind = .fixed
) throws -> FullscreenSetup {
  try FullscreenSetup(window: window, kind: kind, device: device, interface: interface)
}

/// The published form of the same.
func original(
  _ device: DeviceOrientation, interface: InterfaceOrientation = .portrait,
  window: ViewRect = portraitWindow
) -> OriginalFullscreen {
  OriginalFullscreen(
    window: ViewSize(window.width, window.height), device: device, interface: interface)
}
