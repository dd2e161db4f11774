internal import ArgumentParser
internal import Foundation
internal import Measurement
internal import SystemPackage
internal import ZoomGeometry
internal import ZoomPipeline

/// `zoombench inspect`: reports the best source for a picture and the cost of peeks at many pictures.
struct InspectCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract: "Say how a picture is coded, which sources can read it and which is best.",
    discussion: """
      For a folder or a --list, it reports the number of pictures of each kind, the share of them that \
      peeks process, what seek indexes would save, and the files that cannot be read. It reads only \
      headers: zoombench index finds pictures that are damaged further down.

      Examples:
        zoombench inspect photo.jpg
        zoombench inspect photos --format json -o photos.json
      """)

  @Argument(help: "Pictures, or folders of them.")
  var files: [String] = []

  @OptionGroup var pictureList: PictureListOptions

  @OptionGroup var shards: ShardOptions

  @OptionGroup var indexes: IndexOptions

  @Option(help: "Pictures inspected at a time.")
  var jobs = min(256, ProcessInfo.processInfo.activeProcessorCount)

  @Option(help: "How to write the report of several pictures.")
  var format: ResultFormat = .table

  @OptionGroup var output: OutputOptions

  @Flag(help: "No progress bar.")
  var quiet = false

  @OptionGroup var limits: PictureLimitOptions

  func validate() throws {
    // Otherwise an empty argument list would succeed.
    if files.isEmpty && pictureList.list == nil { throw ValidationError("name a picture") }
    guard (1...256).contains(jobs) else { throw ValidationError("--jobs must be 1...256") }
  }

  func run() async throws {
    let isOneByOne =
      pictureList.isEmpty && shards.shard == nil && format == .table && output.path == nil
      && !files.contains(where: FilePath.isFolder)
    guard isOneByOne else {
      try await inspectCollection()
      return
    }
    let access = limits.remote.access
    for (number, file) in files.enumerated() {
      if number > 0 { try Output.write("\n", to: nil) }
      try inspect(file, limits.share(of: 1, access))
    }
  }

  private func inspect(_ file: String, _ limits: PictureLimits) throws {
    let pipelines = StandardPipelines(limits: limits, indexes: try indexes.places())
    let picture = try Picture(FilePath(file), limits: pipelines.limits)
    let choice = Result { try pipelines.automatic.choose(picture) }
    let chosen = try? choice.get().name
    let region = try PixelRegion(middleOf: picture.size)
    var costs: [String: PeekCost] = [:]
    var table = TextTable(columns: [
      .left("source"), .left("reads it"), .right("first"), .right("later"), .left("why"),
    ])
    for pipeline in pipelines.pictureReaders {
      let name = (pipeline.name == chosen ? "* " : "  ") + pipeline.name
      do {
        let explanation = try pipeline.open(picture).explanation
        let cost = try pipeline.cost(of: region, in: picture)
        costs[pipeline.name] = cost
        let shares = [cost?.first, cost?.later].map { pixels in
          pixels.map { Self.share($0, of: picture) } ?? Format.nothing
        }
        let isAutomatic = pipeline.name == pipelines.automatic.name
        let prefix = isAutomatic ? chosen.map { "\($0): " } ?? "" : ""
        table.append([name, "yes"] + shares + [prefix + explanation])
      } catch {
        table.append([name, "no", Format.nothing, Format.nothing, error.reason])
      }
    }
    let fetched =
      picture.file.fetched.map { "\nfetched to inspect it: \(Format.fetched($0))" } ?? ""
    let advice = try Self.advice(picture, chosen: chosen.flatMap { costs[$0] }, peek: region)
    try Output.write(
      """
      \(Format.oneLine(file)): \(picture.facts.joined(separator: ", "))
      \(Self.line(choice))

      \(table.rendered())
      first, later: the share of the picture that the first and later peeks at \(region.size) in its \
      middle process (decode or parse)\(fetched)
      \(advice)
      """, to: nil)
    _ = try choice.get()
  }

  /// Returns a share of the picture; at most 100 %, because tiles extend beyond the edges.
  private static func share(_ pixels: Int, of picture: Picture) -> String {
    Format.percent(min(1, Double(pixels) / Double(picture.storedSize.area)))
  }

  /// Returns advice that would at least halve the cost of peeks; empty if there is none.
  private static func advice(
    _ picture: Picture, chosen: PeekCost?, peek: PixelRegion
  ) throws -> String {
    guard let chosen else { return "" }
    let file = ShellWord.quoted(RemoteAddress.text(of: picture.path))
    var lines: [String] = []
    if picture.canBeIndexed, chosen.first > 2 * max(1, chosen.later) {
      lines.append("`zoombench index \(file)` makes the first peek as cheap as later ones")
    }
    let tiled = try picture.storedRegion(for: peek)
      .area(inTilesOf: PixelSize(width: TiledCopy.tileSide, height: TiledCopy.tileSide))
    if picture.reach == .fromTheTop, !picture.file.isRemote, chosen.first > 2 * tiled {
      lines.append(
        "as a tiled TIFF, any peek decodes \(share(tiled, of: picture)):"
          + " `\(TiledCopy.command(for: file))`")
    }
    guard !lines.isEmpty else { return "" }
    return "cheaper peeks:\n" + lines.map { "  \($0)\n" }.joined()
  }

  private static func line(_ choice: Result<AutomaticPipeline.Choice, any Error>) -> String {
    switch choice {
    case .success(let choice): "automatic picks \(choice.name): \(choice.source.explanation)"
    case .failure(let error):
      "automatic refuses it: \((error as? PipelineError)?.reason ?? "\(error)")"
    }
  }
}

/// The report of a collection, or one shard's part of it.
extension InspectCommand {
  func inspectCollection() async throws {
    let part = try shards.begin(output)
    let pictures = try pictureList.paths(files, limits.remote) { names in
      try PictureFinder.find(names, limits.limits, opensNamed: false).map(\.path)
    }
    let places = try indexes.places()
    let run = FileRun(
      action: .inspect, pictures: pictures,
      settings: [
        "memory": "\(limits.memory ?? 0)", "loaders": limits.loaders.rawValue,
        "indexes": indexes.indexDir == nil ? "standard" : "folder",
      ], jobs: jobs, format: format, output: output, isQuiet: quiet)
    let access = limits.remote.access
    try await run.run(part) { FileResult($0, limits.share(of: jobs, access), places) }
  }
}

extension FileResult {
  /// Creates the result of a picture from its headers.
  fileprivate init(_ path: FilePath, _ limits: PictureLimits, _ indexes: StoredIndexes) {
    do {
      let pipelines = StandardPipelines(limits: limits, indexes: indexes)
      let picture = try Picture(path, limits: pipelines.limits)
      let source = try pipelines.automatic.choose(picture).name
      let region = try PixelRegion(middleOf: picture.size)
      let cost = try pipelines.pictureReaders.first { $0.name == source }?
        .cost(of: region, in: picture)
      self.init(
        .readable,
        Row.File(
          kind: picture.kind, source: source, width: picture.size.width,
          height: picture.size.height, bytes: picture.version.length, firstPeek: cost?.first,
          laterPeek: cost?.later,
          // The same threshold as for one picture: smaller gains are not worth an index.
          gainsByIndex: picture.canBeIndexed
            && (cost.map { $0.first > 2 * max(1, $0.later) } ?? false)))
    } catch {
      self.init(unreadable: (error as? PipelineError)?.reason ?? "\(error)")
    }
  }
}

/// A copy of a picture as a tiled TIFF; for a peek, libvips decodes only the tiles that it touches.
enum TiledCopy {
  /// The side of a tile in pixels; image servers mostly use 256.
  static let tileSide = 256

  /// Returns the command that makes the copy of a file, whose name is quoted for a shell.
  static func command(for file: String) -> String {
    "vips copy \(file) 'tiled.tif[tile,compression=deflate,"
      + "tile-width=\(tileSide),tile-height=\(tileSide)]'"
  }
}

extension PixelRegion {
  /// Creates the region of a peek on a common screen, in the middle of a picture.
  init(middleOf size: PixelSize) throws {
    let (width, height) = (min(375, size.width), min(375, size.height))
    try self.init(
      x: (size.width - width) / 2, y: (size.height - height) / 2, width: width, height: height)
  }
}
