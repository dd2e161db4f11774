internal import Foundation
internal import ZoomFrames
internal import ZoomGeometry
internal import ZoomLaws
internal import ZoomPipeline

/// One moment of a film: the screenshot with the fingers, the expected picture, and the difference.
struct FilmPanel {
  private var shown: Pixels
  private let others: [Pixels]

  /// The largest difference of samples that is not marked; good viewers that let the browser scale
  /// a picture differ by up to 12 levels.
  private static let usual = 12
  /// The radius of a finger in CSS pixels.
  private static let fingerRadius = 14.0

  /// Compares a screenshot, as a screen shows it, with the picture.
  ///
  /// The map takes device pixels to picture pixels; without it, all cells are the screenshot.
  init(_ shot: Pixels, _ map: Affine?, _ levels: PlanePyramid) throws(PipelineError) {
    shown = shot
    guard let map, map.isUsable else {
      others = [shot, shot]
      return
    }
    let (width, height) = (shot.size.width, shot.size.height)
    // The coarsest level that is not coarser than the screen.
    let step = abs(map.determinant).squareRoot()
    let field = levels.expected(
      map, in: ScreenWindow(x: 0, y: 0, width: width, height: height),
      level: step > 1 ? Int(log2(step)) : 0)
    // Outside the picture, a page shows a colour that is unknown.
    var bytes = shot.bytes
    for index in field.values.indices {
      let point = ViewPoint(x: Double(index % width) + 0.5, y: Double(index / width) + 0.5)
      let place = map.apply(to: point)
      guard place.x >= 0, place.y >= 0, place.x < Double(levels.size.width),
        place.y < Double(levels.size.height)
      else { continue }
      for band in 0..<3 { bytes[3 * index + band] = UInt8(field.values[index][band] + 0.5) }
    }
    let expected = Pixels(rgb: shot.size, bytes)
    others = [
      expected,
      try Comparison(original: expected, corrected: shot, threshold: Self.usual).marked,
    ]
  }

  var cells: [Pixels] { [shown] + others }

  /// Draws the fingers that are down after some events, and the pointer if its wheel turned last.
  mutating func drawHands(_ events: ArraySlice<GestureEvent>, ratio: Double) {
    var points = Array(events.fingers().values)
    if case .wheel(let at, _) = events.last?.kind { points.append(at) }
    if points.isEmpty { return }
    let size = shown.size
    var bytes = shown.bytes
    for index in 0..<size.area {
      let place = ViewPoint(x: Double(index % size.width), y: Double(index / size.width))
        .scaled(by: 1 / ratio)
      guard points.contains(where: { $0.distance(to: place) < Self.fingerRadius }) else { continue }
      // Orange, through which the picture can be seen.
      for (band, level) in [255, 110, 0].enumerated() {
        bytes[3 * index + band] = UInt8((Int(bytes[3 * index + band]) + level) / 2)
      }
    }
    shown = Pixels(rgb: size, bytes)
  }
}
