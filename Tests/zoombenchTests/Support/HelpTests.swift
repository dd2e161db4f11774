import Testing

@testable import zoombench

/// `CommandPagesTests` checks the options.
@Suite struct HelpTests {
  /// The words of commands; `play` is a separate program.
  static let commands =
    CommandNames.listed(under: Zoombench.self).filter { $0 != "play" }
    + ["", "history gate", "corpus list", "corpus make"]

  @Test(arguments: commands)
  func `help has the usage line, fits a terminal, and touches nothing`(
    command: String
  ) async throws {
    let folder = try TestFolder()
    let run = try await folder.zoombench(
      command.split(separator: " ").map(String.init) + ["--help"])
    #expect(run.code == 0 && run.errors.isEmpty, "\(run)")
    let lines = run.output.split(separator: "\n")
    #expect(lines.contains { $0.hasPrefix("USAGE: zoombench \(command)") }, "\(run)")
    #expect(lines.allSatisfy { $0.hasPrefix("USAGE") || $0.count <= 80 })
    #expect(try folder.names().isEmpty)
  }

  @Test func `commands that zoombench starts itself are not in the help`() async throws {
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
