package import ZoomGeometry

extension Double {
  /// The number without a fraction of zero: `375`, `474.1`, `nan`.
  package var inWords: String {
    let text = description
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}

extension ViewPoint {
  package static var zero: ViewPoint { ViewPoint(x: 0, y: 0) }

  /// The point as `(375, 474.1)`.
  package var inWords: String { "(\(x.inWords), \(y.inWords))" }

  package var transposed: ViewPoint { ViewPoint(x: y, y: x) }

  package func scaled(by factor: Double) -> ViewPoint { ViewPoint(x: x * factor, y: y * factor) }
}

extension ViewSize {
  /// The size as `375x667`.
  package var inWords: String { "\(width.inWords)x\(height.inWords)" }

  package var transposed: ViewSize { ViewSize(width: height, height: width) }

  func scaled(by factor: Double) -> ViewSize {
    ViewSize(width: width * factor, height: height * factor)
  }
}

extension ViewRect {
  /// The rectangle as `200x200 at (87.5, 233.5)`.
  package var inWords: String {
    "\(width.inWords)x\(height.inWords) at \(ViewPoint(x: x, y: y).inWords)"
  }
}

extension Screen {
  /// The screen as `375x667 @2x`, with its insets if it has any.
  package var inWords: String {
    let sides = [insets.top, insets.left, insets.bottom, insets.right].map(\.inWords)
    return "\(size.inWords) @\(scale.inWords)x"
      + (insets == .none ? "" : " with insets \(sides.joined(separator: ", "))")
  }
}
