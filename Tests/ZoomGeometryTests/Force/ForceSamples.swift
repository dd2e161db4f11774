import ZoomGeometry

/// The largest force of the hardware that had the sense.
let fullForce = 400.0 / 60

/// What that hardware reports: n / 60.
let reportedForces = (0...400).map { Double($0) / 60 }

/// Those, the range's ends, and finite numbers beyond them, in ascending order.
let finiteForces: [Double] =
  ([-0x1p1023, -0x1p31, -8, -1.0 / 60, -0.0, 0, 0x1p-1074, fullForce.nextDown, fullForce]
  + [fullForce.nextUp, 6.6, 7, 8, 0x1p31, 0x1p1023] + reportedForces).sorted()

/// What is no number.
let wildForces: [Double] = [.nan, -.nan, .infinity, -.infinity]

/// The zoomed view of the published demonstration, in the middle of the phone's screen.
let demoView = ViewRect(x: 87.5, y: 233.5, width: 200, height: 200)

/// Places in the demonstration's view, on its borders and beside it.
let fingers = [-50.0, 0, 1, 60, 100, 137.5, 199, 200, 290].flatMap { x in
  [-500.0, 0, 37.5, 100, 162.5, 200, 201].map { y in
    ViewPoint(x: demoView.x + x, y: demoView.y + y)
  }
}

/// Whether one number after the other is at least as large as the one before.
func ascends(_ numbers: [Double]) -> Bool {
  zip(numbers, numbers.dropFirst()).allSatisfy { $0 <= $1 }
}

extension ViewRect {
  /// Whether each number is near that of the other.
  func isNear(_ other: ViewRect, within tolerance: Double = 1e-9) -> Bool {
    near(x, other.x, within: tolerance) && near(y, other.y, within: tolerance)
      && near(width, other.width, within: tolerance)
      && near(height, other.height, within: tolerance)
  }

  /// Whether the other lies inside, but for roundings.
  func holds(_ other: ViewRect, within tolerance: Double = 1e-9) -> Bool {
    x <= other.x + tolerance && y <= other.y + tolerance
      && maxX >= other.maxX - tolerance && maxY >= other.maxY - tolerance
  }
}
