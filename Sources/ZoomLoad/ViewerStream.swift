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

  /// The indices of the pictures that the viewer opens.
  package let choices: [Int]
  private let pictures: [TileGrid]
  private let model: Model
  private var random: SeededRandom
  private var picture = 0
  private var center = (x: 0.0, y: 0.0)
  private var scale = 1.0
  /// The scale to which a peek returns.
  private var scaleBeforePeek: Double?
  private var viewsLeft = 0
  private var next = 0
  private var loaded: Set<LoadPart> = []

  package init(
    _ pictures: [TileGrid], choices: [Int], model: Model, seed: UInt64, viewer: Int
  ) {
    precondition(!choices.isEmpty, "a viewer opens at least one picture")
    (self.pictures, self.choices, self.model) = (pictures, choices, model)
    random = SeededRandom(seed: seed, stream: UInt64(viewer))
  }

  /// Returns the parts that the next view needs and the viewer lacks; never none.
  package mutating func nextParts() -> [LoadPart] {
    while true {
      if viewsLeft == 0 { open() }
      viewsLeft -= 1
      let parts = tiles(of: nextView()).filter { !loaded.contains($0) }
      // With whole regions instead of tiles, nothing is asked for twice except by chance.
      if !parts.isEmpty {
        loaded.formUnion(parts)
        return parts
      }
    }
  }

  /// Opens a picture without any loaded tile.
  private mutating func open() {
    picture = choices[random.index(below: choices.count)]
    (loaded, next, scaleBeforePeek) = ([], 0, nil)
    switch model {
    case .seeded(let screen):
      viewsLeft = 8 + random.index(below: 17)
      center = (Double(grid.size.width) / 2, Double(grid.size.height) / 2)
      scale = widest(on: screen)
    case .scripted(let views): viewsLeft = views[picture].count
    }
  }

  private var grid: TileGrid { pictures[picture] }

  /// Returns the scale of the fitted picture, or of the smallest level if that is larger.
  private func widest(on screen: PixelSize) -> Double {
    let fit = max(
      Double(grid.size.width) / Double(screen.width),
      Double(grid.size.height) / Double(screen.height))
    return max(Self.closest, min(fit, Double(grid.factors.last ?? 1)))
  }

  /// The scale at which viewers stop zooming in: a picture pixel covers two screen pixels.
  private static let closest = 0.5

  private mutating func nextView() -> View {
    next += 1
    switch model {
    case .scripted(let views): return views[picture][next - 1]
    case .seeded(let screen):
      if next > 1 { move(on: screen) }
      return view(on: screen)
    }
  }

  /// Moves to the next view, by the weights of a person who looks for details.
  private mutating func move(on screen: PixelSize) {
    if let before = scaleBeforePeek {
      (scale, scaleBeforePeek) = (before, nil)
      return
    }
    let (width, height) = (Double(screen.width) * scale, Double(screen.height) * scale)
    let draw = random.unit()
    switch draw {
    case ..<0.35:
      // A zoom keeps the point under the fingers, which a person chooses inside the view.
      center.x += (random.unit() - 0.5) * width / 2
      center.y += (random.unit() - 0.5) * height / 2
      scale = max(Self.closest, scale / (1.5 + 1.5 * random.unit()))
    case ..<0.5: scale = min(widest(on: screen), scale * (1.5 + 2.5 * random.unit()))
    case ..<0.9:
      // A drag moves by less than the view, a flick by more.
      let length = draw < 0.75 ? 0.3 + 0.6 * random.unit() : 1 + 1.5 * random.unit()
      let angle = 2 * Double.pi * random.unit()
      center.x += cos(angle) * length * width
      center.y += sin(angle) * length * height
    default:
      scaleBeforePeek = scale
      center.x += (random.unit() - 0.5) * width
      center.y += (random.unit() - 0.5) * height
      scale = min(scale, 1)
    }
  }

  /// Returns the view at the current place, after moving it into the picture.
  private mutating func view(on screen: PixelSize) -> View {
    let (columns, x) = Self.span(center.x, Double(screen.width) * scale, grid.size.width)
    let (rows, y) = Self.span(center.y, Double(screen.height) * scale, grid.size.height)
    center = (x, y)
    return View(
      region: PixelRegion(
        uncheckedX: columns.lowerBound, y: rows.lowerBound, width: columns.count,
        height: rows.count),
      scale: scale)
  }

  /// Returns the pixels of one axis that a length around a center shows, and the center moved inside.
  private static func span(
    _ center: Double, _ shown: Double, _ whole: Int
  ) -> (pixels: Range<Int>, center: Double) {
    let length = min(Double(whole), shown)
    let center = min(max(center, length / 2), Double(whole) - length / 2)
    let start = min(Int(center - length / 2), whole - 1)
    return (start..<max(start + 1, min(whole, start + Int(length.rounded(.up)))), center)
  }

  /// Returns the tiles of the level that viewers choose: the smallest that loses no detail.
  private func tiles(of view: View) -> [LoadPart] {
    let factor = grid.factors.last { Double($0) <= view.scale + 1e-9 } ?? 1
    return grid.tiles(covering: view.region, factor: factor).map {
      LoadPart(picture: picture, tile: $0)
    }
  }
}

extension ViewerStream {
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
