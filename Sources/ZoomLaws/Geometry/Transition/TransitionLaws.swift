import PropertyTesting
import ZoomGeometry

/// The laws of a transition from a thumbnail and of the gestures at full screen.
public enum TransitionLaws {
  /// All of them.
  public static let all: [Law<TransitionSubject>] = crops + rests + pinches + taps

  static var source: String { "quri/Titanium" }

  /// The share of a length by which a rounding may put a point off.
  ///
  /// A fit, a scale, a division by the scale and a map: some thirty operations, each off by 2^-53
  /// of numbers that are at most a few thousand times the length.
  static let rounding = 1e-11

  /// Steps of hands over a picture, on a screen.
  struct Session: Sendable {
    var picture: PixelSize
    var screen: Screen
    var steps: [TransitionSubject.ViewerStep]

    var inWords: String { "\(picture) on \(screen.inWords): \(steps.inWords)" }

    /// Plays the steps and some more.
    func view(_ subject: TransitionSubject, then more: [TransitionSubject.ViewerStep] = []) throws
      -> TransitionSubject.ShownPicture
    {
      try subject.view(picture, screen, steps + more)
    }
  }

  /// Sessions of any length.
  static func sessions(turns: Bool = true) -> Gen<Session> {
    Gen { testCase throws(Discarded) in
      let screen = try testCase.draw(.gestureScreens)
      return Session(
        picture: try testCase.draw(.gesturePictures), screen: screen,
        steps: try testCase.draw(.transitionSteps(on: screen, turns: turns)))
    }
  }

  static func sessionLaw(
    _ name: String, _ statement: String, isBroken: Bool = false, turns: Bool = true,
    holds: @escaping @Sendable (TransitionSubject, Session, inout TestCase) throws -> Void
  ) -> Law<TransitionSubject> {
    Law(
      name, statement, source: source, isBrokenAsPublished: isBroken,
      for: sessions(turns: turns), inWords: { $0.inWords }
    ) { subject, session, testCase in
      let isPinched = session.steps.contains { if case .pinch = $0 { true } else { false } }
      testCase.classify(isPinched, as: "pinched", atLeast: 0.3)
      try holds(subject, session, &testCase)
    }
  }

  /// Whether two views show the same, to a rounding; compared by the corners of the full frame.
  static func requireSame(
    _ one: TransitionSubject.ShownPicture, _ other: TransitionSubject.ShownPicture, _ what: String,
    fileID: StaticString = #fileID, line: Int = #line
  ) throws {
    let corners = [
      (0, 0), (one.full.width, 0), (0, one.full.height), (one.full.width, one.full.height),
    ].map { ViewPoint(x: $0.0, y: $0.1) }
    let ways = corners.flatMap { corner in
      let (a, b) = (one.transform.apply(to: corner), other.transform.apply(to: corner))
      return [abs(a.x - b.x), abs(a.y - b.y)]
    }
    // The generic `max` loses a NaN, depending on its place.
    let way = ways.first(where: \.isNaN) ?? ways.max() ?? 0
    let size = magnitude(
      one.transform.boundingBox(
        of: ViewRect(x: 0, y: 0, width: one.full.width, height: one.full.height)))
    try require(
      way <= slack(size), "\(what): a corner is \(way) points off", fileID: fileID, line: line)
  }

  /// How far off a corner may be that has gone through a session, in points.
  ///
  /// Pans and pinches add up: at most 200 steps of a dozen operations each, on numbers that are at
  /// most a thousand times as large under way.
  static func slack(_ size: Double) -> Double { 1e-9 * size }
}
