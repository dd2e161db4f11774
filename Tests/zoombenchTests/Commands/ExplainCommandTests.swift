import Testing

@Suite struct ExplainCommandTests {
  @Test(
    arguments: [
      ("jpeg-444", "restart"), ("orientation-6", "restart"), ("tiff-tiled", "random"),
      ("png", "resident"), ("jpeg-scans", "resident"),
    ])
  func `the best source is named and marked`(picture: String, best: String) async throws {
    try await TestFolder.with { folder in
      try await folder.place(picture, as: "picture")
      let run = try await folder.zoombench("explain", "picture")
      #expect(run.code == 0)
      #expect(run.errors.isEmpty)
      let lines = run.output.split(separator: "\n")
      let pick = try #require(lines.first { $0.contains("automatic") })
      #expect(pick.contains(best))
      #expect(
        lines.filter { $0.hasPrefix("*") }.map { $0.dropFirst(2).prefix { $0 != " " } } == [
          best[...]
        ])
      #expect(try folder.names() == ["work/picture"])
    }
  }

  @Test func `the structure is told`() async throws {
    try await TestFolder.with { folder in
      try await folder.place("orientation-6", as: "a.jpg")
      let first = try #require(
        try await folder.zoombench("explain", "a.jpg").output.split(separator: "\n").first)
      // Upright size, sampling, restart interval, orientation.
      for fact in ["205x331", "baseline", "4:2:0", "21", "6"] { #expect(first.contains(fact)) }
    }
  }

  @Test func `every source that can be chosen stands in the table`() async throws {
    try await TestFolder.with { folder in
      try await folder.place("png", as: "a.png")
      let lines = try await folder.zoombench("explain", "a.png").output.split(separator: "\n")
      let entering = ["skip", "restart", "indexed"]
      for source in ["naive", "random", "sequential", "tiled", "resident"] + entering {
        let words = lines.first { $0.dropFirst(2).hasPrefix(source) }?.split(separator: " ")
        let answer = entering.contains(source) ? "no" : "yes"
        #expect(words?.contains(Substring(answer)) == true, "\(source)")
      }
    }
  }
}
