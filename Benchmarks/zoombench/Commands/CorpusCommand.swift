internal import ArgumentParser

/// `zoombench corpus`: the pictures to measure on.
struct CorpusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "corpus", abstract: "List, make and check the corpus of pictures.",
    subcommands: [CorpusListCommand.self, CorpusMakeCommand.self, CorpusCheckCommand.self],
    defaultSubcommand: CorpusListCommand.self)
}
