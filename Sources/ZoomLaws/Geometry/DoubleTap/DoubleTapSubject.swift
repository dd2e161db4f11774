public import ZoomGeometry

/// An unchecked picture in a scroll view that a double tap enlarges; sides may be zero or NaN.
public struct DoubleTapScene: Sendable, Hashable {
  /// The picture's unscaled size in points: i.
  public var image: ViewSize
  /// The scroll view's size in points: B.
  public var bounds: ViewSize
  /// The factor by which a double tap enlarges the picture: R.
  public var factor: Double
  /// The largest zoom: Zmax.
  public var maximumZoom: Double

  /// Creates a scene, by default with the published factor and largest zoom.
  public init(image: ViewSize, bounds: ViewSize, factor: Double = 2, maximumZoom: Double = 3) {
    (self.image, self.bounds) = (image, bounds)
    (self.factor, self.maximumZoom) = (factor, maximumZoom)
  }

  /// The scene as `300x500 in 375x667`, followed by the factor and the largest zoom if they are not the published ones.
  public var inWords: String {
    var words = "\(image.inWords) in \(bounds.inWords)"
    if factor != 2 { words += ", \(factor.inWords) times larger" }
    if maximumZoom != 3 { words += ", zoom up to \(maximumZoom.inWords)" }
    return words
  }

  package var fitScale: Double { DoubleTapFormula<Double>(self).fit }

  /// The zoom after a double tap at the fit.
  package var closeZoom: Double { DoubleTapFormula<Double>(self).close }

  package func axes(
    _ position: ScrollPosition, tapped place: ViewPoint = ViewPoint(x: 0, y: 0)
  ) -> [TapAxis] {
    Axis.allCases.map {
      TapAxis(
        name: $0.rawValue, image: image[$0], bounds: bounds[$0], zoom: position.zoom,
        origin: position.origin[$0], offset: position.offset[$0], place: place[$0])
    }
  }
}

/// One axis of a picture in a scroll view, in points.
package struct TapAxis: Sendable {
  package let name: String
  package let image, bounds, zoom, origin, offset, place: Double

  package var shown: Double { zoom * image }
  package var start: Double { origin - offset }
  package var end: Double { start + shown }
  package var isLonger: Bool { shown > bounds }
  /// The largest offset that does not scroll past the picture's end.
  package var furthest: Double { max(0, shown - bounds) }
  /// One unit in the last place of the longest length that positions are calculated from.
  package var ulp: Double { max(shown, bounds).ulp }
}

/// A scene and a double tap on its picture.
public struct DoubleTapInput: Sendable, Hashable {
  /// The picture and the scroll view.
  public var scene: DoubleTapScene
  /// The tapped point in image points.
  public var place: ViewPoint

  /// Creates an input.
  public init(scene: DoubleTapScene, place: ViewPoint) {
    (self.scene, self.place) = (scene, place)
  }

  /// The input in words, such as `double tap at (150, 250) of 300x500 in 375x667`.
  public var inWords: String { "double tap at \(place.inWords) of \(scene.inWords)" }

  func axes(_ position: ScrollPosition) -> [TapAxis] { scene.axes(position, tapped: place) }
}

/// An implementation of the double tap on which laws are tried.
public struct DoubleTapSubject: LawSubject {
  /// The subject's name in reports.
  public let name: String
  /// The only factor that it supports, with a largest zoom of 3; nil if it supports all factors and largest zooms.
  public let onlyFactor: Double?
  /// Returns the initial position; throws for a scene that it refuses.
  public var fitted: @Sendable (DoubleTapScene) throws -> ScrollPosition
  /// Returns the position after a double tap at a position; nil if the double tap does nothing.
  public var toggled: @Sendable (DoubleTapInput, ScrollPosition) throws -> ScrollPosition?

  /// Creates a subject.
  public init(
    name: String, onlyFactor: Double? = nil,
    fitted: @escaping @Sendable (DoubleTapScene) throws -> ScrollPosition,
    toggled: @escaping @Sendable (DoubleTapInput, ScrollPosition) throws -> ScrollPosition?
  ) {
    (self.name, self.onlyFactor) = (name, onlyFactor)
    (self.fitted, self.toggled) = (fitted, toggled)
  }

  /// The corrected double tap.
  public static let corrected = DoubleTapSubject(
    name: "double tap corrected", fitted: { try DoubleTapSetup($0).fitted },
    toggled: { input, position in
      try DoubleTapSetup(input.scene).toggled(zoom: position.zoom, tapped: input.place)
    })

  /// The last published double tap of fanyinan/ZoomImageScrollViewDemo, commit 5fb8b8a.
  public static let original = published[0].subject

  /// The published double taps, each with the laws that it breaks but the last version keeps.
  ///
  /// The first version does not divide by the zoom (DT-B1). One lacks the term that its author
  /// could not explain. With a factor of 4, the last version reaches the largest zoom (DT-B2).
  static let published: [(subject: DoubleTapSubject, broken: Set<String>)] = [
    (2, .scaled, "original", []),
    (2, .unscaled, "first version", ["DT-P5", "DT-P8r", "DT-P9", "NUM-10"]),
    (2, .none, "without the term", ["DT-P5", "DT-P8r", "NUM-10"]),
    (4, .scaled, "original, R = 4", ["DT-P5", "DT-P8r", "NUM-10"]),
  ].map { factor, correction, name, broken in
    (DoubleTapSubject(published: "double tap \(name)", factor: factor, correction), broken)
  }

  private init(published name: String, factor: Double, _ correction: OriginalDoubleTap.Correction) {
    @Sendable func tap(_ scene: DoubleTapScene) -> OriginalDoubleTap {
      OriginalDoubleTap(
        image: scene.image, bounds: scene.bounds, factor: scene.factor,
        maximumZoom: scene.maximumZoom, correction: correction)
    }
    self.init(
      name: name, onlyFactor: factor, fitted: { tap($0).fitted },
      toggled: { input, position in
        // The recogniser belongs to the image view, which gets no touches outside it.
        guard input.scene.image.atOrigin.contains(input.place) else { return nil }
        return tap(input.scene).toggled(position, tapped: input.place)
      })
  }
}

extension DoubleTapSetup {
  fileprivate init(_ scene: DoubleTapScene) throws(GeometryError) {
    try self.init(
      image: scene.image, bounds: scene.bounds, factor: scene.factor,
      maximumZoom: scene.maximumZoom)
  }
}
