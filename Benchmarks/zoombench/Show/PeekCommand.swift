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
        zoombench peek photo.jpg --touch 9,9 --viewport 375x667 --lossless -o a.jpg
      """)

  @Argument(help: "The picture.")
  var file: String

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Where the finger is, in points of the viewport.", valueName: "X,Y"))
  var touch: TouchArgument

  @Option(
    help: ArgumentHelp(
      "The view that shows the whole picture, in points, and the picture pixels shown for each "
        + "point of the peek.", valueName: "WxH@K"))
  var viewport: ViewportArgument

  @Option(
    name: .shortAndLong,
    help: "The picture to write: .png, .jpg, .webp, .tif and what else libvips writes.")
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
      "Write one pixel for each block of NxN, up to 64: from a reduced copy in the file if it holds "
        + "one, else a mean.", valueName: "N"),
    transform: { text in
      guard let reduction = Int(text).flatMap({ Reduction(rawValue: $0) }) else {
        throw ValidationError("--reduce takes 1 to \(Reduction.largestFactor), not \(text)")
      }
      return reduction
    })
  var reduce = Reduction.none

  @Option(help: "How to read the picture (see zoombench inspect).")
  var source = "automatic"

  @Flag(help: "Show what the published formula would show.")
  var original = false

  @OptionGroup var programs: PipelineOptions

  @OptionGroup var indexes: IndexOptions

  @OptionGroup var limits: LimitOptions

  @Flag(
    help: ArgumentHelp(
      "Write a JPEG of the picture's own coded data, whole MCUs around the peek, and say on stderr "
        + "where the peek begins in it."))
  var lossless = false

  func validate() throws {
    try OutputOptions.check(output, of: "-o")
    if reduce != .none, original || lossless {
      throw ValidationError("--reduce goes neither with --original nor with --lossless")
    }
    guard lossless else { return }
    if original { throw ValidationError("--lossless and --original exclude each other") }
    guard programs.isEmpty else {
      throw ValidationError("--lossless and --pipeline exclude each other")
    }
    guard ["jpg", "jpeg"].contains(FilePath(output).extension?.lowercased()) else {
      throw ValidationError("--lossless writes a JPEG: end the name of -o in .jpg or .jpeg")
    }
  }

  func run() async throws {
    let target = FilePath(output)
    try Output.checkWritable(target, sparing: [FilePath(file)])
    try Image.checkSuffix(of: target)
    try Output.checkRegular(target)
    let path = FilePath(file)
    let temporary = try ScratchFolder.forAllTemporaryFiles()
    defer { temporary.remove() }
    let pipelines = StandardPipelines(limits: limits.limits, indexes: try indexes.places())
    let picture = try Picture(path, limits: pipelines.limits)
    if lossless {
      try writeWindow(of: picture, to: target, PictureOpener(pipelines))
      return
    }
    let (name, opened) = try PictureOpener(pipelines, try programs.installed(pipelines.limits))
      .openPreferringForeign(picture, by: source)
    let setup = try setup(opened)
    let rendered = original ? try published(setup, opened) : try corrected(setup, opened)
    try Image.withoutCopying(rendered.pixels) { image throws(PipelineError) in
      var image = image
      if let smear = rendered.smear {
        image = try image.smeared(onto: smear.canvas, x: smear.x, y: smear.y)
      }
      if let profile = try picture.iccProfile() {
        image = try image.carrying(profile: profile)
      }
      try image.writeForScreen(to: target)
    }
    try Output.write(
      """
      picture   \(Format.oneLine(file)) \(opened.size), read by \(name): \(opened.explanation)
      \(rendered.description)
      time      \(Format.milliseconds(Double(rendered.elapsed.wallNanoseconds))) \
      (first peek, file already open)
      work      \(workLine(rendered.work))
      written   \(Format.oneLine(output))

      """, to: nil)
  }

  private struct Rendered {
    let pixels: Pixels
    /// The position of a published crop's pixels on a canvas that repeats their edges; nil for other peeks.
    var smear: (canvas: PixelSize, x: Int, y: Int)?
    let description: String
    let elapsed: Elapsed
    let work: Work
  }

  func setup(_ opened: any RegionSource) throws -> PeekSetup {
    try PeekSetup(
      picture: opened.size, viewport: viewport.size, side: side, scale: viewport.scale,
      letterbox: letterbox)
  }

  /// Returns the peek at the touch and its two lines of the report.
  func peek(_ setup: PeekSetup) throws -> (peek: Peek, description: String) {
    guard let peek = try setup.peek(at: touch.point) else {
      throw Failure(
        .finding, "\(file): peek: the touch is beside the picture (use --letterbox clamp)")
    }
    return (
      peek,
      """
      region    \(peek.region)
      frame     \(rectangle(peek.frame)) pt on screen
      """
    )
  }

  private func corrected(_ setup: PeekSetup, _ opened: any RegionSource) throws -> Rendered {
    let (peek, description) = try peek(setup)
    let blocks = peek.region.holdingBlocks(of: reduce.rawValue, in: opened.size)
    let request = RegionRequest(
      blocks, reduction: reduce, usesStoredLevels: reduce != Reduction.none)
    let (answer, elapsed) = try Stopwatch().measure { try opened.read(request) }
    let reduced =
      reduce == .none
      ? "" : "\nreduced   \(blocks) by \(reduce.rawValue): \(answer.resampling.rawValue)"
    return Rendered(
      pixels: answer.pixels, description: description + reduced, elapsed: elapsed,
      work: answer.work)
  }

  /// Renders the published crop, which may extend outside the picture.
  ///
  /// Outside pixels repeat the edge, as in Core Animation. The article leaves open how the crop's
  /// fractional origin is rounded; it is rounded half up here.
  private func published(_ setup: PeekSetup, _ opened: any RegionSource) throws -> Rendered {
    let peek = setup.originalPeek(at: touch.point)
    let crop = peek.shownCrop
    guard [crop.x, crop.y, crop.width, crop.height].allSatisfy(\.isFinite) else {
      throw Failure(
        .finding, "\(file): peek: the published formula gives a number that is not finite here")
    }
    // 20,000 is larger than any screen and makes 0.4 gigapixels; the published crop is unlimited.
    guard crop.width <= 20_000, crop.height <= 20_000 else {
      throw Failure(
        .usage,
        "\(file): peek: a side of \(Format.number(crop.width)) points is larger than"
          + " any screen (use --side)")
    }
    let size = opened.size
    // The published clamp keeps the origin inside 0...side, so these conversions cannot trap.
    let x = Int((crop.x + 0.5).rounded(.down))
    let y = Int((crop.y + 0.5).rounded(.down))
    let side = try PixelSize(
      width: Int(crop.width.rounded(.up)), height: Int(crop.height.rounded(.up)))
    let inside = try PixelRegion(
      x: min(x, size.width - 1), y: min(y, size.height - 1),
      width: min(side.width, max(1, size.width - x)),
      height: min(side.height, max(1, size.height - y)))
    let (answer, elapsed) = try Stopwatch().measure {
      try opened.read(RegionRequest(inside))
    }
    return Rendered(
      pixels: answer.pixels, smear: (side, inside.x - x, inside.y - y),
      description: """
        region    \(side)+\(x)+\(y), of which \(inside) lies in the picture (as published)
        frame     \(rectangle(peek.frame)) pt on screen
        """,
      elapsed: elapsed, work: answer.work)
  }

  private func rectangle(_ rectangle: ViewRect) -> String {
    [rectangle.x, rectangle.y, rectangle.width, rectangle.height].map(Format.significant)
      .joined(separator: ", ")
  }

  private func workLine(_ work: Work) -> String {
    var parts: [String] = []
    if let decoded = work.decodedPerDelivered {
      parts.append("\(Format.significant(decoded)) pixels decoded for each shown")
    }
    if let bytes = work.bytesRead { parts.append("\(Format.bytes(Double(bytes))) read") }
    if let units = work.unitsDecoded, let unit = work.unit {
      parts.append("\(units) \(unit == .mcu ? "MCUs" : "\(unit.rawValue)s")")
    }
    return parts.isEmpty ? Format.nothing : parts.joined(separator: ", ")
  }
}

extension PeekCommand {
  /// Writes a JPEG of only the peek's MCUs, and reports where the peek begins in it.
  func writeWindow(
    of picture: Picture, to target: FilePath, _ opener: PictureOpener
  ) throws {
    // The best source for reading may not support windows.
    let (name, opened) = try opener.open(picture, by: source == "automatic" ? "partial" : source)
    guard let windows = opened as? any JPEGWindowSource else {
      if picture.jpegStructure == nil {
        throw PipelineError(
          .unsupported, operation: "peek", file: picture.path,
          reason: "only parts of a JPEG can be written without encoding them again",
          advice: "leave out --lossless")
      }
      throw ValidationError(
        "--lossless needs a source that hands out parts of a JPEG, as --source partial does")
    }
    let (peek, description) = try peek(try setup(opened))
    let (window, elapsed) = try Stopwatch().measure { try windows.window(for: peek.region) }
    let bytes = try picture.iccProfile().map { window.bytes(withProfile: $0) } ?? window.bytes
    guard let bytes else {
      throw PipelineError(
        .unsupported, operation: "cut out", file: picture.path,
        reason: "its colour profile is too long")
    }
    try AtomicFile.write(bytes, to: target)
    let orientation = picture.orientation
    let stored =
      orientation == .up
      ? "" : ", all of it as stored: orientation \(orientation.rawValue) applies to the whole"
    Diagnostics.say(
      "\(output): the peek begins at \(window.offset.x),\(window.offset.y) and is \(window.size)"
        + " of its \(window.stored.size) pixels\(stored)")
    try Output.write(
      """
      picture   \(Format.oneLine(file)) \(opened.size), cut out by \(name): \(opened.explanation)
      \(description)
      time      \(Format.milliseconds(Double(elapsed.wallNanoseconds))) \
      (first peek, file already open)
      holds     \(window.stored) of the stored picture
      written   \(Format.oneLine(output)), \(Format.bytes(Double(bytes.count)))

      """, to: nil)
  }
}
