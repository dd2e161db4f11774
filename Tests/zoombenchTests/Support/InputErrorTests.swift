import Testing

/// Missing or invalid input, for each command that reads pictures.
@Suite struct InputErrorTests {
  static let commands: [[String]] = [
    ["--rounds", "1", "--quiet"], ["inspect"],
    ["peek", "--touch", "187,333", "--viewport", "375x667", "-o", "out.png"],
  ]
  static let inputs: [(name: String, code: Int32)] = [
    ("missing.jpg", 66), ("text.jpg", 65), ("cut.jpg", 65), ("header.jpg", 65), ("empty.jpg", 65),
    ("cut.png", 65), ("two\nlines.jpg", 66), ("missing/a.jpg", 66),
  ]

  private func placeInputs(in folder: TestFolder) async throws {
    try folder.write("This is text.\n".utf8, to: "text.jpg")
    try folder.write([], to: "empty.jpg")
    for (picture, suffix) in [("jpeg-444", "jpg"), ("png", "png")] {
      try await folder.place(picture, as: "whole.\(suffix)")
      try folder.write(try folder.bytes(of: "whole.\(suffix)").prefix(20_000), to: "cut.\(suffix)")
    }
    try folder.write(try folder.bytes(of: "whole.jpg").prefix(100), to: "header.jpg")
  }

  @Test(arguments: commands, inputs)
  func `bad input exits with one line that names the file`(
    command: [String], input: (name: String, code: Int32)
  ) async throws {
    let folder = try TestFolder()
    try await placeInputs(in: folder)
    let before = try folder.names()
    let run = try await folder.zoombench(command + [input.name])
    // The header of a truncated file may be readable, so inspecting it may succeed.
    if command == ["inspect"], input.name == "cut.png", run.code == 0 { return }
    #expect(run.code == input.code)
    #expect(run.errorLines.count == 1)
    #expect(run.errors.hasPrefix("zoombench: "))
    #expect(run.errors.contains(input.name.replacing("\n", with: " ")))
    // The facts of its header and the sources that can read it are still printed.
    let isExplained = command == ["inspect"] && input.name == "cut.jpg"
    #expect(run.output.isEmpty != isExplained)
    #expect(try folder.names() == before)
  }

  @Test(
    arguments: [
      ["bench", "a.png", "--rounds", "1", "--quiet"],
      ["verify", "a.png", "--cases", "10", "--quiet"],
      ["verify", "--cases", "10", "--seed", "1", "--shard", "1/2", "-o", "out"],
      ["peek", "a.png", "--touch", "100,100", "--viewport", "375x667", "-o", "out.png"],
      ["replay", "peek", "a.png", "--system", "peek", "-o", "out.webp", "--quiet"],
    ],
    [
      ("nope.json", 66, "no such file"), ("folder", 66, "folder"), ("/dev/zero", 65, "more than"),
      ("bad.json", 65, "pipelines[0]: the key \"kind\" is missing"),
    ] as [(String, Int32, String)])
  func `a bad list of pipelines gives one line and the exit code of its kind`(
    command: [String], list: (name: String, code: Int32, says: String)
  ) async throws {
    let folder = try TestFolder()
    try await folder.place("png", as: "a.png")
    try folder.write([], to: "folder/file")
    try folder.write(#"{"pipelines": [{"name": "x", "what": "y"}]}"#.utf8, to: "bad.json")
    let run = try await folder.zoombench(command + ["--pipelines", list.name])
    #expect(run.code == list.code)
    #expect(run.errorLines.count == 1)
    #expect(run.errors.hasPrefix("zoombench: \(list.name): "))
    #expect(run.errors.contains(list.says))
  }

  @Test(arguments: [["report"], ["history", "add"]])
  func `a file without end is refused`(command: [String]) async throws {
    let folder = try TestFolder()
    let run = try await folder.zoombench(command + ["/dev/zero"])
    #expect(run.code == 65)
    #expect(run.errorLines.count == 1)
  }
}
