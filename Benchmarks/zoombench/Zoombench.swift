package import ArgumentParser
internal import ZoomPipeline

/// The command line; `zoombench` alone runs the benchmark.
struct Zoombench: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "zoombench",
    abstract: """
      Measures and verifies zoom pipelines: the code that turns a touch on a large picture into \
      pixels.
      """,
    usage: """
      zoombench [<files and folders>] [<options of bench>]
      zoombench <subcommand>
      """,
    discussion: """
      Without arguments it times 1:1 peeks at the demo pictures with every region source, compares \
      them with a full decode, and checks that all return the same pixels.

      Exit codes: 0 all well; 1 a finding (pixels differ, a law is broken, a build is slower); \
      2 undecided (a comparison that is contaminated or decided no case; any undecided case under \
      --strict); 64 wrong usage; 65 an input cannot be used; 66 no such input; \
      69 something needed is not installed or not available; 70 internal error; 73 or 74 output \
      cannot be written; 75 a shard was ended by SIGTERM and can be continued; 128 + n ended by \
      signal n.
      """,
    version: "zoombench \(ToolVersion.number)",
    subcommands: [
      BenchCommand.self, VerifyCommand.self, CompareCommand.self, LoadCommand.self,
      HistoryCommand.self,
      ReportCommand.self, PeekCommand.self, ReplayCommand.self, PlayCommand.self,
      InspectCommand.self, IndexCommand.self, CorpusCommand.self, ConformanceCommand.self,
      BenchWorkerCommand.self, NullWorkerCommand.self, PeekWorkerCommand.self,
      ShellWorkerCommand.self, ViewerWorkerCommand.self,
    ],
    defaultSubcommand: BenchCommand.self)
}

/// The entry points of this package's executables.
package enum CommandProgram {
  /// Runs `zoombench` with the arguments of this process.
  package static func runZoombench() async { await run(Zoombench.self) }

  /// Runs a command with the arguments of this process; an error ends the process with its exit code.
  package static func run<Root: AsyncParsableCommand>(_ root: Root.Type) async {
    Interruption.install()
    // This process is ours alone, so libvips may be configured for measurements.
    VipsLibrary.configure()
    do {
      // The other programs read no pictures on servers.
      let readsAddresses = root is Zoombench.Type
      if readsAddresses { try GivenAddresses.check() }
      let arguments = readsAddresses ? GivenAddresses.arguments : CommandLine.arguments
      let words = CommandWords(arguments.dropFirst())
      if !root.configuration.subcommands.isEmpty { try words.checkHelp(root: root) }
      var command = try root.parseAsRoot(words.parsable)
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch {
      Diagnostics.exit(with: error, root: root)
    }
  }
}

/// The version of the tool and of its output.
enum ToolVersion {
  static let number = "0.2.0"
}
