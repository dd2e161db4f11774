public import ZoomGeometry

/// A picture in a scroll view that a double tap enlarges, unchecked: zero sides and NaN are scenes
/// too.
public struct DoubleTapScene: Sendable, Hashable {
  /// The picture's unscaled size in points: i.
  public var image: ViewSize
  /// The scroll view's size in points: B.
  public var bounds: ViewSize
  /// How much larger a double tap shows the picture: R.
  public var factor: Double
  /// The largest zoom: Zmax.
  public var maximumZoom: Double

  /// Creates a scene; a factor of 2 and a largest zoom of 3 are the published ones.
  public init(image: ViewSize, bounds: ViewSize, factor: Double = 2, maximumZoom: Double = 3) {
    self.image = image
    self.bounds = bounds
    self.factor = factor
    self.maximumZoom = maximumZoom
  }

  /// The scene as `300x500 in 375x667`, with what is not as usual.
  public var inWords: String {
    var words = "\(image.inWords) in \(bounds.inWords)"
    if factor != 2 { words += ", \(factor.inWords) times larger" }
    if maximumZoom != 3 { words += ", zoom up to \(maximumZoom.inWords)" }
    return words
  }

  /// The zoom that shows the whole picture, by the textbook's formula.
  package var fitScale: Double { min(1, bounds.width / image.width, bounds.height / image.height) }

  /// The zoom after a double tap at the fit, by the textbook's formula.
  package var closeZoom: Double { max(fitScale, min(fitScale * factor, maximumZoom)) }

  /// The scene with x and y swapped.
  package var transposed: DoubleTapScene {
    DoubleTapScene(
      image: image.transposed, bounds: bounds.transposed, factor: factor, maximumZoom: maximumZoom)
  }

  /// The two axes of a position.
  package func axes(_ position: ScrollPosition) -> [TapAxis] {
    [
      TapAxis(
        name: "x", image: image.width, bounds: bounds.width, zoom: position.zoom,
        origin: position.origin.x, offset: position.offset.x),
      TapAxis(
        name: "y", image: image.height, bounds: bounds.height, zoom: position.zoom,
        origin: position.origin.y, offset: position.offset.y),
    ]
  }
}

/// One axis of a picture in a scroll view, in points.
package struct TapAxis: Sendable {
  /// What messages call it.
  package let name: String
  /// The picture's length, the scroll view's, the zoom, and where the picture stands.
  package let image, bounds, zoom, origin, offset: Double

  /// How long the picture is on the screen.
  package var shown: Double { zoom * image }
  /// Where the picture begins on the screen.
  package var start: Double { origin - offset }
  /// Where the picture ends on the screen.
  package var end: Double { start + shown }
  /// Whether the picture is longer than the scroll view.
  package var isLonger: Bool { shown > bounds }
  /// The largest offset that does not scroll past the picture's end.
  package var furthest: Double { max(0, shown - bounds) }

  /// One unit in the last place of the longest length that positions are calculated from.
  package var ulp: Double { max(shown, bounds).ulp }

  /// Returns where a place of the picture stands on the screen.
  package func screen(_ place: Double) -> Double { origin + zoom * place - offset }
}

/// A scene and a double tap in it, with where the picture stands and a place of it in image points.
public struct DoubleTapInput: Sendable, Hashable {
  /// The picture and the scroll view.
  public var scene: DoubleTapScene
  /// The tapped place in image points.
  public var place: ViewPoint

  /// Creates an input.
  public init(scene: DoubleTapScene, place: ViewPoint) {
    self.scene = scene
    self.place = place
  }

  /// The input as `double tap at (150, 250) of 300x500 in 375x667`.
  public var inWords: String { "double tap at \(place.inWords) of \(scene.inWords)" }

  /// The input with x and y swapped.
  package var transposed: DoubleTapInput {
    DoubleTapInput(scene: scene.transposed, place: place.transposed)
  }

  /// The input with the place mirrored about the picture's centre.
  package var reflected: DoubleTapInput {
    DoubleTapInput(
      scene: scene,
      place: ViewPoint(x: scene.image.width - place.x, y: scene.image.height - place.y))
  }
}
