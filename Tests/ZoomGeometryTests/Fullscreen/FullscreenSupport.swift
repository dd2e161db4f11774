import ZoomGeometry

let portraitWindow = ViewRect(x: 0, y: 0, width: 375, height: 667)

/// Windows of all shapes, with and without a corner of their own.
let windowShapes = [
  portraitWindow, ViewRect(x: 0, y: 0, width: 667, height: 375),
  ViewRect(x: 0, y: 0, width: 320, height: 480), ViewRect(x: 0, y: 0, width: 1024, height: 768),
  ViewRect(x: 13, y: -40, width: 1, height: 1000), ViewRect(x: -7.5, y: 20, width: 900, height: 1),
  ViewRect(x: 0.1, y: 0.7, width: 333.3, height: 333.3),
]

/// The furthest that two rectangles are apart in any of their four numbers.
func difference(_ one: ViewRect, _ other: ViewRect) -> Double {
  let differences = [
    one.x - other.x, one.y - other.y, one.width - other.width, one.height - other.height,
  ]
  return differences.map(abs).max() ?? .infinity
}

/// Where a direction of the content points once a map is done.
func direction(_ x: Double, _ y: Double, under map: Affine) -> ViewPoint {
  let (start, end) = (
    map.apply(to: ViewPoint(x: 0, y: 0)), map.apply(to: ViewPoint(x: x, y: y))
  )
  return ViewPoint(x: end.x - start.x, y: end.y - start.y)
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
    window: ViewSize(width: window.width, height: window.height), device: device,
    interface: interface)
}

/// A view of some size, at some centre, under some transform.
func layer(size: ViewSize, centre: ViewPoint, transform: Affine) -> ViewLayer {
  var layer = ViewLayer(frame: ViewRect(x: 0, y: 0, width: size.width, height: size.height))
  layer.position = centre
  layer.transform = transform
  return layer
}
