package import SystemPackage
internal import ZoomFrames
internal import ZoomGeometry
package import ZoomLaws
package import ZoomPipeline

/// A counterexample in pictures: the shown, the expected, and the difference, with the fingers.
package struct ViewerFilm: Sendable {
  private let each: ViewerCase
  private let levels: PlanePyramid
  private let breach: SightBreach?
  private let frames: [FilmFrame]

  /// The most moments of a strip; eight cells of a phone's width still fit on a page.
  private static let mostMoments = 8
  private static let (stripWidth, animationWidth) = (480, 360)
  /// The largest difference of samples that is not marked; good viewers that let the browser scale
  /// a picture differ by up to 12 levels.
  private static let usual = 12
  /// The radius of a finger in CSS pixels.
  private static let fingerRadius = 14.0

  /// Creates a film from the looks of a play in order of time; the breach is nil if it is not about one look.
  package init(of each: ViewerCase, _ frames: [FilmFrame], breach: SightBreach? = nil) {
    (self.each, self.breach, self.frames) = (each, breach, frames)
    levels = PlanePyramid(PlaceCard.pixels(of: each.gesture.picture))
  }

  /// Writes a picture of the last eight looks, ending with that of the breach, in columns.
  ///
  /// The rows are the shown, the expected and the difference, which is magenta. Throws without looks.
  package func writeStrip(to path: FilePath) throws(PipelineError) {
    let end = frames.lastIndex { isOfBreach($0.look) } ?? frames.count - 1
    let looks = frames.prefix(max(end + 1, Self.mostMoments)).suffix(Self.mostMoments)
    let panels = try looks.map { frame throws(PipelineError) in try panel(frame) }
    let cells = try Self.aligned((0..<3).flatMap { row in panels.map { $0[row] } })
    let width = cells.first.map { min($0.size.width, Self.stripWidth) } ?? 1
    let sheet = ContactSheet(columns: max(1, looks.count), cellWidth: width)
    try Image(try sheet.pixels(cells)).writeForScreen(to: path)
  }

  /// Writes an animation of all looks, each beside the expected and the difference; the last is shown for 1.5 seconds.
  package func writeAnimation(to path: FilePath) throws(PipelineError) {
    let panels = try frames.map { frame throws(PipelineError) -> Pixels in
      let cells = try panel(frame)
      let width = min(cells[0].size.width, Self.animationWidth)
      return try ContactSheet(columns: cells.count, cellWidth: width).pixels(cells)
    }
    let times = frames.map { $0.look.time }
    let ends = times.dropFirst() + [(times.last ?? 0) + 1.5]
    let durations = zip(times, ends).map { max(1, Int((1000 * ($1 - $0)).rounded())) }
    try FrameAnimation.write(Array(zip(try Self.aligned(panels), durations)), to: path)
  }

  /// Returns the shown with the fingers, the expected and the difference of a frame.
  private func panel(_ frame: FilmFrame) throws(PipelineError) -> [Pixels] {
    let image = try Image(png: frame.png)
    let shot = try image.read(PixelRegion(whole: image.size)).forScreen()
    let ratio = each.gesture.script.screen.scale
    let look = frame.look
    let demanded = isOfBreach(look) ? breach?.expected : nil
    let place = demanded ?? look.sight.place?.toScreen
    let shown = Self.withHands(shot, each.gesture.script.events.prefix(look.eventsSoFar), ratio)
    return try [shown] + Self.compared(shot, place?.then(.scale(ratio)).inverted(), levels)
  }

  /// Returns the picture as a screen should show it, and its difference from a screenshot.
  ///
  /// The map takes device pixels to picture pixels; without it, both are the screenshot.
  static func compared(
    _ shot: Pixels, _ map: Affine?, _ levels: PlanePyramid
  ) throws(PipelineError) -> [Pixels] {
    guard let map, map.isUsable else { return [shot, shot] }
    let level = Int(levels.halvings(map))
    let field = levels.expected(map, in: PixelRegion(whole: shot.size), level: level)
    var bytes = shot.bytes
    // Outside the picture, a page shows a colour that is unknown.
    for index in field.values.indices where field.values[index].w >= 0 {
      for band in 0..<3 { bytes[3 * index + band] = UInt8(field.values[index][band] + 0.5) }
    }
    let expected = Pixels(rgb: shot.size, bytes)
    let marked = try Comparison(original: expected, corrected: shot, threshold: usual).marked
    return [expected, marked]
  }

  /// Draws the fingers that are down after some events, and the pointer if its wheel turned last.
  static func withHands(
    _ shot: Pixels, _ events: ArraySlice<GestureEvent>, _ ratio: Double
  ) -> Pixels {
    var points = Array(events.fingers().values)
    if case .wheel(let at, _) = events.last?.kind { points.append(at) }
    if points.isEmpty { return shot }
    var bytes = shot.bytes
    for index in 0..<shot.size.area {
      let (x, y) = (Double(index % shot.size.width), Double(index / shot.size.width))
      let place = ViewPoint(x: x / ratio, y: y / ratio)
      guard points.contains(where: { $0.distance(to: place) < fingerRadius }) else { continue }
      // Orange, through which the picture can be seen.
      for (band, level) in [255, 110, 0].enumerated() {
        bytes[3 * index + band] = UInt8((Int(bytes[3 * index + band]) + level) / 2)
      }
    }
    return Pixels(rgb: shot.size, bytes)
  }

  /// Returns whether a look breaks the law: the same moment of another play.
  private func isOfBreach(_ look: ViewerLook) -> Bool {
    look.eventsSoFar == breach?.look?.eventsSoFar && look.isSettled == breach?.look?.isSettled
  }

  /// Pads pictures of smaller viewports with grey, so that all have one size.
  private static func aligned(_ pictures: [Pixels]) throws(PipelineError) -> [Pixels] {
    let width = pictures.map(\.size.width).max() ?? 1
    let height = pictures.map(\.size.height).max() ?? 1
    return try pictures.map { picture throws(PipelineError) in
      try ContactSheet.padded(picture, to: TileService.size(width, height))
    }
  }
}
