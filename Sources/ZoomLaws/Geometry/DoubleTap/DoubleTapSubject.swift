public import ZoomGeometry

/// An implementation of the double tap that zooms, ours or anyone's, to hold laws against.
public struct DoubleTapSubject: LawSubject {
  /// What reports call it.
  public let name: String
  /// The one factor it knows, with the largest zoom of 3; nil if it knows any of both.
  public let onlyFactor: Double?
  /// Says what is shown at first; throws for a scene that it refuses.
  public var fitted: @Sendable (DoubleTapScene) throws -> ScrollPosition
  /// Says where a double tap at a place, in image points, leads from a position: nil where nowhere.
  public var toggled: @Sendable (DoubleTapInput, ScrollPosition) throws -> ScrollPosition?

  /// Creates a subject.
  public init(
    name: String, onlyFactor: Double? = nil,
    fitted: @escaping @Sendable (DoubleTapScene) throws -> ScrollPosition,
    toggled: @escaping @Sendable (DoubleTapInput, ScrollPosition) throws -> ScrollPosition?
  ) {
    self.name = name
    self.onlyFactor = onlyFactor
    self.fitted = fitted
    self.toggled = toggled
  }

  /// The corrected double tap.
  public static let corrected = DoubleTapSubject(
    name: "double tap corrected", fitted: { try DoubleTapSetup($0).fitted },
    toggled: { input, position in
      try DoubleTapSetup(input.scene).toggled(zoom: position.zoom, tapped: input.place)
    })

  /// The double tap of fanyinan/ZoomImageScrollViewDemo as it was published last, commit 5fb8b8a.
  public static let original = DoubleTapSubject(
    published: "double tap original", factor: 2, .scaled)

  /// Its first version, commit c8fe072, which leaves the zoom out of the correction (DT-B1).
  public static let firstVersion = DoubleTapSubject(
    published: "double tap first version", factor: 2, .unscaled)

  /// The published one without the term that its author could not explain.
  public static let withoutTerm = DoubleTapSubject(
    published: "double tap without the term", factor: 2, .none)

  /// The published one, asked to enlarge four times, where the largest zoom is in the way (DT-B2).
  public static let fourTimes = DoubleTapSubject(
    published: "double tap original, R = 4", factor: 4, .scaled)

  private init(published name: String, factor: Double, _ correction: OriginalDoubleTap.Correction) {
    @Sendable func tap(_ scene: DoubleTapScene) -> OriginalDoubleTap {
      OriginalDoubleTap(
        image: scene.image, bounds: scene.bounds, factor: scene.factor,
        maximumZoom: scene.maximumZoom, correction: correction)
    }
    self.init(
      name: name, onlyFactor: factor, fitted: { tap($0).fitted },
      toggled: { input, position in
        // The recogniser sits on the image view, which gets no touch that is beside it.
        let image = input.scene.image
        let picture = ViewRect(x: 0, y: 0, width: image.width, height: image.height)
        guard picture.contains(input.place) else { return nil }
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
