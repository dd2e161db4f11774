import Testing

/// Usage errors: one line with the command's name, empty stdout, unchanged files.
@Suite struct WrongUsageTests {
  @Test(
    arguments: [
      ["--no-such-flag"],
      ["--rounds", "0", "a.jpg"],
      ["--rounds", "-1", "a.jpg"],
      ["--rounds", "x", "a.jpg"],
      ["--seed", "-1", "a.jpg"],
      ["--format", "xml", "a.jpg"],
      ["--sources", "no-such-source", "a.jpg"],
      ["--sources", ",", "a.jpg"],
      ["--memory", "-1", "a.jpg"],
      ["--pictures", "petronaas"],
      ["a.jpg", "-o", ""],
      ["a.jpg", "-o", "page.html"],
      ["compare", "main", "-o", "page.html"],
      ["peek", "a.jpg", "--touch", "1,2", "--viewport", "9x9", "-o", ""],
      ["replay", "peek", "a.jpg", "--system", "peek", "-o", ""],
      ["index", "a.jpg", "-o", ""],
      ["report", "a.jpg", "-o", ""],
      ["selftest", "-o", ""],
      ["history", "export", "-o", ""],
      ["compare", "main", "-o", ""],
      ["compare", "main", "--sources", "naive"],
      ["compare", "main", "--pictures", "a.jpg", "-o", "a.jpg"],
      ["compare", "/bin/sh", "/bin/sh", "--pictures", "a.jpg"],
      ["verfy"],
      ["--rounds", "1", "--budget", "1", "a.jpg"],
      ["peek", "a.jpg"],
      ["peek", "a.jpg", "--touch", "1", "--viewport", "9x9", "-o", "b.png"],
      ["peek", "a.jpg", "--touch", "1,2", "--viewport", "9", "-o", "b.png"],
      ["peek", "a.jpg", "--touch", "nan,2", "--viewport", "9x9", "-o", "b.png"],
      ["peek", "a.jpg", "--touch", "inf,2", "--viewport", "9x9", "-o", "b.png"],
      ["peek", "a.jpg", "--touch", "1,2", "--viewport", "0x9", "-o", "b.png"],
      ["peek", "a.jpg", "--touch", "1,2", "--viewport", "nanx9", "-o", "b.png"],
      ["peek", "a.jpg", "--touch", "1,2", "--viewport", "9x9@0", "-o", "b.png"],
      ["peek", "a.jpg", "--touch", "1,2", "--viewport", "9x9@inf", "-o", "b.png"],
      ["peek", "a.jpg", "--touch", "1,2", "--viewport", "9x9", "--side", "-1", "-o", "b.png"],
      ["peek", "a.jpg", "--touch", "1,2", "--viewport", "9x9", "--letterbox", "x", "-o", "b.png"],
      ["peek", "a.jpg", "--touch", "1,2", "--viewport", "9x9", "--reduce", "65", "-o", "b.png"],
      [
        "peek", "a.jpg", "--touch", "1,2", "--viewport", "9x9", "--reduce", "2", "--original", "-o",
        "b.png",
      ],
      ["peek", "a.jpg", "--touch", "1,2", "--viewport", "9x9", "--source", "x", "-o", "b.png"],
      ["peek", "a.jpg", "--touch", "1,2", "--viewport", "9x9", "--lossless", "-o", "b.png"],
      [
        "peek", "a.jpg", "--touch", "1,2", "--viewport", "9x9", "--lossless", "--original", "-o",
        "b.jpg",
      ],
      [
        "peek", "a.jpg", "--touch", "1,2", "--viewport", "9x9", "--lossless", "--source", "naive",
        "-o", "b.jpg",
      ],
      ["inspect"],
      ["compare", "a=command:cp {file} {out.png}", "HEAD", "--pictures", "a.jpg"],
      ["compare", "a=command:cp {file} {out.png}", "b=command:cp {file} {out.png}"],
      ["compare", "a=fax:{file}", "b=fax:{file}", "--pictures", "a.jpg"],
      ["corpus", "make", "no-such-picture"],
      ["corpus", "check", "no-such-picture"],
      ["corpus", "no-such-subcommand"],
    ])
  func `wrong usage exits with 64 and one line`(arguments: [String]) async throws {
    try await TestFolder.with { folder in
      try await folder.place("tiny-17x3", as: "a.jpg")
      let run = try await folder.zoombench(arguments)
      #expect(run.code == 64)
      #expect(run.errorLines.count == 1)
      #expect(run.errors.hasPrefix("zoombench: "))
      #expect(run.output.isEmpty)
      #expect(try folder.names() == ["work/a.jpg"])
    }
  }

  @Test(arguments: [
    ("verfy", "did you mean verify?"), ("comapre", "did you mean compare?"),
    ("forst", "did you mean forest?"),
  ])
  func `a mistyped word is told with what was probably meant`(
    word: String, complaint: String
  ) async throws {
    try await TestFolder.with { folder in
      let run = try await folder.zoombench(word)
      #expect(run.code == 64)
      #expect(run.errors.contains(complaint), "\(run.errors)")
    }
  }

  @Test(arguments: [
    (["bench", "--rounds", "0"], "(see zoombench help bench)"),
    (["--rounds", "0"], "(see zoombench --help)"),
    (["history", "bless", "HEAD"], "(see zoombench help history bless)"),
    (["bench", "--commit", "v1"], "--commit is for --record"),
    (
      ["bench", "--pipeline", "x=iiif:http://h/{nope}"],
      "{nope} is unknown (use {file}, {name}, {stem})"
    ),
    (["bench", "--pipeline", "floor=command:true {file}"], "there are two sources named floor"),
    (
      ["verify", "--systems", "peek", "--laws", "FZ-P4", "--replay", "pt1_AAgKCgIKADKZWa1"],
      "the token is damaged (copy it whole)"
    ),
    (["verify", "--systems", "peek", "--laws", "FZ-P4", "--replay", "x"], "begin with \"pt1_\""),
  ])
  func `wrong usage says where help is, and what to do with a token`(
    arguments: [String], complaint: String
  ) async throws {
    try await TestFolder.with { folder in
      let run = try await folder.zoombench(arguments)
      #expect(run.code == 64)
      #expect(run.errors.contains(complaint), "\(run.errors)")
    }
  }

  @Test(arguments: ["photo", "no-such-thing-at-all"])
  func `a word that is like no name is a file that is not there`(word: String) async throws {
    try await TestFolder.with { folder in
      let run = try await folder.zoombench(word)
      #expect(run.code == 66)
      #expect(run.errors.contains("corpus picture or subcommand"), "\(run.errors)")
    }
  }

  @Test(arguments: [[], ["verify", "--cases", "10"]])
  func `a result is not written over a picture of a folder`(command: [String]) async throws {
    try await TestFolder.with { folder in
      try await folder.place("tiny-17x3", as: "album/a.jpg")
      let before = try folder.bytes(of: "album/a.jpg")
      let run = try await folder.zoombench(command + ["album", "-o", "album/a.jpg"])
      #expect(run.code == 64)
      #expect(run.errors.contains("would write over"), "\(run.errors)")
      #expect(try folder.bytes(of: "album/a.jpg") == before)
    }
  }
}
