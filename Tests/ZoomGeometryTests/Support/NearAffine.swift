import ZoomGeometry

/// Tells whether two maps have the same numbers but for rounding.
func near(_ first: Affine, _ second: Affine, within tolerance: Double = 1e-9) -> Bool {
  zip(numbers(first), numbers(second)).allSatisfy { near($0, $1, within: tolerance) }
}

private func numbers(_ map: Affine) -> [Double] {
  [map.a, map.b, map.c, map.d, map.tx, map.ty]
}

/// Tells whether two rectangles are the same but for rounding.
func near(_ first: ViewRect, _ second: ViewRect, within tolerance: Double = 1e-9) -> Bool {
  near(first.x, second.x, within: tolerance) && near(first.y, second.y, within: tolerance)
    && near(first.width, second.width, within: tolerance)
    && near(first.height, second.height, within: tolerance)
}
