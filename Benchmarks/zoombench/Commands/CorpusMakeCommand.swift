internal import ArgumentParser
internal import SystemPackage
internal import ZoomCorpus
internal import ZoomPipeline

/// `zoombench corpus make`.
struct CorpusMakeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "make",
    abstract: "Make the pictures that are missing and check what came out.",
    discussion: "Without names: all but those on demand (gigapixel).")

  @Argument(help: "Names of pictures.")
  var names: [String] = []

  @OptionGroup var limits: LimitOptions

  @OptionGroup var location: CorpusLocation

  @Option(
    help: ArgumentHelp(
      "Write the digests of what was made into this manifest (after changing a recipe).",
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

  /// Makes pictures as a manifest on disk says, whatever digests it holds, and writes new ones.
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
