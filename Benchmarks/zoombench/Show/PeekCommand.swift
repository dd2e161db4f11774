internal import ArgumentParser
internal import Measurement
internal import PixelLaws
internal import SystemPackage
internal import ZoomGeometry
internal import ZoomPipeline

/// `zoombench peek`: writes one peek of a picture to a file.
struct PeekCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "peek", abstract: "Write the 1:1 peek at a touch on a picture.",
    discussion: """
      Examples:
        zoombench peek photo.jpg --touch 187,333 --viewport 375x667@2 -o peek.png
        zoombench peek photo.jpg --touch 9,9 --viewport 375x667 --source resident -o a.jpg
      """)

  @Argument(help: "The picture.")
  var file: String

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The finger's position, in points of the viewport.", valueName: "X,Y"))
  var touch: TouchArgument

  @Option(
    help: ArgumentHelp(
      "The view that shows the whole picture, in points, and the picture pixels shown for each "
        + "point of the peek.", valueName: "WxH@K"))
  var viewport: ViewportArgument

  @Option(
    name: .shortAndLong,
    help: "The file to write: .png, .jpg, .webp, .tif or another format that libvips writes.")
  var output: String

  @Option(help: "The peek's side in points (default: the viewport's shorter side).")
  var side: Double?

  @Option(
    help: ArgumentHelp(
      "For a touch beside the picture: clamp (nearest point of it) or reject (no peek).",
      valueName: "policy"),
    transform: { text in
      guard let policy = LetterboxPolicy(rawValue: text) else {
        throw ValidationError("--letterbox takes clamp or reject, not \(text)")
      }
      return policy
    })
  var letterbox = LetterboxPolicy.clamp

  @Option(
    help: ArgumentHelp(
      "Write one pixel per block of NxN (N at most 64), from a reduced copy in the file if there is "
        + "one, otherwise the block's mean.", valueName: "N"),
    transform: { text in
      guard let reduction = Int(text).flatMap({ Reduction(rawValue: $0) }) else {
        throw ValidationError("--reduce takes 1 to \(Reduction.largestFactor), not \(text)")
      }
      return reduction
    })
  var reduce = Reduction.none

  @Option(help: "How to read the picture (see zoombench inspect).")
  var source = "automatic"

  @OptionGroup var colour: ColourOptions

  @OptionGroup var programs: PipelineOptions

  @OptionGroup var indexes: IndexOptions

  @OptionGroup var limits: PictureLimitOptions

  func validate() throws { try OutputOptions.check(output, of: "-o") }

  func run() async throws {
    let target = FilePath(output)
    let path = FilePath(file)
    try Output.checkWritable(target, sparing: [path])
    try Image.checkSuffix(of: target)
    try Output.checkRegular(target)
    let temporary = try ScratchFolder.forAllTemporaryFiles()
    defer { temporary.remove() }
    let pipelines = StandardPipelines(limits: limits.limits, indexes: try indexes.places())
    let picture = try Picture(path, limits: pipelines.limits(for: [source]))
    let installed = try programs.installed(pipelines.limits)
    try colour.check(installed)
    let (name, opened) = try PictureOpener(pipelines, installed, colour: colour.target)
      .openPreferringForeign(picture, by: source)
    let setup = try PeekSetup(
      picture: opened.size, viewport: viewport.size, side: side, scale: viewport.scale,
      letterbox: letterbox)
    guard let peek = try setup.peek(at: touch.point) else {
      throw Failure(
        .finding, "\(file): peek: the touch is beside the picture (use --letterbox clamp)")
    }
    let blocks = peek.region.holdingBlocks(of: reduce.rawValue, in: opened.size)
    let request = RegionRequest(
      blocks, reduction: reduce, usesStoredLevels: reduce != Reduction.none)
    let (answer, elapsed) = try Stopwatch().measure { try opened.read(request) }
    let profile: [UInt8]? =
      if let colour = answer.colour { try colour.profile() } else { try picture.iccProfile() }
    try Image.withoutCopying(answer.pixels) { image throws(PipelineError) in
      var image = image
      if let profile { image = try image.carrying(profile: profile) }
      try image.writeForScreen(to: target)
    }
    let reduced =
      reduce == .none
      ? "" : "\nreduced   \(blocks) by \(reduce.rawValue): \(answer.resampling.rawValue)"
    try Output.write(
      """
      picture   \(Format.oneLine(file)) \(opened.size), read by \(name): \(opened.explanation)
      region    \(peek.region)
      frame     \(rectangle(peek.frame)) pt on screen\(reduced)
      time      \(Format.milliseconds(Double(elapsed.wallNanoseconds))) \
      (first peek, file already open)
      work      \(workLine(answer.work))\(fetchedLine(opened.openingWork, answer.work))
      written   \(Format.oneLine(output))

      """, to: nil)
  }

  private func rectangle(_ rectangle: ViewRect) -> String {
    [rectangle.x, rectangle.y, rectangle.width, rectangle.height].map(Format.significant)
      .joined(separator: ", ")
  }

  /// Returns a line about what a server was asked for; empty for a local picture.
  private func fetchedLine(_ opening: Work, _ peek: Work) -> String {
    guard let first = opening.fetched, let fetched = peek.fetched else { return "" }
    let shown = Double(fetched.bytes) / Double(max(1, peek.pixelsDelivered))
    return "\nfetched   \(Format.fetched(fetched)), \(Format.significant(shown)) bytes per pixel"
      + " shown (before, to open it: \(Format.fetched(first)))"
  }

  private func workLine(_ work: Work) -> String {
    var parts: [String] = []
    if let decoded = work.decodedPerDelivered {
      parts.append("\(Format.significant(decoded)) pixels decoded per pixel shown")
    }
    if let bytes = work.bytesRead { parts.append("\(Format.bytes(Double(bytes))) read") }
    if let units = work.unitsDecoded, let unit = work.unit {
      parts.append("\(units) \(unit == .mcu ? "MCUs" : "\(unit.rawValue)s")")
    }
    return parts.isEmpty ? Format.nothing : parts.joined(separator: ", ")
  }
}
