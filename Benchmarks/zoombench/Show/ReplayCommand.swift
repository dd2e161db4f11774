internal import ArgumentParser
internal import Foundation
internal import Measurement
internal import SystemPackage
internal import ZoomCorpus
internal import ZoomGeometry
internal import ZoomPipeline

/// `zoombench replay`: plays a gesture script with a zoom system and writes its frames.
struct ReplayCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Play a gesture script with a zoom system and write its frames.",
    discussion: """
      The output's name determines what is written: every frame and the state table in a folder (a \
      name without a suffix), an animation (.webp or .gif), or a contact sheet (any other picture). \
      Times are those in the script, so the same script gives the same frames.

      Examples:
        zoombench replay peek-presses photo.jpg --system peek -o peek.webp
        zoombench replay force photo.jpg --system force --compare -o sheet.png
      """)

  @Argument(
    help: ArgumentHelp(
      "A gesture script: a file, or the name of a built-in one ("
        + CorpusGestures.names.joined(separator: ", ") + ")."))
  var script: String

  @Argument(help: "The picture.")
  var picture: String

  @Option(
    help: ArgumentHelp(
      "peek, fullscreen, force, double-tap or transition.", valueName: "name"),
    transform: ZoomSystem.init(named:))
  var system: ZoomSystem

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "What to write: a folder, .webp, .gif, or a picture.", valueName: "path"))
  var output: String

  @Flag(help: "Play the system as published, with its defects.")
  var original = false

  @Flag(help: "Show published, corrected and the difference, side by side.")
  var compare = false

  @Option(help: ArgumentHelp("A file for the state table, as JSON.", valueName: "file"))
  var states: String?

  @Option(help: "How to read the picture (see zoombench inspect).")
  var source = "automatic"

  @Option(
    help: ArgumentHelp(
      "The width of a frame in pixels (default: the screen's; 160 in a contact sheet).",
      valueName: "px"))
  var width: Int?

  @Option(help: ArgumentHelp("The most frames in a contact sheet.", valueName: "n"))
  var cells = 24

  @OptionGroup var programs: PipelineOptions

  @OptionGroup var indexes: IndexOptions

  @OptionGroup var limits: LimitOptions

  @Flag(help: "No progress bar.")
  var quiet = false

  func validate() throws {
    try OutputOptions.check(output, of: "-o")
    try OutputOptions.check(states, of: "--states")
    if original && compare { throw ValidationError("--compare shows the original anyway") }
    // The maximum is wider than any screen; a cell of one pixel would be useless.
    if let width, !(8...Screen.maximumSide).contains(width) {
      throw ValidationError("--width must be 8...\(Screen.maximumSide)")
    }
    guard (1...400).contains(cells) else { throw ValidationError("--cells must be 1...400") }
  }

  func run() async throws {
    let target = try ReplayTarget(output, sparing: FilePath(picture))
    try Output.checkWritable(states.map { FilePath($0) }, sparing: [FilePath(picture)])
    let gestures = try ScriptFile.load(script)
    let temporary = try ScratchFolder.forAllTemporaryFiles()
    defer { temporary.remove() }
    let pipelines = StandardPipelines(limits: limits.limits, indexes: try indexes.places())
    let (name, opened) = try PictureOpener(pipelines, try programs.installed(pipelines.limits))
      .openPreferringForeign(
        try Picture(FilePath(picture), limits: pipelines.limits), by: source)
    let timeline = try ReplayTimeline(
      gestures, system: system, picture: opened.size,
      forms: compare ? [.original, .corrected] : [original ? .original : .corrected])
    let bar = ProgressBar(isQuiet: quiet)
    defer { bar.finish() }
    var drawing = ReplayDrawing(
      script, timeline: timeline, source: opened, memory: pipelines.limits.memory, bar: bar,
      width: width)
    func table() throws -> String {
      let report = ReplayReport(
        script: script, system: system, picture: picture, width: opened.size.width,
        height: opened.size.height, source: name, moments: drawing.moments)
      return try Output.json(report)
    }
    switch target {
    case .folder(let path):
      let folder = try ScratchFolder(beside: path)
      defer { folder.remove() }
      try drawing.writeFrames(into: folder.path)
      try Output.write(try table(), to: folder.path.appending("states.json"))
      try folder.publish(as: path)
    case .sheet(let path): try drawing.writeSheet(to: path, cells: cells)
    case .animation(let path): try drawing.writeAnimation(to: path)
    }
    bar.finish()
    if let states { try Output.write(try table(), to: FilePath(states)) }
    let forms = timeline.forms.map(\.rawValue).joined(separator: " and ")
    let tally = drawing.tally
    try Output.write(
      """
      script    \(Format.oneLine(script)): \(Format.oneLine(gestures.name)), \(gestures.events.count) events
      picture   \(Format.oneLine(picture)) \(opened.size), read by \(name): \(opened.explanation)
      replay    \(system.rawValue), \(forms): \(timeline.moments.count) moments,\
       \(Format.significant(timeline.moments.last?.time ?? 0)) s, \(gestures.screen.pixels) px
      time      \(tally.timeLine)
      work      \(tally.workLine)
      drawn     \(tally.wayLine)
      written   \(Format.oneLine(output))

      """, to: nil)
  }
}
