/// Width and height; not checked, because faults may set any value.
struct Extent: Sendable, Hashable {
  var width: Int
  var height: Int

  var area: Int { width * height }
  var transposed: Extent { Extent(width: height, height: width) }
  var isEmpty: Bool { width < 1 || height < 1 }

  /// Whether a side is longer than the box's.
  func exceeds(_ box: Box) -> Bool { width > box.width || height > box.height }
}

struct Box: Sendable, Hashable {
  var x: Int
  var y: Int
  var width: Int
  var height: Int

  var size: Extent { Extent(width: width, height: height) }

  func clipped(to picture: Extent) -> Box? {
    let (left, top) = (max(x, 0), max(y, 0))
    let (right, bottom) = (min(x + width, picture.width), min(y + height, picture.height))
    guard left < right, top < bottom else { return nil }
    return Box(x: left, y: top, width: right - left, height: bottom - top)
  }

  /// Returns the box at another place, moved back into the picture if necessary.
  func moved(x: Int, y: Int, in picture: Extent) -> Box {
    Box(
      x: max(0, min(x, picture.width - width)), y: max(0, min(y, picture.height - height)),
      width: width, height: height)
  }
}

extension Box {
  init(whole size: Extent) { self.init(x: 0, y: 0, width: size.width, height: size.height) }
}

extension LengthRounding {
  /// Returns a rounded quotient of integers, without floating point.
  func quotient(_ dividend: Int, _ divisor: Int) -> Int {
    switch self {
    case .nearest: (2 * dividend + divisor) / (2 * divisor)
    case .down: dividend / divisor
    case .up: (dividend + divisor - 1) / divisor
    }
  }

  func rounded(_ value: Double) -> Int {
    switch self {
    // Halves are rounded up, as in `quotient`.
    case .nearest: Int((value + 0.5).rounded(.down))
    // A value within 1e-9 of an integer counts as that integer.
    case .down: Int((value + 1e-9).rounded(.down))
    case .up: Int((value - 1e-9).rounded(.up))
    }
  }
}
