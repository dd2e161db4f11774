import Testing

/// `CommandPagesTests` checks the options.
@Suite struct HelpTests {
  /// The start of each command's usage line, without the name of the program.
  static let usages = [
    "[<files and folders>] [<options of bench>]",
    "bench [<options>] [<files> ...]",
    "peek [<options>] <file> --touch <X,Y> --viewport <WxH@K> --output <output>",
    "replay [<options>] <script> <picture> --system <name>",
    "inspect [<files> ...]",
    "index [<options>] [<files> ...]",
    "compare [<options>] <base> [<candidate>]",
    "history <subcommand>",
    "history gate",
    "report [<files> ...]",
    "corpus <subcommand>",
    "corpus list",
    "corpus make [<names> ...]",
  ]

  @Test(arguments: usages)
  func `help has the usage line, fits a terminal, and touches nothing`(
    usage: String
  ) async throws {
    let words = usage.split(separator: " ").prefix { $0.first?.isLetter == true }
    let folder = try TestFolder()
    let run = try await folder.zoombench(words.map(String.init) + ["--help"])
    #expect(run.code == 0 && run.errors.isEmpty, "\(run)")
    let lines = run.output.split(separator: "\n")
    #expect(lines.contains { $0.hasPrefix("USAGE: zoombench \(usage)") }, "\(run)")
    #expect(lines.allSatisfy { $0.hasPrefix("USAGE") || $0.count <= 80 })
    #expect(try folder.names().isEmpty)
  }

  @Test func `commands that zoombench starts itself are not for people`() async throws {
    let folder = try TestFolder()
    let run = try await folder.zoombench("--help")
    for hidden in ["bench-worker", "worker"] {
      #expect(!run.output.contains("  \(hidden) "))
    }
  }

  @Test func `help has help`() async throws {
    let folder = try TestFolder()
    let run = try await folder.zoombench("help", "help")
    #expect(run.code == 0 && run.output.contains("help"), "\(run)")
  }

  @Test func `the version is one line`() async throws {
    let folder = try TestFolder()
    let run = try await folder.zoombench("--version")
    #expect(run.code == 0 && run.errors.isEmpty)
    #expect(run.output.wholeMatch(of: /zoombench \d+\.\d+\.\d+\n/) != nil)
  }
}
