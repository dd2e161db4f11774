import Testing

/// Wrong uses of the command: one line that says what is wrong, an exit code, and unchanged files.
@Suite struct WrongUsageTests {
  /// Returns the words of a command line in which `''` is an empty word and `+` a space.
  private static func words(_ line: String) -> [String] {
    line.split(separator: " ").map { $0 == "''" ? "" : String($0).replacing("+", with: " ") }
  }

  private func check(_ line: String, code: Int32, says: String) async throws {
    let folder = try TestFolder()
    try await folder.place("tiny-17x3", as: "a.jpg")
    try folder.write("words".utf8, to: "notes.txt")
    let before = try folder.bytes(of: "a.jpg")
    let run = try await folder.zoombench(Self.words(line))
    #expect(run.code == code)
    #expect(run.errorLines.count == 1)
    #expect(run.errors.hasPrefix("zoombench: "))
    #expect(run.errors.contains(says), "\(run.errors)")
    #expect(run.output.isEmpty)
    #expect(try folder.names() == ["work/a.jpg", "work/notes.txt"])
    #expect(try folder.bytes(of: "a.jpg") == before)
  }

  /// Mistakes of new users, with the end of the line, which says what to do.
  @Test(
    arguments: [
      ("verfy", 64, "(did you mean verify?)"),
      ("forst", 64, "(did you mean forest?)"),
      ("help corpus made", 64, "(did you mean make?)"),
      ("photo", 66, "(zoombench --help lists subcommands, zoombench corpus list pictures)"),
      ("a.jpg missing.jpg --rounds 1", 66, "no such file (check the name)"),
      ("inspect notes.txt", 65, "(name a picture file)"),
      ("a.jpg --rounds 0", 64, "(see zoombench --help)"),
      ("history bless HEAD", 64, "(see zoombench help history bless)"),
      ("bench a.jpg --source naive", 64, "Did you mean '--sources'? (see zoombench help bench)"),
      ("verify a.jpg --sources fast", 64, "(use "),
      ("verify a.jpg --sources indexed", 64, "(use partial)"),
      ("verify a.jpg --pipeline x=command:no-such-program+{file}", 69, "(install it, or correct"),
      ("verify a.jpg -o page.html", 64, "(use --format json -o FILE.json, then zoombench report"),
      ("peek a.jpg --touch 1,2 --viewport 9x9 -o b.xyz", 73, "(use .png, .jpg, .webp or .tif)"),
      ("peek notes.txt --touch 1,2 --viewport 9x9 -o b.png", 65, "(name a picture file)"),
      ("replay peeck a.jpg --system peek -o out", 66, "(name a file, or one of "),
      ("report a.jpg", 65, "(use a file that "),
      ("a.jpg --index-dir nowhere", 66, "nowhere: no such folder"),
      ("inspect a.jpg --index-dir nowhere", 66, "nowhere: no such folder"),
      ("peek a.jpg --touch 1,2 --viewport 9x9 -o b.png --index-dir nowhere", 66, "no such folder"),
    ] as [(String, Int32, String)])
  func `a mistake of a new user is answered with what to do`(
    line: String, code: Int32, says: String
  ) async throws { try await check(line, code: code, says: says) }

  /// Options of all commands.
  @Test(arguments: [
    ("--no-such-flag", "--no-such-flag"), ("corpus made-up", "made-up"),
    ("--rounds -1 a.jpg", "--rounds"), ("--rounds x a.jpg", "--rounds"),
    ("--rounds 1 --budget 1 a.jpg", "--budget"), ("--seed -1 a.jpg", "--seed"),
    ("--format xml a.jpg", "xml"), ("--memory -1 a.jpg", "--memory must be"),
    ("--sources no-such-source a.jpg", "there is no source named no-such-source"),
    ("--sources , a.jpg", "--sources"), ("--pictures petronaas", "did you mean petronas?"),
    ("--commit v1", "--commit is for --record"), ("a.jpg -o ''", "-o needs"),
    ("bench --pipeline x=iiif:http://h/{nope}", "{nope} is unknown (use {file}, {name}, {stem})"),
    ("bench --pipeline floor=command:true+{file}", "there are two sources named floor"),
    ("bench a.jpg -o page.html", "-o: pages are written by report"),
    ("index a.jpg -o ''", "-o needs"), ("report a.jpg -o ''", "-o needs"),
    ("index", "name files or folders"), ("index a.jpg --jobs 0", "--jobs must be"),
    ("index a.jpg --index-dir x --beside", "--index-dir and --beside exclude"),
    ("index a.jpg --check --remove", "exclude each other"),
    ("index a.jpg --index-dir ''", "--index-dir needs"),
    ("a.jpg --rounds 1 -o a.jpg", "would write over the input"),
    ("index a.jpg -o a.jpg", "would write over the input"),
    ("verify a.jpg -o a.jpg", "would write over the input"),
    ("peek a.jpg --touch 1,2 --viewport 9x9 -o ./a.jpg", "would write over the input"),
    ("replay peek a.jpg --system peek -o a.jpg", "would write over the input"),
    ("report", "name a result file"), ("report --no-such x", "--no-such"),
    ("report --format csv --history x", "--history is for"), ("report --format pdf x", "pdf"),
    ("report --format json x y", "--format json takes one result"),
    ("inspect", "name a picture"), ("corpus make no-such-picture", "no picture named"),
    ("compare main -o ''", "-o needs"), ("compare main -o page.html", "written by report"),
    ("compare main --sources naive", "--sources is for --pictures"),
    ("compare main --pictures a.jpg -o a.jpg", "would write over the input"),
    ("compare /bin/sh /bin/sh --pictures a.jpg", "--pictures"),
    ("compare a=command:cp+{file}+{out.png} HEAD --pictures a.jpg", "pipeline"),
    ("compare a=command:cp+{file}+{out.png} b=command:cp+{file}+{out.png}", "--pictures"),
    ("compare a=fax:{file} b=fax:{file} --pictures a.jpg", "fax"),
  ])
  func `wrong usage is refused in one line that says what is wrong`(
    line: String, says: String
  ) async throws { try await check(line, code: 64, says: says) }

  @Test(arguments: [
    ("peek a.jpg", "--touch"),
    ("peek a.jpg --touch 1,2 --viewport 9x9 -o ''", "-o needs"),
    ("peek a.jpg --touch 1 --viewport 9x9 -o b.png", "--touch"),
    ("peek a.jpg --touch nan,2 --viewport 9x9 -o b.png", "is not finite"),
    ("peek a.jpg --touch inf,2 --viewport 9x9 -o b.png", "is not finite"),
    ("peek a.jpg --touch 1,2 --viewport 9 -o b.png", "--viewport"),
    ("peek a.jpg --touch 1,2 --viewport 0x9 -o b.png", "is not positive"),
    ("peek a.jpg --touch 1,2 --viewport nanx9 -o b.png", "is not finite"),
    ("peek a.jpg --touch 1,2 --viewport 9x9@0 -o b.png", "is not positive"),
    ("peek a.jpg --touch 1,2 --viewport 9x9@inf -o b.png", "is not finite"),
    ("peek a.jpg --touch 1,2 --viewport 9x9 --side -1 -o b.png", "is not positive"),
    ("peek a.jpg --touch 1,2 --viewport 9x9 --letterbox x -o b.png", "--letterbox takes"),
    ("peek a.jpg --touch 1,2 --viewport 9x9 --reduce 65 -o b.png", "--reduce takes 1 to 64"),
    ("peek a.jpg --touch 1,2 --viewport 9x9 --source x -o b.png", "no source named x"),
    ("replay peek a.jpg --system peek -o ''", "-o needs"),
    ("replay peek a.jpg --system zoom -o out", "there is no system named zoom"),
    ("replay peek a.jpg --system peek -o out --original --compare", "--compare shows the original"),
    ("replay peek a.jpg --system peek -o out --width 0", "--width must be"),
    ("replay peek a.jpg --system peek -o out --cells 0", "--cells must be"),
    ("replay peek a.jpg --system peek -o out --source magic", "no source named magic"),
  ])
  func `wrong usage of peek and replay is refused in one line`(
    line: String, says: String
  ) async throws { try await check(line, code: 64, says: says) }

  @Test(arguments: [
    ("--systems peek --laws FZ-P99", "there is no law named FZ-P99"),
    ("--systems zoom", "there is no system named zoom"),
    ("--sources skip", "the source skip is gone (use partial"),
    ("--sources tiled", "the source tiled is gone (make a tiled copy"),
    ("--cases 0", "--cases must be"), ("--budget nan", "--budget"), ("--jobs 0", "--jobs must be"),
    ("--replay pt1_AAAA", "--replay"), ("-o ''", "-o needs"),
    ("--original a.jpg", "--original is for systems"),
    ("--laws FZ-P4 --replay pt1_AAgKCgIKADKZWa1", "its checksum is wrong (copy the token whole)"),
    ("--laws FZ-P4 --replay x", "begin with \"pt1_\""),
    ("--laws IIIF-R1 --replay x", "--replay: 'x' is not a request"),
  ])
  func `wrong usage of verify is refused in one line`(
    options: String, says: String
  ) async throws { try await check("verify \(options)", code: 64, says: says) }

  @Test(arguments: [[], ["verify", "--cases", "10"]])
  func `a result is not written over a picture of a folder`(command: [String]) async throws {
    let folder = try TestFolder()
    try await folder.place("tiny-17x3", as: "album/a.jpg")
    let before = try folder.bytes(of: "album/a.jpg")
    let run = try await folder.zoombench(command + ["album", "-o", "album/a.jpg"])
    #expect(run.code == 64)
    #expect(run.errors.contains("would write over"), "\(run.errors)")
    #expect(try folder.bytes(of: "album/a.jpg") == before)
  }
}
