internal import ArgumentParser
internal import SystemPackage
internal import ZoomCorpus
internal import ZoomPipeline

/// `zoombench corpus`: the standard pictures for measurements.
struct CorpusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "corpus", abstract: "List and make the corpus of pictures.",
    subcommands: [CorpusListCommand.self, CorpusMakeCommand.self],
    defaultSubcommand: CorpusListCommand.self)
}

struct CorpusListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the corpus: what each picture is and whether it is made.",
    discussion: """
      Examples:
        zoombench corpus list
        zoombench corpus list --corpus-folder /data/corpus
      """)

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
    abstract: "Make the pictures that are missing, and check the pixels of all.",
    discussion: """
      Without names: all except those on demand. A picture that differs from the manifest is a \
      finding.

      Examples:
        zoombench corpus make
        zoombench corpus make petronas gigapixel
      """)

  @Argument(help: "Names of pictures (see zoombench corpus list).")
  var names: [String] = []

  @OptionGroup var limits: LimitOptions

  @OptionGroup var location: CorpusLocation

  func run() async throws {
    let folder = CorpusFolder(location.path, limits: limits.limits)
    let pictures = try CorpusManifest.builtIn().pictures(asked: names)
    let existing = pictures.filter { folder.isMade($0) }
    try await CorpusSetUp(folder: folder).make(pictures)
    // The others have been checked while they were made.
    let findings = try existing.flatMap { picture in
      try folder.check(picture).map { "\(picture.name): \($0)\n" }
    }
    try Output.write(findings.joined(), to: nil)
    guard findings.isEmpty else {
      throw Failure(
        .finding,
        "\(location.path): \(Format.count(findings.count, "finding")) (remove the pictures, and"
          + " make them again)")
    }
    try Output.write(
      "\(Format.count(pictures.count, "picture")) made and checked in \(location.path)\n", to: nil)
  }
}
