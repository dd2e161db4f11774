package import ForeignPipelines
internal import Foundation
internal import Measurement
package import ZoomGeometry

/// The views of one viewer who opens a picture, zooms, pans, flicks and peeks.
///
/// A viewer keeps the tiles of the picture that is open, as a browser does, so each view needs only new ones.
package struct ViewerStream: Sendable {
  /// A view at rest: its part of the picture, and picture pixels per screen pixel.
  package struct View: Sendable, Hashable {
    package let region: PixelRegion
    package let scale: Double
  }

  /// The way in which views are chosen.
  package enum Model: Sendable {
    /// By weights for zooms, pans, flicks and peeks on a screen of this size.
    case seeded(screen: PixelSize)
    /// The views of recorded gestures for each picture, at least one, over and over.
    case scripted([[View]])
  }

  private let pictures: [TileGrid]
  /// The indices of the pictures that the viewer opens.
  private let choices: [Int]
  private let model: Model
  private var random: SeededRandom
  private var picture = 0
  /// The views that are left until a picture is opened again.
  private var views: ArraySlice<View> = []
  private var loaded: Set<LoadPart> = []

  package init(
    _ pictures: [TileGrid], choices: [Int], model: Model, seed: UInt64, viewer: Int
  ) {
    (self.pictures, self.choices, self.model) = (pictures, choices, model)
    random = SeededRandom(seed: seed, stream: UInt64(viewer))
  }

  /// Returns the parts that the next view needs and the viewer lacks; never none.
  package mutating func nextParts() -> [LoadPart] {
    while true {
      if views.isEmpty { open() }
      let view = views.removeFirst()
      // The smallest level that loses no detail.
      let factor = grid.factors.last { Double($0) <= view.scale + 1e-9 } ?? 1
      let parts = grid.tiles(covering: view.region, factor: factor)
        .map { LoadPart(picture: picture, tile: $0) }.filter { !loaded.contains($0) }
      // With whole regions instead of tiles, nothing is asked for twice except by chance.
      if !parts.isEmpty {
        loaded.formUnion(parts)
        return parts
      }
    }
  }

  private mutating func open() {
    picture = choices[random.index(below: choices.count)]
    loaded = []
    switch model {
    case .seeded(let screen): views = drawViews(on: screen)[...]
    case .scripted(let all): views = all[picture][...]
    }
  }

  private var grid: TileGrid { pictures[picture] }

  /// The scale at which viewers stop zooming in: a picture pixel covers two screen pixels.
  private static let closest = 0.5

  /// Draws views: the fitted picture, and then moves by the weights of a person who looks for details.
  private mutating func drawViews(on screen: PixelSize) -> [View] {
    let size = (width: Double(grid.size.width), height: Double(grid.size.height))
    // The smallest level may be larger than the fitted picture.
    let fit = max(size.width / Double(screen.width), size.height / Double(screen.height))
    let widest = max(Self.closest, min(fit, Double(grid.factors.last ?? 1)))
    var (x, y, scale) = (size.width / 2, size.height / 2, widest)
    var scaleBeforePeek: Double?
    return (0..<8 + random.index(below: 17)).map { number in
      let (width, height) = (Double(screen.width) * scale, Double(screen.height) * scale)
      if let before = scaleBeforePeek {
        (scale, scaleBeforePeek) = (before, nil)
      } else if number > 0 {
        let draw = random.unit()
        switch draw {
        case ..<0.35:
          // A zoom keeps the point under the fingers, which a person chooses inside the view.
          x += (random.unit() - 0.5) * width / 2
          y += (random.unit() - 0.5) * height / 2
          scale = max(Self.closest, scale / (1.5 + 1.5 * random.unit()))
        case ..<0.5: scale = min(widest, scale * (1.5 + 2.5 * random.unit()))
        case ..<0.9:
          // A drag moves by less than the view, a flick by more.
          let length = draw < 0.75 ? 0.3 + 0.6 * random.unit() : 1 + 1.5 * random.unit()
          let angle = 2 * Double.pi * random.unit()
          x += cos(angle) * length * width
          y += sin(angle) * length * height
        default:
          scaleBeforePeek = scale
          x += (random.unit() - 0.5) * width
          y += (random.unit() - 0.5) * height
          scale = min(scale, 1)
        }
      }
      let columns = Self.span(&x, Double(screen.width) * scale, grid.size.width)
      let rows = Self.span(&y, Double(screen.height) * scale, grid.size.height)
      return View(
        region: PixelRegion(
          uncheckedX: columns.lowerBound, y: rows.lowerBound, width: columns.count,
          height: rows.count),
        scale: scale)
    }
  }

  /// Moves a center so that a length around it is inside an axis, and returns the pixels that it shows.
  private static func span(_ center: inout Double, _ shown: Double, _ whole: Int) -> Range<Int> {
    let length = min(Double(whole), shown)
    center = min(max(center, length / 2), Double(whole) - length / 2)
    let start = min(Int(center - length / 2), whole - 1)
    return start..<min(whole, start + max(1, Int(length.rounded(.up))))
  }

  /// Returns the views at which a system rests while it plays a script; never none.
  ///
  /// A view is at rest if no other follows within a tenth of a second.
  package static func views(
    of script: GestureScript, system: ZoomSystem, picture: PixelSize
  ) throws(GeometryError) -> [View] {
    var player = try GesturePlayer(script, system: system, picture: picture)
    var views: [View] = []
    var last: ZoomState?
    func rest(_ state: ZoomState?) {
      guard let state, let layer = state.picture,
        let plan = PicturePlan(layer, on: state.screen, picture: picture)
      else { return }
      let view = View(region: plan.region, scale: Double(plan.reduction * plan.shrink))
      if views.last != view { views.append(view) }
    }
    while let state = try player.next() {
      if let before = last, state.time - before.time > 0.1 { rest(before) }
      last = state
    }
    rest(last)
    return views.isEmpty ? [View(region: PixelRegion(whole: picture), scale: 1)] : views
  }
}
