import PropertyTesting
import ZoomGeometry

/// The laws of what answers to force.
public enum ForceLaws {
  /// All of them.
  public static let all: [Law<ForceSubject>] = recogniser + button + zoom + animation

  static var source: String { "Produkt/3dForceTouchExamples" }

  /// A law of a finger on a view.
  static func law(
    _ name: String, _ statement: String, isBroken: Bool = false,
    holds:
      @escaping @Sendable (ForceSubject, ForceSubject.PressedView, inout TestCase) throws -> Void
  ) -> Law<ForceSubject> {
    Law(
      name, statement, source: source, isBrokenAsPublished: isBroken, for: .presses,
      examples: [corner], inWords: { $0.inWords }
    ) { subject, press, testCase in
      testCase.classify(!press.frame.contains(press.finger), as: "beside the view", atLeast: 0.1)
      testCase.classify(press.force > 1, as: "presses harder than average", atLeast: 0.5)
      try holds(subject, press, &testCase)
    }
  }

  /// A light touch on the corner of the demonstration's view on a 375x667 screen.
  private static let corner = ForceSubject.PressedView(
    frame: ViewRect(x: 87.5, y: 233.5, width: 200, height: 200),
    finger: ViewPoint(x: 87.5, y: 233.5), force: 0.5)

  /// The share of a length by which a rounding may put a point off.
  ///
  /// A dozen operations on numbers up to fifteen times the length, each off by 2^-53 of them, make
  /// 1e-14 of it.
  static let rounding = 1e-12
}
