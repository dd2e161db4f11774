internal import Measurement
internal import SystemPackage
internal import ZoomFrames
internal import ZoomGeometry
internal import ZoomPipeline

/// Draws the moments of a replay and writes them, one panel per moment.
struct ReplayDrawing {
  let script: FilePath
  let timeline: ReplayTimeline
  let renderer: FrameRenderer
  let memory: MemoryBudget
  /// The most bytes of answers that the renderer caches; layers may take as many.
  let heldBytes: Int
  let bar: ProgressBar
  /// The width of a frame in pixels, instead of the screen's.
  let width: Int?

  private(set) var tally = ReplayTally()
  /// The moments of the state table, including those that are not drawn.
  private(set) var moments: [ReplayReport.Moment]

  init(
    _ script: String, timeline: ReplayTimeline, source: any RegionSource, memory: MemoryBudget,
    bar: ProgressBar, width: Int?
  ) {
    self.script = FilePath(script)
    self.timeline = timeline
    heldBytes = min(FrameRenderer.mostHeldBytes, memory.limit / 8)
    renderer = FrameRenderer(source: source, heldBytes: heldBytes)
    self.memory = memory
    self.bar = bar
    self.width = width
    moments = timeline.moments.map { moment in
      ReplayReport.Moment(
        time: moment.time,
        rows: zip(timeline.forms, moment.states).map { form, state in
          ReplayReport.Row(form: form, state: state)
        })
    }
  }

  mutating func writeFrames(into folder: FilePath) throws {
    // Numbers of equal length, so that every tool sorts them correctly.
    let digits = max(4, String(timeline.moments.count).count)
    let areas = try timeline.moments.map { try panelSize(of: [$0], width: width).area }
    try assertHeld("frames in a folder", pixels: areas.max() ?? 0)
    for index in timeline.moments.indices {
      let number = String(index + 1)
      let file =
        "frame-" + String(repeating: "0", count: digits - number.count) + number + ".png"
      let panel = try panel(index, width: width)
      try Image(panel).write(
        to: folder.appending(file), settings: "[compression=3]")
      moments[index].file = file
    }
  }

  /// Writes an animation of all frames with the script's durations.
  mutating func writeAnimation(to path: FilePath) throws {
    let size = try panelSize(of: timeline.moments, width: width)
    let durations = timeline.durations(step: path.extension?.lowercased() == "gif" ? 10 : 1)
    let shown = durations.indices.filter { durations[$0] > 0 }
    try FrameAnimation.check(count: shown.count, size: size, for: path)
    try assertHeld(
      "an animation of \(shown.count) frames of \(size) pixels", pixels: shown.count * size.area)
    var pictures: [FrameAnimation.Picture] = []
    for index in shown {
      let panel = try ContactSheet.padded(panel(index, width: width), to: size)
      pictures.append((panel, durations[index]))
    }
    try FrameAnimation.write(pictures, to: path)
  }

  /// Writes some of the moments side by side.
  mutating func writeSheet(to path: FilePath, cells: Int) throws {
    let chosen = timeline.sample(cells)
    let width = width ?? Self.sheetFrameWidth
    let size = try panelSize(of: timeline.moments, width: width)
    // Columns that make the sheet about square.
    let aspect = Double(size.height) / Double(size.width)
    let columns = max(1, Int((Double(chosen.count) * aspect).squareRoot().rounded(.up)))
    let sheet = ContactSheet(columns: columns, cellWidth: size.width)
    // Checked before the work, because the sheet may be too large.
    let whole = try sheet.size(count: chosen.count, of: size)
    try assertHeld("a contact sheet of \(whole) pixels", pixels: whole.area)
    var panels: [Pixels] = []
    for index in chosen {
      panels.append(try ContactSheet.padded(panel(index, width: width), to: size))
    }
    try Image(try sheet.pixels(panels)).writeForScreen(to: path)
  }

  /// Refuses a picture that takes more than the budget together with the largest frame, before any is drawn.
  private func assertHeld(_ picture: String, pixels: Int) throws {
    let screens = timeline.moments.lazy.compactMap(\.states.first).map(\.screen.pixels)
    guard let screen = screens.max(by: { $0.area < $1.area }) else { return }
    try memory.assertHolds(
      Self.bytesPerPixel * (timeline.forms.count * screen.area + pixels) + 2 * heldBytes,
      for: "drawing screens of \(screen) pixels for \(picture)", operation: "replay", script)
  }

  /// The bytes for a pixel of a screen (its frame, a layer, scaled copies) or of a picture that is written (its
  /// panels, the whole, the encoder's copy): measured as 9.4 and 9.5.
  private static let bytesPerPixel = 10

  /// The width of a frame on a sheet; eight fit side by side on a page.
  private static let sheetFrameWidth = 160

  /// Returns a moment's frame, or its two frames and their difference side by side.
  private mutating func panel(_ index: Int, width: Int?) throws -> Pixels {
    bar.update(Double(index) / Double(timeline.moments.count), "frame \(index + 1)")
    var frames: [Pixels] = []
    for (number, state) in timeline.moments[index].states.enumerated() {
      let (frame, elapsed) = try Stopwatch().measure { () throws(PipelineError) in
        try renderer.render(state)
      }
      tally.add(frame, elapsed)
      moments[index].rows[number].frame = ReplayReport.FrameFacts(frame)
      frames.append(frame.pixels)
    }
    let cell = try Self.cell(of: frames[0].size, width: width)
    guard frames.count == 2 else { return try frames[0].resampled(to: cell) }
    let comparison = try Comparison(
      original: frames[0], corrected: frames[1], threshold: Self.visible)
    moments[index].differingShare = comparison.share
    let panels = [frames[0], frames[1], comparison.marked]
    var sheet: [Pixels] = []
    for panel in panels { sheet.append(try panel.resampled(to: cell)) }
    return try ContactSheet(columns: 3, cellWidth: cell.width).pixels(sheet)
  }

  /// The largest sample difference that is not counted, because rounding may cause it.
  private static let visible = 2

  /// Returns the size that holds the panels of moments.
  private func panelSize(of moments: [ReplayTimeline.Moment], width: Int?) throws -> PixelSize {
    var (widest, highest) = (1, 1)
    for state in moments.compactMap(\.states.first) {
      let cell = try Self.cell(of: state.screen.pixels, width: width)
      let isPair = timeline.forms.count == 2
      widest = max(widest, isPair ? 3 * cell.width + 4 * ContactSheet.gap : cell.width)
      highest = max(highest, isPair ? cell.height + 2 * ContactSheet.gap : cell.height)
    }
    return try PixelSize(width: widest, height: highest)
  }

  private static func cell(of screen: PixelSize, width: Int?) throws -> PixelSize {
    guard let width else { return screen }
    let height = (Double(screen.height) * Double(width) / Double(screen.width)).rounded()
    guard height * Double(width) <= Double(FrameRenderer.mostPixels) else {
      throw Failure(
        .cannotCreate,
        "replay: a frame \(width) pixels wide of a screen of \(screen) has too many pixels"
          + " (use a smaller --width)")
    }
    return try PixelSize(width: width, height: max(1, Int(height)))
  }
}
