package import SystemPackage
internal import ZoomFrames
internal import ZoomGeometry
package import ZoomLaws
package import ZoomPipeline

/// A counterexample in pictures: the shown, the expected, and the difference, with the fingers.
package struct ViewerFilm: Sendable {
  private let each: ViewerCase
  private let levels: PlanePyramid
  private let registration: Registration
  private let breach: SightBreach?
  /// The frames in order of time, from the script's beginning.
  private let frames: [FilmFrame]

  /// The most moments of a strip; eight cells of a phone's width still fit on a page.
  private static let mostMoments = 8
  /// The most frames of an animation: 2 s at 60 per second.
  private static let mostFrames = 120
  /// The widest cell of a strip and of an animation in pixels.
  private static let (stripWidth, animationWidth) = (480, 360)
  /// The milliseconds for which the last frame is shown.
  private static let lastDuration = 1500

  /// Creates a film from the frames of a play in order of time, without those before the script.
  ///
  /// The breach is nil if the complaint is not about one look.
  package init(
    of each: ViewerCase, on picture: ViewerPicture, _ recorded: [FilmFrame],
    breach: SightBreach? = nil
  ) {
    (self.each, self.breach) = (each, breach)
    levels = picture.levels
    registration = Registration(picture.levels)
    var frames: [FilmFrame] = []
    for frame in recorded where frame.time > -0.001 {
      // A look has the screenshot of the frame before it.
      if frame.look != nil, let last = frames.last, last.look == nil,
        abs(last.time - frame.time) < 0.001
      {
        frames.removeLast()
      }
      frames.append(frame)
    }
    self.frames = frames
  }

  /// Writes a picture of the last eight looks up to that of the breach: a column for each, and rows
  /// of the shown, the expected and the difference, which is magenta.
  ///
  /// - Throws: `PipelineError` without looks, or if the file cannot be written.
  package func writeStrip(to path: FilePath) throws(PipelineError) {
    let all = frames.filter { $0.look != nil }
    let end = all.lastIndex { isOfBreach($0) } ?? all.count - 1
    let looks = all.prefix(max(end + 1, Self.mostMoments)).suffix(Self.mostMoments)
    var rows: [[Pixels]] = [[], [], []]
    for frame in looks {
      for (row, cell) in try panel(frame).cells.enumerated() { rows[row].append(cell) }
    }
    let cells = try Self.aligned(rows.flatMap { $0 })
    let width = cells.first.map { min($0.size.width, Self.stripWidth) } ?? 1
    let sheet = ContactSheet(columns: max(1, looks.count), cellWidth: width)
    try Image(try sheet.pixels(cells)).writeForScreen(to: path)
  }

  /// Writes an animation of the frames, each beside the expected and the difference.
  ///
  /// - Throws: `PipelineError` without frames, or if the file cannot be written.
  package func writeAnimation(to path: FilePath) throws(PipelineError) {
    let step = max(1, (frames.count + Self.mostFrames - 1) / Self.mostFrames)
    let chosen = stride(from: 0, to: frames.count, by: step).map { frames[$0] }
    var panels: [Pixels] = []
    for frame in chosen {
      let cells = try panel(frame).cells
      let width = min(cells[0].size.width, Self.animationWidth)
      panels.append(try ContactSheet(columns: cells.count, cellWidth: width).pixels(cells))
    }
    panels = try Self.aligned(panels)
    let pictures = panels.indices.map { index -> FrameAnimation.Picture in
      guard index + 1 < chosen.count else { return (panels[index], Self.lastDuration) }
      let seconds = chosen[index + 1].time - chosen[index].time
      return (panels[index], max(1, Int((1000 * seconds).rounded())))
    }
    try FrameAnimation.write(pictures, to: path)
  }

  /// Returns a frame with its comparison and its marks.
  private func panel(_ frame: FilmFrame) throws(PipelineError) -> FilmPanel {
    let image = try Image(png: frame.png)
    let shot = try image.read(PixelRegion(whole: image.size)).forScreen()
    let ratio = each.gesture.script.screen.scale
    let demanded = isOfBreach(frame) ? breach?.expected : nil
    var place = demanded ?? frame.look?.sight.place?.toScreen
    if place == nil, frame.look == nil, each.content == .card {
      place = registration.fit(shot, ratio: ratio).place?.toScreen
    }
    var panel = try FilmPanel(shot, place?.then(.scale(ratio)).inverted(), levels)
    panel.drawHands(each.gesture.script.events.prefix(frame.eventsSoFar), ratio: ratio)
    return panel
  }

  /// Returns whether a frame is the look that breaks the law.
  ///
  /// Looks are compared by their events, because recording may delay a settled look by some frames.
  private func isOfBreach(_ frame: FilmFrame) -> Bool {
    guard let look = frame.look, let broken = breach?.look else { return false }
    return look.eventsSoFar == broken.eventsSoFar && look.isSettled == broken.isSettled
  }

  /// Pads pictures of smaller viewports with grey, so that all have one size.
  private static func aligned(_ pictures: [Pixels]) throws(PipelineError) -> [Pixels] {
    let sizes = pictures.map(\.size)
    guard let width = sizes.map(\.width).max(), let height = sizes.map(\.height).max() else {
      return []
    }
    let size = TileService.size(width, height)
    var aligned: [Pixels] = []
    for picture in pictures { aligned.append(try ContactSheet.padded(picture, to: size)) }
    return aligned
  }
}
