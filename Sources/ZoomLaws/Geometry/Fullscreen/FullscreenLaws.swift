import PropertyTesting
import ZoomGeometry

/// The laws of a view that goes to full screen and back and turns with the device.
public enum FullscreenLaws {
  /// All of them.
  public static let all: [Law<FullscreenSubject>] = placement + turns + trips

  /// The share of a length by which a rounding may put a point off.
  ///
  /// A corner takes fewer than ten operations on numbers up to 2000, each off by 2^-53 of them, and
  /// the published turn has cos(pi / 2) = 6e-17 for 0: in all below 1e-14 of the longest number.
  static let rounding = 1e-12

  static func law(
    _ name: String, _ statement: String, isBroken: Bool = false,
    for settings: Gen<FullscreenSubject.WindowSetting>,
    examples: [FullscreenSubject.WindowSetting] = [],
    holds: @escaping @Sendable (FullscreenSubject, FullscreenSubject.WindowSetting) throws -> Void
  ) -> Law<FullscreenSubject> {
    Law(
      name, statement, source: source,
      isBrokenAsPublished: isBroken, for: settings, examples: examples,
      inWords: { $0.inWords }
    ) { subject, setting, testCase in
      classify(setting, &testCase)
      try holds(subject, setting)
    }
  }

  /// Which windows and orientations have to come up.
  static func classify(_ setting: FullscreenSubject.WindowSetting, _ testCase: inout TestCase) {
    testCase.classify(
      setting.window.width > setting.window.height, as: "wider than high", atLeast: 0.2)
    testCase.classify(
      setting.device == .landscapeLeft || setting.device == .landscapeRight, as: "on its side",
      atLeast: 0.15)
    testCase.classify(
      setting.device.contentTurn == nil, as: "lies flat or is unknown", atLeast: 0.15)
  }

  /// The published worked example: a device on its left side.
  static let example = FullscreenSubject.WindowSetting(
    window: ViewRect(x: 0, y: 0, width: 375, height: 667), device: .landscapeLeft)
}

/// How far two rectangles are apart: the largest difference of two corners' coordinates.
func distance(_ one: ViewRect, _ other: ViewRect) -> Double {
  let differences = [
    one.x - other.x, one.y - other.y, one.maxX - other.maxX, one.maxY - other.maxY,
  ].map(abs)
  // NaN is no small distance: `max` would drop it.
  return differences.contains(where: \.isNaN) ? .infinity : differences.max() ?? 0
}

/// The largest number of a rectangle, as what rounding is a share of; at least 1.
func magnitude(_ rect: ViewRect) -> Double {
  [1, abs(rect.x), abs(rect.y), abs(rect.maxX), abs(rect.maxY)].max() ?? 1
}
