import Foundation
import Measurement
import SystemPackage
import TestSupport
import Testing

@testable import zoombench

@Suite struct ConformanceCommandTests {
  /// Whether the machine can run the set's script.
  private static let hasPython: Bool = {
    let command = WorkerCommand(
      label: "python3", executable: "/usr/bin/env",
      arguments: ["python3", "-c", "import sys; sys.exit(sys.version_info < (3, 9))"])
    return (try? ChildProcess.run(command))?.0 == .exited(status: 0)
  }()

  /// The set, made once.
  private static let made = Task {
    let folder = try TestFolder()
    let run = try await folder.zoombench("conformance", "set")
    try #require(run.code == 0, "\(run.errors)")
    return folder
  }

  private static func folderWithSet() async throws -> TestFolder {
    let folder = try TestFolder()
    try FileManager.default.copyItem(
      atPath: try await made.value.file("set").string, toPath: folder.file("set").string)
    return folder
  }

  private func python(_ arguments: [String], in folder: TestFolder) async throws -> CommandRun {
    var command = WorkerCommand(
      label: "python3", executable: "/usr/bin/env", arguments: ["python3", "-B"] + arguments)
    command.folder = folder.path.string
    return try await CommandRun.of(command)
  }

  @Test func `the set is written once, into a folder that is free`() async throws {
    let folder = try TestFolder()
    let run = try await folder.zoombench("conformance", "set")
    #expect(run.code == 0 && run.errors.isEmpty)
    #expect(run.output.contains("version   2, SHA-256 "))
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.file("set").string)
    #expect(
      names.sorted() == [
        "README.md", "expected", "pictures", "regions.json", "report.py", "run.py", "samples.py",
        "traps.json",
      ])
    #expect(FileManager.default.isExecutableFile(atPath: folder.file("set/run.py").string))
    let again = try await folder.zoombench("conformance", "set")
    #expect(again.code == 73)
    #expect(again.errorLines.count == 1)
  }

  @Test(arguments: [("", 64), ("nowhere/set", 73)])
  func `a folder that cannot be written is refused before the set is made`(
    _ folder: String, _ code: Int
  ) async throws {
    let run = try await TestFolder().zoombench("conformance", folder)
    #expect(run.code == Int32(code))
    #expect(run.errorLines.count == 1)
  }

  @Test(.enabled(if: hasPython))
  func `the script passes right answers and names the trap of a wrong one`()
    async throws
  {
    let folder = try await Self.folderWithSet()
    // The expected files are the answers.
    let names = try FileManager.default.contentsOfDirectory(
      atPath: folder.file("set/expected").string)
    for name in names {
      try folder.write(try folder.bytes(of: "set/expected/\(name)"), to: "answers/\(name)")
    }
    let sound = try await python(["set/run.py", "answers", "--junit", "sound.xml"], in: folder)
    #expect(sound.code == 0, "\(sound.output) \(sound.errors)")
    #expect(!sound.output.contains("\n  FAILED"))
    let other = try folder.bytes(of: "answers/filters-all.2.png")
    try folder.write(other, to: "answers/filters-all.1.png")
    // NaN after a first sample that is right, and inks as RGB of one colour.
    let floats = try folder.bytes(of: "answers/predictor-3.1.raw")
    let nan = [UInt8](repeating: 0xFF, count: floats.count - 4)
    try folder.write(Array(floats.prefix(4)) + nan, to: "answers/predictor-3.1.raw")
    let grey = [UInt8](repeating: 96, count: 99 * 117 * 3)
    try folder.write(Array("P6 99 117 255\n".utf8) + grey, to: "answers/inks.0.pnm")
    let wrong = try await python(["set/run.py", "answers", "--junit", "wrong.xml"], in: folder)
    #expect(wrong.code == 1)
    for name in ["filters-all.1", "predictor-3.1", "inks.0"] {
      #expect(wrong.output.contains("FAILED \(name) "), "\(wrong.output)")
    }
    let report = String(decoding: try folder.bytes(of: "wrong.xml"), as: UTF8.self)
    #expect(report.contains(#"failures="3""#))
  }

  /// Writes a region that is one level off, and a PNG that is as long as raw samples.
  private static let answers = #"""
    import os, struct, sys, zlib
    sys.path.insert(0, "set")
    import samples

    def expected(name):
        data = open(f"set/expected/{name}.png", "rb").read()
        return samples.read(data, 18, 18, 3, "uint8").values.tobytes()

    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + bytes(4)

    os.mkdir("answers")
    values = bytes(value ^ 1 for value in expected("chroma-420.1"))
    open("answers/chroma-420.1.ppm", "wb").write(b"P6 18 18 255\n" + values)
    raw = expected("lzw.1")
    rows = b"".join(b"\0" + raw[start:start + 54] for start in range(0, len(raw), 54))
    png = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 18, 18, 8, 2, 0, 0, 0))
    png += chunk(b"IDAT", zlib.compress(rows))
    open("answers/lzw.1.png", "wb").write(png + bytes(len(raw) - len(png)))
    """#

  @Test(.enabled(if: hasPython))
  func `a difference is not allowed without the whole picture, and a PNG of any length is read`()
    async throws
  {
    let folder = try await Self.folderWithSet()
    #expect(try await python(["-c", Self.answers], in: folder).code == 0)
    let run = try await python(["set/run.py", "answers"], in: folder)
    #expect(run.code == 1)
    let reason = "its own whole picture, which this must agree with, is missing"
    #expect(run.output.contains(reason), "\(run.output)")
    #expect(!run.output.contains("FAILED lzw.1 "), "\(run.output)")
  }

  @Test(.enabled(if: hasPython)) func `a damaged picture and wrong usage end the script at once`()
    async throws
  {
    let folder = try await Self.folderWithSet()
    #expect(try await python(["set/run.py", "nowhere"], in: folder).code == 64)
    #expect(try await python(["set/run.py", "cat {fil}"], in: folder).code == 64)
    #expect(try await python(["set/run.py", "cat {file}", "--job", "x"], in: folder).code == 64)
    #expect(
      try await python(["set/run.py", "cat {file}", "--traps", "nothing"], in: folder).code == 64)
    for decoder in ["false {file}", "sh -c 'exit 255' {file}"] {
      #expect(
        try await python(["set/run.py", decoder, "--traps", "pnm"], in: folder).code == 2)
    }
    try folder.write([1, 2, 3], to: "set/pictures/chroma-420.jpg")
    #expect(try await python(["set/run.py", "cat {file}"], in: folder).code == 65)
  }

  @Test(
    .enabled(if: hasPython),
    arguments: [
      (["cat {file} 'x"], "No closing quotation"),
      (["cat {file} {output.png}"], "{output.png} stands"),
      (["http://[bad/{x}"], "Invalid IPv6 URL"), (["http://localhost:0/{x}"], "a port above 0"),
      (["http://localhost/{x} {y}"], "visible ASCII"), (["http://localhost/{out}"], "{out} stands"),
      (["cat {file}", "--junit", "nowhere/x"], "nowhere/x: No such file"),
      (["cat {file}", "--json", "set"], "set: Is a directory"),
      (["cat {file}", "--traps", "pnm, nothing"], "no trap is named nothing "),
      (["folders"], "strips.0.png: Is a directory"), (["twice"], "two answers for one region"),
    ])
  func `wrong usage is one line and exit code 64`(_ arguments: [String], _ reason: String)
    async throws
  {
    let folder = try await Self.folderWithSet()
    try folder.write([0], to: "folders/strips.0.png/file")
    for suffix in ["png", "ppm"] { try folder.write([0], to: "twice/strips.0.\(suffix)") }
    let run = try await python(["set/run.py"] + arguments, in: folder)
    #expect(run.code == 64)
    #expect(run.errorLines.count == 1 && run.errors.contains(reason), "\(run.errors)")
  }

  @Test(.enabled(if: hasPython))
  func `files with other suffixes are no answers, and spaces between traps are ignored`()
    async throws
  {
    let folder = try await Self.folderWithSet()
    try folder.write([0], to: "answers/strips.0.bak")
    let run = try await python(
      ["set/run.py", "answers", "--traps", "tiff-strips, pnm"], in: folder)
    #expect(run.code == 2, "\(run.output) \(run.errors)")
    #expect(run.output.contains("pnm-16-bits: refused: there is no such file"))
  }

  @Test(.enabled(if: hasPython))
  func `an exact region must also agree with a whole picture that is only allowed`() async throws {
    let folder = try await Self.folderWithSet()
    // The whole picture is in 8 bits, the regions are in 16.
    let whole = """
      import sys
      sys.path.insert(0, "set")
      import samples
      data = open("set/expected/pnm-grey-16.0.png", "rb").read()
      values = samples.VIEWS["eight-bits"](samples.read(data, 99, 117, 1, "uint16")).values
      open("answers/pnm-grey-16.0.pgm", "wb").write(b"P5 99 117 255\\n" + bytes(values))
      """
    for row in ["pnm-grey-16.1.png", "pnm-grey-16.2.png"] {
      try folder.write(try folder.bytes(of: "set/expected/\(row)"), to: "answers/\(row)")
    }
    #expect(try await python(["-c", whole], in: folder).code == 0)
    let run = try await python(
      ["set/run.py", "answers", "--traps", "pnm", "--junit", "report.xml"], in: folder)
    #expect(run.code == 1, "\(run.output) \(run.errors)")
    #expect(run.output.contains("FAILED pnm-grey-16.1 "), "\(run.output)")
    let report = String(decoding: try folder.bytes(of: "report.xml"), as: UTF8.self)
    #expect(report.contains(#"file="pictures/pnm-grey-16.pgm" name="pnm-grey-16.1 15,31 18x18""#))
    #expect(report.contains("<system-out>allowed 16 bits reduced to 8</system-out>"), "\(report)")
  }

  /// Runs the script with a server that drips, on a terminal, and until it is interrupted.
  private static let running = #"""
    import http.server, os, pty, signal, subprocess, sys, threading, time

    class Dripping(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            try:
                while not self.wfile.write(b"H"):
                    time.sleep(0.1)
            except OSError:
                pass

        def log_message(self, *_):
            pass

    script = [sys.executable, "set/run.py"]
    if sys.argv[1] == "drip":
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Dripping)
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}/{{name}}/{{x}}"
        sys.exit(subprocess.call(script + [address, "--traps", "pnm", "--timeout", "0.5"]))
    if sys.argv[1] == "terminal":
        sys.exit(pty.spawn(script + ["cat {file}", "--traps", "pnm"]) >> 8)
    run = subprocess.Popen(script + ["sh -c 'echo $$ > part; mv part begun; sleep 600' {file}", "--traps", "pnm"])
    while not os.path.exists("begun"):
        time.sleep(0.05)
    run.send_signal(signal.SIGINT)
    code = run.wait()
    # The shell's parent is gone; what is left of it has been killed.
    stat = f"/proc/{open('begun').read().strip()}/stat"
    while os.path.exists(stat) and open(stat).read().split()[2] != "Z":
        time.sleep(0.05)
    sys.exit(code)
    """#

  @Test(
    .enabled(if: hasPython),
    arguments: [
      ("drip", 1, "no answer within 0.5 s"), ("terminal", 1, "run.py: 1 of 1 pictures"),
      ("interrupt", 130, ""),
    ])
  func `a dripping server is given up, a terminal shows progress, and an interrupt ends all`(
    _ part: String, _ code: Int32, _ text: String
  ) async throws {
    let folder = try await Self.folderWithSet()
    let run = try await python(["-c", Self.running, part], in: folder)
    #expect(run.code == code, "\(run.output) \(run.errors)")
    #expect(text.isEmpty || run.output.contains(text), "\(run.output)")
  }

  @Test(.enabled(if: hasPython))
  func `the reason of regions that are not asked is shown`() async throws {
    let folder = try await Self.folderWithSet()
    let run = try await python(["set/run.py", "cat {file}", "--traps", "tiff-levels"], in: folder)
    #expect(
      run.output.contains("tiff-levels: not asked: smaller copies need {level} or {reduction}"))
  }

  @Test(.enabled(if: hasPython))
  func `damaged answers and reasons end the script instead of deciding`() async throws {
    let folder = try await Self.folderWithSet()
    var answer = try folder.bytes(of: "set/expected/cmyk.0.raw")
    answer[answer.count - 1] ^= 1
    try folder.write(answer, to: "set/expected/cmyk.0.raw")
    #expect(
      try await python(["set/run.py", "cat {file}", "--traps", "jpeg-inks"], in: folder).code == 65)
    try folder.write(try folder.bytes(of: "set/traps.json") + [0x20], to: "set/traps.json")
    #expect(
      try await python(["set/run.py", "cat {file}", "--traps", "png"], in: folder).code == 65)
    try FileManager.default.removeItem(atPath: folder.file("set/traps.json").string)
    #expect(
      try await python(["set/run.py", "cat {file}", "--traps", "png"], in: folder).code == 65)
    try folder.write([0x7B], to: "set/regions.json")
    #expect(
      try await python(["set/run.py", "cat {file}", "--traps", "png"], in: folder).code == 65)
  }

  @Test(.enabled(if: hasPython))
  func `a decoder that crashes, hangs, or gives nothing or no picture has failed`() async throws {
    let folder = try await Self.folderWithSet()
    let decoders = [
      ("sh -c 'kill -SEGV $$' {file}", "ended by signal 11"),
      ("sh -c 'exit 139' {file}", "ended by signal 11"),
      ("sh -c 'sleep 600' {file}", "no answer within 0.5 s"),
      ("true {file}", "exit code 0, but no answer"), ("echo {file}", "neither PNG"),
      ("cat {file}", "99x117 of 1 bands instead of 19x9 of 1"),
      // A sample above white, no white, and rows that are missing.
      ("sh -c 'printf \"P5 1 1 9 Z\"' {file}", "a damaged picture"),
      ("sh -c 'printf \"P5 1 1 0 Z\"' {file}", "a damaged picture"),
      ("sh -c 'printf \"P5 9 9 255 Z\"' {file}", "fewer samples than the header says"),
    ]
    for (decoder, reason) in decoders {
      let run = try await python(
        ["set/run.py", decoder, "--traps", "pnm", "--timeout", "0.5"], in: folder)
      #expect(run.code == 1, "\(decoder): \(run.errors)")
      #expect(run.output.contains(reason), "\(decoder): \(run.output)")
    }
  }

  @Test(.enabled(if: hasPython))
  func `planted faults are found, and sound decoding passes`() async throws {
    let folder = try await Self.folderWithSet()
    let script = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Decoder/faults.py").path
    // All hundred faults take minutes.
    let some = [
      "no-chroma-left", "numbering-without-wrap", "orientation-5-as-7", "no-rows-above",
      "codes-grow-late", "padding-not-stored", "buffer-end-loses-row", "dnl-ignored",
    ]
    let run = try await python([script, "set"] + Thoroughness.pick(some, full: []), in: folder)
    #expect(run.code == 0, "\(run.output) \(run.errors)")
  }
}
