internal import PropertyTesting
import ZoomGeometry

/// Requires that one interval is inside another; NaN is inside none.
func requireContainment(
  of inner: (start: Double, end: Double), in outer: (start: Double, end: Double),
  within tolerance: Double, _ name: String, unit: String, ends: (start: String, end: String),
  fileID: StaticString = #fileID, line: Int = #line
) throws {
  try Property.require(
    inner.start >= outer.start - tolerance,
    "\(name) begins \((outer.start - inner.start).inWords) \(unit) before the \(ends.start)",
    fileID: fileID, line: line)
  try Property.require(
    inner.end <= outer.end + tolerance,
    "\(name) ends \((inner.end - outer.end).inWords) \(unit) past the \(ends.end)",
    fileID: fileID, line: line)
}

/// Returns whether two numbers differ by at most a tolerance; NaN differs from everything.
func near(_ first: Double, _ second: Double, within tolerance: Double) -> Bool {
  abs(first - second) <= tolerance
}

func requireNear(
  _ value: Double, _ expected: Double, within tolerance: Double, _ name: String,
  _ unit: String = "", fileID: StaticString = #fileID, line: Int = #line
) throws {
  try Property.require(
    near(value, expected, within: tolerance),
    "\(name) is \(value.inWords)\(unit.isEmpty ? "" : " ")\(unit) instead of \(expected.inWords)",
    fileID: fileID, line: line)
}

/// Returns the largest distance between the corners of a picture under two maps, in points.
func apart(_ one: Affine, _ other: Affine, _ picture: PixelSize) -> Double {
  let (width, height) = (Double(picture.width), Double(picture.height))
  let ways = [(0, 0), (width, 0), (0, height), (width, height)].flatMap { x, y in
    let way = one.apply(to: ViewPoint(x: x, y: y)) - other.apply(to: ViewPoint(x: x, y: y))
    return [abs(way.x), abs(way.y)]
  }
  // `max` would drop NaN.
  return ways.contains(where: \.isNaN) ? .infinity : ways.max() ?? 0
}

/// The share of a length by which a corner may be off after a few hundred events.
///
/// 300 events do a dozen operations each. Coordinates reach a thousand screens, or 1e6 points, so
/// the error is at most 300 * 12 * 2^-53 * 1e6 = 4e-7 points. Longer lengths have larger errors, so
/// it is taken as a share of a length, which counts as at least a point.
let gestureSlack = 1e-6

extension PictureLayer {
  /// The rounding error that a law of gestures allows for, in points.
  var slack: Double { gestureSlack * magnitude(box) }

  /// Returns the allowed error of a picture at rest, which is aligned to pixels if it is shown 1:1.
  func slackAtRest(on screen: Screen) -> Double {
    slack + (TransitionLaws.isWhole(self, on: screen) ? 1 / screen.scale : 0)
  }

  /// Returns the point of the picture that is shown at a point of the screen.
  func content(at point: ViewPoint) throws(Discarded) -> ViewPoint {
    try given(toScreen.inverted()).apply(to: point)
  }
}

extension ViewRect {
  func covers(_ other: ViewRect, within tolerance: Double) -> Bool {
    other.x >= x - tolerance && other.y >= y - tolerance && other.maxX <= maxX + tolerance
      && other.maxY <= maxY + tolerance
  }

  func isCentred(on other: ViewRect, within tolerance: Double) -> Bool {
    abs(x + maxX - other.x - other.maxX) <= 2 * tolerance
      && abs(y + maxY - other.y - other.maxY) <= 2 * tolerance
  }
}

extension FillLayer {
  var box: ViewRect { transform.boundingBox(of: rect) }
}

extension ZoomState {
  var pictures: [PictureLayer] {
    layers.compactMap { if case .picture(let layer) = $0 { layer } else { nil } }
  }

  /// The topmost black area: the view's own, or the blanking view's while the view turns.
  var card: FillLayer? {
    for case .fill(let fill) in layers.reversed() where fill.shade == 0 { return fill }
    return nil
  }

  /// Returns the topmost picture, which every system must show.
  func shownPicture() throws -> PictureLayer {
    guard let picture else { throw TransitionLaws.nothingShown }
    return picture
  }
}

extension [ZoomState] {
  /// Returns the last state before a time, with which later ones are compared.
  ///
  /// A viewer's states are its looks at rest. If it did not come to rest after the last event, the case is discarded,
  /// because an older look does not show what that event did; a finger that only comes down does nothing.
  func last(before time: Double, in events: [GestureEvent], isMeasured: Bool) throws -> ZoomState {
    let limit = time - GestureWriter.sampling / 2
    guard let state = last(where: { $0.time < limit }) else { throw TransitionLaws.nothingShown }
    let isOld = events.contains { $0.phase != .began && $0.time > state.time && $0.time < limit }
    guard !isMeasured || !isOld else { throw Discarded() }
    return state
  }

  /// Returns the topmost picture of the last state that satisfies a condition; both must exist.
  func lastPicture(where isIncluded: (ZoomState) -> Bool = { _ in true }) throws -> PictureLayer {
    guard let state = last(where: isIncluded) else { throw TransitionLaws.nothingShown }
    return try state.shownPicture()
  }
}
