package import ZoomGeometry

/// An axis of the screen and of an upright picture: a law of both axes is written once.
enum Axis: String, CaseIterable {
  case x, y
}

/// The part of an axis that a rectangle covers.
struct Interval {
  let start, length: Double
  var end: Double { start + length }
  var ends: (start: Double, end: Double) { (start, end) }
}

extension ViewPoint {
  subscript(axis: Axis) -> Double { axis == .x ? x : y }
}

extension ViewSize {
  subscript(axis: Axis) -> Double { axis == .x ? width : height }
}

extension ViewRect {
  subscript(axis: Axis) -> Interval {
    axis == .x ? Interval(start: x, length: width) : Interval(start: y, length: height)
  }

  /// Returns the axes on which a picture extends beyond both borders of the screen, so that no
  /// border limits where it is.
  func freeAxes(on screen: ViewSize, within slack: Double) -> [Axis] {
    Axis.allCases.filter { self[$0].start < -slack && self[$0].end > screen[$0] + slack }
  }
}

extension PictureRect {
  var numbers: ViewRect { ViewRect(x: x, y: y, width: width, height: height) }
}

extension UnitRect {
  var numbers: ViewRect { ViewRect(x: x, y: y, width: width, height: height) }
}

extension PixelRegion {
  package var numbers: ViewRect {
    ViewRect(x: Double(x), y: Double(y), width: Double(width), height: Double(height))
  }
}
