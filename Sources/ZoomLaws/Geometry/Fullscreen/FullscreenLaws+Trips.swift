import PropertyTesting
import ZoomGeometry

extension FullscreenLaws {
  static var trips: [Law<FullscreenSubject>] {
    [
      Law(
        "ZV-P8",
        "A view that comes back stands where its proxy does, untransformed, at its place "
          + "among its siblings.", source: source, isBrokenAsPublished: true, for: .trips,
        inWords: { $0.inWords }
      ) { subject, trip, testCase in
        classify(trip.setting, &testCase)
        testCase.classify(trip.proxy != trip.home, as: "the proxy has moved", atLeast: 0.3)
        testCase.classify(
          trip.view != trip.siblings.count - 1, as: "not the front sibling", atLeast: 0.3)
        let back = try subject.roundTrip(trip)
        try require(
          back.layer.transform == .identity,
          "the view comes back with the transform \(back.layer.transform)")
        try require(
          distance(back.layer.frame, trip.proxy) <= rounding * magnitude(trip.proxy),
          "the view comes back as \(back.layer.frame.inWords), not \(trip.proxy.inWords)")
        try require(
          back.siblings == trip.siblings,
          "the siblings \(trip.siblings) come back as \(back.siblings)")
      },
      Law(
        "ZV-P9", "A rectangle that is converted into some ancestors and back is where it was.",
        source: source, for: zip(Gen<ViewRect>.places, .ancestorChains),
        inWords: { rect, ancestors in
          ([rect.inWords] + ancestors.map(\.inWords)).joined(separator: " in ")
        }
      ) { subject, input, testCase in
        let (rect, ancestors) = input
        testCase.classify(!ancestors.isEmpty, as: "ancestors", atLeast: 0.5)
        let back = try subject.converted(rect, ancestors)
        try require(
          distance(back, rect) <= conversionRounding,
          "it comes back as \(back.inWords)")
      },
    ]
  }

  /// By how many points a conversion through four ancestors and back may be off.
  ///
  /// Coordinates grow to 2000 for each ancestor, times 1 / 0.1 for each scaling: at most 1e8. Of
  /// that some twenty operations lose 2^-53 each, 2e-7, and the way back scales by up to 3^4.
  private static let conversionRounding = 1e-5

  static var source: String { "Matt Gallagher, ZoomingViewController (Cocoa with Love)" }
}
