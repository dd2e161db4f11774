import ZoomGeometry

// Each of the five systems, driven live: one event after the other, as an app gets them.
let picture = try PixelSize(width: 3264, height: 4896)
let scene = ZoomScene(screen: try Screen(size: ViewSize(width: 375, height: 667), scale: 2))
let fingers: [(Double, TouchPhase, Double, Double, Double)] = [
  (0.00, .began, 70, 100, 0.5), (0.05, .ended, 70, 100, 0), (0.70, .began, 187, 333, 1),
  (0.80, .moved, 180, 320, 4), (0.90, .moved, 150, 300, 6), (0.95, .ended, 150, 300, 0),
]
for system in ZoomSystem.allCases {
  var zoom = try LiveZoom(system, picture: picture, scene: scene)
  for (time, phase, x, y, force) in fingers {
    let touch = Touch(id: 1, point: ViewPoint(x: x, y: y), force: force)
    try zoom.handle(GestureEvent(time: time, kind: .touches(phase, [touch])))
    for layer in try zoom.layers() { print(system, time, layer) }
    for event in zoom.events { print(system, time, event) }
    zoom.clearEvents()
  }
  while zoom.isMoving { try zoom.advance(to: zoom.time + 1.0 / 60) }
  for layer in try zoom.layers() { print(system, "at rest", layer) }
}
