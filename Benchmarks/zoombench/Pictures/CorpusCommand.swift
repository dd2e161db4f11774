internal import ArgumentParser
internal import SystemPackage
internal import ZoomCorpus
internal import ZoomPipeline

/// `zoombench corpus`: the standard pictures for measurements.
struct CorpusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "corpus", abstract: "List, make and check the corpus of pictures.",
    subcommands: [CorpusListCommand.self, CorpusMakeCommand.self, CorpusCheckCommand.self],
    defaultSubcommand: CorpusListCommand.self)
}

struct CorpusListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the corpus: what each picture is and whether it is made.")

  @OptionGroup var location: CorpusLocation

  func run() throws {
    let folder = CorpusFolder(location.path)
    var table = TextTable(
      columns: [.left("name"), .right("size"), .left("made"), .left("purpose")])
    for picture in try CorpusManifest.builtIn().pictures {
      let made = folder.isMade(picture) ? "yes" : picture.isOnDemand ? "on demand" : "no"
      table.append([
        picture.name, "\(picture.structure.width)x\(picture.structure.height)", made,
        picture.purpose,
      ])
    }
    try Output.write("\(location.path)\n\n\(table.rendered())", to: nil)
  }
}

struct CorpusMakeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "make",
    abstract: "Make the pictures that are missing, and check their pixels.",
    discussion: "Without names: all except those on demand (see zoombench corpus list).")

  @Argument(help: "Names of pictures.")
  var names: [String] = []

  @OptionGroup var limits: LimitOptions

  @OptionGroup var location: CorpusLocation

  @Option(
    help: ArgumentHelp(
      "Write the digests of the made pictures into this manifest (after changing a recipe).",
      valueName: "manifest"))
  var writeManifest: String?

  func run() async throws {
    let setUp = CorpusSetUp(folder: CorpusFolder(location.path, limits: limits.limits))
    let count: Int
    if let writeManifest {
      count = try await make(setUp, recordingIn: FilePath(writeManifest))
    } else {
      let manifest = try CorpusManifest.builtIn()
      count = try await setUp.make(try manifest.pictures(asked: names)).count
    }
    try Output.write("\(count) pictures are ready in \(location.path)\n", to: nil)
  }

  /// Makes the pictures of a manifest on disk, ignores its digests and writes new ones.
  private func make(_ setUp: CorpusSetUp, recordingIn path: FilePath) async throws -> Int {
    let reader = try FileReader(path)
    let manifest = try CorpusManifest(json: try reader.bytes(at: 0, count: reader.length))
    let digests = try await setUp.make(
      try manifest.pictures(asked: names).map { $0.recording(nil) })
    let pictures = manifest.pictures.map { picture in
      digests[picture.name].map { picture.recording($0) } ?? picture
    }
    try AtomicFile.write(
      try CorpusManifest(version: manifest.version, pictures: pictures).json(), to: path)
    return digests.count
  }
}

struct CorpusCheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Compare made pictures with the manifest, pixel by pixel.")

  @Argument(help: "Names of pictures (default: all that are made).")
  var names: [String] = []

  @OptionGroup var limits: LimitOptions

  @OptionGroup var location: CorpusLocation

  func run() throws {
    let folder = CorpusFolder(location.path, limits: limits.limits)
    let manifest = try CorpusManifest.builtIn()
    var pictures = try manifest.pictures(asked: names)
    if names.isEmpty {
      pictures = manifest.pictures.filter { folder.isMade($0) }
      guard !pictures.isEmpty else {
        throw Failure(
          .noInput, "\(location.path): no corpus picture is made (run zoombench corpus make)")
      }
    }
    var findings = 0
    for picture in pictures {
      let found = try folder.check(picture)
      findings += found.count
      let verdict = found.isEmpty ? "right" : found.joined(separator: "; ")
      try Output.write("\(picture.name): \(verdict)\n", to: nil)
    }
    if findings > 0 { throw Failure(.finding, "\(findings) findings in \(location.path)") }
  }
}
