import PropertyTesting
public import ZoomGeometry

/// The laws of what is shown while fingers touch, of whichever system it is.
public enum GestureLaws {
  /// The laws that speak of a system.
  ///
  /// Whether a law is marked as broken as published depends on the system: the same mistake is made
  /// in one of them and not in another.
  public static func all(of system: ZoomSystem) -> [Law<ReplaySubject>] {
    let scrolling =
      frames(system) + live(system) + equivalents(system) + ends(system) + screens(system)
      + screenChanges(system) + samples(system)
    let every = scrolling + [notches(system)]
    return switch system {
    case .transition: every + pinches + [fingers(system), wanderings(system), sides]
    case .doubleTap: scrolling + [fingers(system), wanderings(system)]
    case .force: every + presses + [lifts(system), pens(system)]
    case .peek: every + [lifts(system), pens(system)]
    case .fullscreen: every
    }
  }

  static var source: String {
    "relations of gestures: Suwayomi-Tsumiru#377, react-native-zoom-toolkit#36 and others"
  }

  /// A law of any script; scripts that show a defect which others rarely meet are tried first.
  static func law(
    _ name: String, _ statement: String, of system: ZoomSystem, brokenBy: Set<ZoomSystem> = [],
    examples: [GestureCase?] = [],
    holds: @escaping @Sendable (ReplaySubject, GestureCase, inout TestCase) throws -> Void
  ) -> Law<ReplaySubject> {
    Law(
      name, statement, source: source, isBrokenAsPublished: brokenBy.contains(system),
      for: .gestures(of: system), examples: examples.compactMap { $0 }, inWords: { $0.description }
    ) { subject, gesture, testCase in
      let isSeveral = gesture.script.events.contains {
        if case .touches(_, let touches) = $0.kind { touches.count > 1 } else { false }
      }
      testCase.classify(isSeveral, as: "several fingers in one event", atLeast: 0.2)
      testCase.classify(gesture.script.events.count > 60, as: "over 60 events", atLeast: 0.1)
      try holds(subject, gesture, &testCase)
    }
  }

  /// A short script over a picture.
  static func example(
    width: Double = 375, height: Double = 667, scale: Double = 1,
    device: DeviceOrientation = .portrait, picture: (width: Int, height: Int) = (1600, 1200),
    _ actions: [GestureAction]
  ) -> GestureCase? {
    guard let screen = try? Screen(size: ViewSize(width: width, height: height), scale: scale),
      let script = try? GestureScript(
        screen: screen, device: device, events: GestureWriter.events(of: actions)),
      let picture = try? PixelSize(width: picture.width, height: picture.height)
    else { return nil }
    return GestureCase(script: script, picture: picture)
  }

  /// In full screen while the device lies flat, the interface turns.
  ///
  /// The window's size is none that is drawn, so that every resize is one.
  static let turnedLyingFlat = example(
    width: 414, height: 896, device: .faceUp,
    [
      GestureAction(.tap(at: ViewPoint(x: 207, y: 448), held: GestureWriter.sampling)),
      GestureAction(after: 0.5, .redraw(.landscapeLeft)),
    ])

  /// Requires that two runs end with the same view, to the bit.
  static func requireSameEnd(
    _ one: [ZoomState], _ other: [ZoomState], _ what: String,
    fileID: StaticString = #fileID, line: Int = #line
  ) throws {
    // Compared to a `Bool` first: a message is made only for the first layer that differs.
    let (first, second) = (one.last?.layers ?? [], other.last?.layers ?? [])
    guard first != second else { return }
    let pair = zip(first, second).first { $0 != $1 }
    try Property.require(
      false, "\(what): " + (pair.map { "\($0) instead of \($1)" } ?? "other layers"),
      fileID: fileID, line: line)
  }

  /// Requires that two runs end with the same view but for roundings of where the picture is.
  static func requireNearlySameEnd(
    _ one: [ZoomState], _ other: [ZoomState], of picture: PixelSize, _ what: String,
    fileID: StaticString = #fileID, line: Int = #line
  ) throws {
    guard let a = one.last, let b = other.last, a.layers != b.layers else { return }
    guard a.layers.count == b.layers.count, let first = a.picture, let second = b.picture else {
      return try requireSameEnd(one, other, what, fileID: fileID, line: line)
    }
    try requireSamePlace(first, second, of: picture, what, fileID: fileID, line: line)
  }

  /// Requires that a layer shows a picture where another one does, but for roundings.
  static func requireSamePlace(
    _ one: PictureLayer, _ other: PictureLayer, of picture: PixelSize, _ what: String,
    fileID: StaticString = #fileID, line: Int = #line
  ) throws {
    let off = apart(one.toScreen, other.toScreen, picture)
    try Property.require(
      off <= gestureSlack * magnitude(other.box), "\(what) a corner is \(off) points off",
      fileID: fileID, line: line)
  }
}

/// By how many points the corners of a picture are apart under two maps, at most.
func apart(_ one: Affine, _ other: Affine, _ picture: PixelSize) -> Double {
  let (width, height) = (Double(picture.width), Double(picture.height))
  let ways = [(0, 0), (width, 0), (0, height), (width, height)].map { x, y in
    let (a, b) = (one.apply(to: ViewPoint(x: x, y: y)), other.apply(to: ViewPoint(x: x, y: y)))
    return max(abs(a.x - b.x), abs(a.y - b.y))
  }
  return ways.contains(where: \.isNaN) ? .infinity : ways.max() ?? 0
}

/// By how many points a corner may be off that a few hundred events have moved.
///
/// Each does a dozen operations, on coordinates of up to a thousand screens while fingers are far
/// beyond the largest scale: 300 * 12 * 2^-53 * 1e6 is less than 1e-6, a millionth of what is seen.
let gestureSlack = 1e-6
