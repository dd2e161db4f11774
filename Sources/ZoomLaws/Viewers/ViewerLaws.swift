internal import PropertyTesting
package import ZoomGeometry

/// The laws of viewers: pixels at rest, gestures of mice and wheels, requests and their faults.
///
/// Laws judge numbers only. A look whose place is uncertain decides nothing, nor does one in which the picture is lost,
/// unless a view of nearly the same place shows it.
package enum ViewerLaws {
  /// All laws of viewers; `lack(of:for:)` says which do not apply to one.
  package static let all: [Law<ViewerSubject>] = life + pixels + gestures + requests + deliveries

  /// Returns what a law, also one of gestures, needs and a viewer lacks; nil if the law applies.
  package static func lack(of traits: ViewerTraits, for law: String) -> String? {
    let (adapter, promises) = (traits.adapter, traits.promises)
    let needs: [(isMet: Bool, what: String, laws: Set<String>)] = [
      (adapter.contains(.state), "the adapter's state", ["W-S3"]),
      (adapter.contains(.show), "the adapter's show", ["W-P1"]),
      (adapter.contains(.open), "the adapter's open", ["W-R8"]),
      (traits.exactness != nil || promises.contains(.pixels), "the promise pixels", ["W-P1"]),
      (promises.contains(.retries), "the promise retries", ["W-R5"]),
      (promises.contains(.resize), "the promise resize", ["GE-9", "GE-22", "GE-49"]),
      (traits.wheelFactor != nil, "zooming by wheel", ["W-G1", "W-G2"]),
      (traits.flicks, "flicks", ["W-G4", "W-G5"]),
      (traits.taps, "double taps", ["W-G6", "GE-41"]),
      (
        traits.pinches, "pinches",
        ["GE-8", "GE-10", "GE-14", "GE-18", "GE-19", "GE-42", "GE-52"]
      ),
      // What is lost depends on the way to the first sample by which the slop is passed.
      (traits.dragSlop <= 2, "drags without slop", ["GE-4", "GE-26"]),
      // A finger that comes back passes the slop again, which no fixed tolerance covers.
      (traits.pinchSlop <= 2, "pinches without slop", ["GE-4", "GE-26", "GE-56"]),
    ]
    return needs.first { !$0.isMet && $0.laws.contains(law) }?.what
  }

  private static let source = "faults in viewers of the web, and what good ones do"

  /// Returns a law of plays in which the page lives; W-S1 judges the others.
  static func law(
    _ name: String, _ statement: String,
    _ inputs: @escaping @Sendable (ViewerSubject) -> Gen<ViewerCase> = { $0.views() },
    holds: @escaping @Sendable (PlayedCase, inout TestCase) throws -> Void
  ) -> Law<ViewerSubject> {
    Law(name, statement, source: source, forEach: inputs) { viewer, each, testCase in
      try holds(viewer.living(each), &testCase)
    }
  }

  static func require(
    _ condition: Bool, _ complaint: @autoclosure () -> String, _ look: ViewerLook? = nil,
    expected: Affine? = nil, fileID: StaticString = #fileID, line: Int = #line
  ) throws {
    guard !condition else { return }
    throw SightBreach(
      complaint: complaint(), look: look, expected: expected, failurePlace: "\(fileID):\(line)")
  }

  // MARK: Life

  private static let life: [Law<ViewerSubject>] = [
    Law(
      "W-S1", "The page lives, answers and reports no error.", source: source,
      forEach: { $0.views() }
    ) { viewer, each, testCase in
      testCase.classify(!each.script.events.isEmpty, as: "events", atLeast: 0.3)
      let play = try viewer.play(each)
      try require(play.ending == .alive, "the page is \(play.ending)", play.looks.last)
      try require(play.errors.isEmpty, "the page reports: \(play.errors.first ?? "")")
    },
    Law(
      "W-S2", "A gesture begins within 20 CSS px, and the picture then follows a finger.",
      source: source, forEach: { $0.untouched }
    ) { viewer, _, _ in
      // Chromium itself holds back 15 to 20 px of a movement, and places are rounded as in GE-15, which judges each
      // drag by the slop that was measured once.
      let (drag, pinch) = (viewer.traits.dragSlop, viewer.traits.pinchSlop)
      try require(
        drag <= 20 + 2.5 && pinch <= 20,
        "a drag begins after \(drag.inWords) CSS px, a pinch after \(pinch.inWords)")
      let way = viewer.traits.onwardWay
      try require(abs(way - 60) <= 3, "a picture follows a drag by 60 CSS px by \(way.inWords)")
    },
    law("W-S3", "The place that the adapter reports is the shown one.") { played, testCase in
      let looks = played.play.looks
      testCase.classify(looks.contains { $0.reported != nil }, as: "reports", atLeast: 0.3)
      for look in looks {
        guard let place = look.reported, let view = ViewerView(look, in: played.each)
        else { continue }
        let corner = view.screen.bounds.centre - place.centre.scaled(by: place.scale)
        let reported = Affine.scale(place.scale).then(.translation(x: corner.x, y: corner.y))
        let off = try view.distance(from: reported)
        // Viewers round a place, and the sides of the picture, to pixels.
        try require(
          off <= 2 + view.slack,
          "reported \(place), a corner of the visible part is \(off.inWords) CSS px off", look,
          expected: reported)
      }
    },
  ]
}

package struct SightBreach: PlacedError, CustomStringConvertible {
  package let complaint: String
  /// The look that breaks the law; nil if it is not one look.
  package let look: ViewerLook?
  /// The map from picture pixels to CSS pixels that the law demands; nil for that of the look.
  package let expected: Affine?
  package let failurePlace: String?
  package var description: String { complaint }
}
