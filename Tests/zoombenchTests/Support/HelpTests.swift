import Testing

@Suite struct HelpTests {
  /// Each subcommand's words, with the start of its usage line and the names in its help.
  static let commands: [(words: [String], usage: String, names: [String])] = [
    (
      [], "USAGE: zoombench [<files and folders>] [<options of bench>]",
      ["bench", "verify", "compare", "peek", "replay", "inspect", "corpus", "--version"]
    ),
    (
      ["bench"], "USAGE: zoombench bench [<options>] [<files> ...]",
      [
        "--pictures", "--sources", "--rounds", "--budget", "--seed", "--quick", "--format",
        "--output",
        "--quiet", "--memory", "--loaders", "--corpus-folder", "table", "json",
        "--launches",
      ]
    ),
    (
      ["peek"],
      "USAGE: zoombench peek [<options>] <file> --touch <X,Y> --viewport <WxH@K> --output <output>",
      ["--side", "--letterbox", "--reduce", "--source", "--pipeline", "-o"]
    ),
    (
      ["replay"],
      "USAGE: zoombench replay [<options>] <script> <picture> --system <name>",
      [
        "--original", "--compare", "--states", "--source", "--width", "--cells", "-o", "peek",
        "fullscreen", "force", "double-tap", "transition",
      ]
    ),
    (["inspect"], "USAGE: zoombench inspect [<files> ...]", ["--index-dir", "--shard", "--list"]),
    (
      ["index"], "USAGE: zoombench index [<options>] [<files> ...]",
      [
        "--list", "--root", "--shard",
        "--index-dir", "--beside", "--jobs", "--check", "--remove", "--format", "--output",
        "--quiet", "ZOOMBENCH_INDEX_KEY",
      ]
    ),
    (
      ["compare"], "USAGE: zoombench compare [<options>] <base> [<candidate>]",
      [
        "--threshold", "--budget", "--strict", "--allow-counter", "--filter", "--pictures",
        "--sources", "--pipeline", "--build", "--product", "--package", "--argument", "--record",
        "--commit", "--history", "json",
      ]
    ),
    (
      ["history"], "USAGE: zoombench history <subcommand>",
      ["list", "series", "bless", "accept", "add", "gate"]
    ),
    (
      ["history", "gate"], "USAGE: zoombench history gate",
      ["--strict", "--allow-counter", "--machine", "--history"]
    ),
    (
      ["report"], "USAGE: zoombench report [<files> ...]",
      [
        "--history", "--format", "table", "json", "html", "markdown", "annotations", "junit", "csv",
      ]
    ),
    (["corpus"], "USAGE: zoombench corpus <subcommand>", ["list", "make"]),
    (["corpus", "list"], "USAGE: zoombench corpus list", ["--corpus-folder"]),
    (
      ["corpus", "make"], "USAGE: zoombench corpus make [<names> ...]", ["--corpus-folder"]
    ),
  ]

  @Test(arguments: commands)
  func `help has the usage line and every flag`(
    words: [String], usage: String, names: [String]
  ) async throws {
    try await TestFolder.with { folder in
      let run = try await folder.zoombench(words + ["--help"])
      #expect(run.code == 0)
      #expect(run.errors.isEmpty)
      #expect(run.output.split(separator: "\n").contains { $0.hasPrefix(usage) })
      for name in names { #expect(run.output.contains(name)) }
      // Lines fit a terminal, except the usage line.
      let lines = run.output.split(separator: "\n").filter { !$0.hasPrefix("USAGE") }
      #expect(lines.allSatisfy { $0.count <= 80 })
      #expect(try folder.names().isEmpty)
    }
  }

  @Test func `commands that zoombench starts itself are not for people`() async throws {
    try await TestFolder.with { folder in
      let run = try await folder.zoombench("--help")
      for hidden in ["bench-worker", "worker"] {
        #expect(!run.output.contains("  \(hidden) "))
      }
    }
  }

  @Test func `help has help`() async throws {
    try await TestFolder.with { folder in
      let run = try await folder.zoombench("help", "help")
      #expect(run.code == 0 && run.output.contains("help"), "\(run)")
    }
  }

  @Test func `help lists the exit codes`() async throws {
    try await TestFolder.with { folder in
      let output = try await folder.zoombench("--help").output
      for code in ["0", "1", "64", "65", "66", "69", "70", "73", "74"] {
        #expect(output.split { !$0.isNumber }.contains(Substring(code)), "\(code)")
      }
    }
  }

  @Test func `the version is one line`() async throws {
    try await TestFolder.with { folder in
      let run = try await folder.zoombench("--version")
      #expect(run.code == 0)
      #expect(run.output.wholeMatch(of: /zoombench \d+\.\d+\.\d+\n/) != nil)
      #expect(run.errors.isEmpty)
    }
  }
}
