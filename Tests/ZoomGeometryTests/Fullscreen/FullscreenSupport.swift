import Testing

@testable import ZoomGeometry

extension ZoomState {
  /// The rectangles of one shade, from back to front.
  func fills(_ shade: Double) -> [ViewRect] {
    layers.compactMap { layer in
      guard case .fill(let fill) = layer, fill.shade == shade else { return nil }
      return fill.transform.boundingBox(of: fill.rect)
    }
  }

  /// Where the picture's up points.
  func up() throws -> ViewPoint { direction(0, -1, under: try #require(picture).transform) }

  /// Whether the caption stands before the picture.
  var isCaptionInFront: Bool {
    guard case .fill(let fill) = layers.last else { return false }
    return fill.shade == FullscreenPage.captionShade
  }
}

let portraitWindow = ViewRect(0, 0, 375, 667)

/// The furthest that two rectangles are apart in any of their four numbers.
func difference(_ one: ViewRect, _ other: ViewRect) -> Double {
  let differences = [
    one.x - other.x, one.y - other.y, one.width - other.width, one.height - other.height,
  ]
  return differences.map(abs).max() ?? .infinity
}

/// Where a direction of the content points once a map is done.
func direction(_ x: Double, _ y: Double, under map: Affine) -> ViewPoint {
  let (start, end) = (map.apply(to: ViewPoint(0, 0)), map.apply(to: ViewPoint(x, y)))
  return ViewPoint(end.x - start.x, end.y - start.y)
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

/// A view of some size, at some centre, under some transform.
func layer(size: ViewSize, centre: ViewPoint, transform: Affine) -> ViewLayer {
  var layer = ViewLayer(frame: ViewRect(0, 0, size.width, size.height))
  layer.position = centre
  layer.transform = transform
  return layer
}
