import Foundation
import SystemPackage
import Testing

@testable import zoombench

@Suite struct ConformanceUsageTests {
  @Test(
    .enabled(if: ConformanceScript.hasPython),
    arguments: [
      ([""], "'': neither a folder"), (["cat {file} 'x"], "No closing quotation"),
      (["cat {file} {output.png}"], "{output.png} stands"),
      (["http://localhost/{out}"], "{out} stands"),
      (["cat {file}", "--junit", "nowhere/x"], "nowhere/x: No such file"),
      (["cat {file}", "--json", "set"], "set: Is a directory"),
      (["cat {file}", "--traps", "pnm, nothing"], "no trap is named nothing "),
      (["cat {file}", "--traps", ","], "no trap is named , "),
      (["cp {file} {out.png} {out.ppm}"], "one {out}, of one suffix"),
      (["cat {file}", "--timeout", "nan"], "above 0"),
      (["cat {file}", "--timeout", "inf"], "at most a day"),
      (["pipes"], "strips.0.png: one of two answers, or not a file"),
      (["folders"], "strips.0.png: one of two answers, or not a file"),
      (["twice"], "strips.0.png: one of two answers, or not a file"),
    ])
  func `wrong usage is one line and exit code 64`(_ arguments: [String], _ reason: String)
    async throws
  {
    let folder = try await ConformanceScript.folderWithSet()
    try folder.write([0], to: "folders/strips.0.png/file")
    try folder.write([0], to: "pipes/file")
    #expect(mkfifo(folder.file("pipes/strips.0.png").string, 0o600) == 0)
    for suffix in ["png", "ppm"] { try folder.write([0], to: "twice/strips.0.\(suffix)") }
    let run = try await ConformanceScript.python(["set/run.py"] + arguments, in: folder)
    #expect(run.code == 64)
    #expect(run.errorLines.count == 1 && run.errors.contains(reason), "\(run.errors)")
  }

  @Test(.enabled(if: ConformanceScript.hasPython))
  func `files with other suffixes are no answers, and a last comma names no trap`()
    async throws
  {
    let folder = try await ConformanceScript.folderWithSet()
    for name in ["strips.0.bak", "png.png"] { try folder.write([0], to: "answers/\(name)") }
    let answer = try folder.bytes(of: "set/expected/filters-all.0.png")
    try folder.write(answer, to: "answers/filters-all.0.png")
    let run = try await ConformanceScript.python(
      ["set/run.py", "answers", "--traps", "tiff-strips, pnm,"], in: folder)
    #expect(run.code == 2, "\(run.output) \(run.errors)")
    #expect(!run.output.contains("png-filters"))
    #expect(run.output.hasSuffix("\nfiles that are not a region's: 2, such as png.png\n"))
    #expect(run.output.contains("pnm-16-bits: refused: there is no such file"))
  }

  @Test(.enabled(if: ConformanceScript.hasPython))
  func `an exact region must also agree with a whole picture that is only allowed`() async throws {
    let folder = try await ConformanceScript.folderWithSet()
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
    #expect(try await ConformanceScript.python(["-c", whole], in: folder).code == 0)
    let run = try await ConformanceScript.python(
      ["set/run.py", "answers", "--traps", "pnm", "--junit", "report.xml"], in: folder)
    #expect(run.code == 1, "\(run.output) \(run.errors)")
    #expect(run.output.contains("FAILED pnm-grey-16.1 "), "\(run.output)")
    let report = String(decoding: try folder.bytes(of: "report.xml"), as: UTF8.self)
    #expect(report.contains(#"file="pictures/pnm-grey-16.pgm" name="pnm-grey-16.1 15,31 18x18""#))
    #expect(report.contains("<system-out>allowed 16 bits reduced to 8</system-out>"), "\(report)")
  }

  @Test(.enabled(if: ConformanceScript.hasPython))
  func `a whole picture as wide as it is stored leaves the orientation to the caller`()
    async throws
  {
    let folder = try await ConformanceScript.folderWithSet()
    let stored = """
      import os, sys
      sys.path.insert(0, "set")
      import samples
      data = open("set/expected/tiff-orientation-6.0.png", "rb").read()
      stored = samples.read(data, 51, 83, 3, "uint8").turned(6)
      os.mkdir("answers")
      for number, part in enumerate([stored, stored.part(15, 31, 18, 18)]):
          head = f"P6 {part.width} {part.height} 255\\n".encode()
          open(f"answers/tiff-orientation-6.{number}.ppm", "wb").write(head + bytes(part.values))
      """
    #expect(try await ConformanceScript.python(["-c", stored], in: folder).code == 0)
    let run = try await ConformanceScript.python(
      ["set/run.py", "answers", "--traps", "tiff-orientation"], in: folder)
    #expect(run.code == 0, "\(run.output) \(run.errors)")
    #expect(run.output.contains("allowed for orientation left to the caller"))
  }

  /// Writes a whole picture whose chroma is a third of what is expected, and one of flat red.
  private static let colours = #"""
    import os, sys
    sys.path.insert(0, "set")
    import samples

    def expected(name, height, bands):
        return samples.read(open(f"set/expected/{name}", "rb").read(), 99, height, bands, "uint8")

    def write(name, picture):
        head = f"P6 {picture.width} {picture.height} 255\n"
        open(f"answers/{name}.ppm", "wb").write(head.encode() + bytes(picture.values))

    os.mkdir("answers")
    strong = expected("chroma-420.0.png", 211, 3)
    lumas = iter(strong.lumas())
    whole = strong.mapped(
        3, lambda pixel: [round((value + 2 * luma) / 3) for luma in [next(lumas)] for value in pixel])
    write("chroma-420.0", whole)
    write("chroma-420.1", whole.part(15, 31, 18, 18))
    inks = samples.VIEWS["rgb-of-inks"](expected("inks.0.raw", 117, 4))
    write("inks.0", inks.mapped(3, lambda pixel: [100, *pixel[1:]]))
    """#

  @Test(.enabled(if: ConformanceScript.hasPython))
  func `a failed whole picture names the bound that is exceeded, and fails its regions`()
    async throws
  {
    let folder = try await ConformanceScript.folderWithSet()
    #expect(try await ConformanceScript.python(["-c", Self.colours], in: folder).code == 0)
    let run = try await ConformanceScript.python(
      ["set/run.py", "answers", "--traps", "jpeg-chroma, tiff-inks"], in: folder)
    #expect(run.code == 1)
    for reason in ["chroma 15.9 (at most 2)", "correlation 0 of band 0 (at least 0.9)"] {
      #expect(run.output.contains("on average; \(reason)"), "\(run.output)")
    }
    // The region alone would be allowed.
    #expect(run.output.contains("18x18): the decoder's whole picture, to compare with, is missing"))
  }

  /// Runs the script with a server that drips or redirects, or until it is interrupted.
  private static let running = #"""
    import http.server, os, signal, subprocess, sys, threading, time

    class Dripping(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            if sys.argv[1] == "redirect":
                self.send_response(302)
                self.send_header("Location", "http://127.0.0.1:" + 20 * "9")
                self.end_headers()
                return
            try:
                while True:
                    self.wfile.write(b"H")
                    time.sleep(0.1)
            except OSError:
                pass

        def log_message(self, *_):
            pass

    script = [sys.executable, "set/run.py"]
    if sys.argv[1] in ("drip", "redirect"):
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Dripping)
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}/{{name}}/{{x}}"
        sys.exit(subprocess.call(script + [address, "--traps", "pnm", "--timeout", "0.5"]))
    open("old", "w").write("kept")
    script += ["--traps", "pnm", "--json", "old", "--junit", "new"]
    run = subprocess.Popen(script + ["sh -c 'echo $$ > part; mv part begun; sleep 600' {file}"])
    while not os.path.exists("begun") and run.poll() is None:
        time.sleep(0.05)
    run.send_signal(signal.Signals[sys.argv[1]])
    code = run.wait()
    # The shell's parent is gone; what is left of it has been killed.
    try:
        while open(f"/proc/{open('begun').read().strip()}/stat").read().split()[2] != "Z":
            time.sleep(0.05)
    except OSError:
        pass
    is_right = open("old").read() == "kept" and not os.path.exists("new")
    sys.exit(code if is_right else "the old report is lost, or the new one is left empty")
    """#

  @Test(
    .enabled(if: ConformanceScript.hasPython),
    arguments: [
      ("drip", 1, "no answer within 0.5 s"), ("redirect", 1, "18x18): no answer: "),
      ("SIGINT", 130, ""), ("SIGTERM", 143, ""),
    ])
  func `a bad server fails, and a signal leaves only old reports`(
    _ part: String, _ code: Int32, _ text: String
  ) async throws {
    let folder = try await ConformanceScript.folderWithSet()
    let run = try await ConformanceScript.python(["-c", Self.running, part], in: folder)
    #expect(run.code == code, "\(run.output) \(run.errors)")
    #expect(text.isEmpty || run.output.contains(text), "\(run.output)")
  }

  @Test(
    .enabled(if: ConformanceScript.hasPython),
    arguments: [
      ("cat /dev/zero {file}", "an answer of 64 MB or more"),
      ("truncate -s 64M {out.png}", "an answer of 64 MB or more"),
      ("http://a..b/{x}", "no answer: "), ("http://[bad/{x}", "no answer: "),
      ("http://localhost/{x} {y}", "no answer: "),
    ])
  func `endless answers and wrong addresses fail`(_ decoder: String, _ reason: String)
    async throws
  {
    let folder = try await ConformanceScript.folderWithSet()
    let run = try await ConformanceScript.python(
      ["set/run.py", decoder, "--traps", "pnm"], in: folder)
    #expect(run.code == 1, "\(run.errors)")
    #expect(run.output.contains("18x18): \(reason)"), "\(run.output)")
  }

  @Test(
    .enabled(
      if: ConformanceScript.hasPython && FileManager.default.fileExists(atPath: "/dev/full")))
  func `a report that cannot be written is an error after the table`() async throws {
    let folder = try await ConformanceScript.folderWithSet()
    let run = try await ConformanceScript.python(
      ["set/run.py", "cat {file}", "--traps", "pnm", "--junit", "/dev/full"], in: folder)
    #expect(run.code == 64 && run.output.contains("FAILED pnm-grey-16.1 "))
    #expect(run.errors == "run.py: /dev/full: No space left on device\n")
  }

  /// Reads a small PNG whose data are 400 MB when decompressed, in two chunks, and one whose header says as much, and ends
  /// a command that is gone.
  private static let excessive = #"""
    import resource, struct, subprocess, sys, zlib
    sys.path.insert(0, "set")
    import run, samples

    gone = subprocess.Popen(["true"], start_new_session=True)
    gone.wait()
    run.end(gone)
    zeros = zlib.compressobj(1)
    data = b"".join(zeros.compress(bytes(1 << 20)) for _ in range(400)) + zeros.flush()

    def png(height, *parts):
        chunks = [(b"IHDR", struct.pack(">IIBBBBB", 2, height, 8, 2, 0, 0, 0)), *((b"IDAT", part) for part in parts)]
        return b"\x89PNG\r\n\x1a\n" + b"".join(
            struct.pack(">I", len(body)) + name + body + bytes(4) for name, body in chunks)

    resource.setrlimit(resource.RLIMIT_AS, (1 << 28, 1 << 28))
    print(*samples.read(png(2, data[:9], data[9:]), 2, 2, 3, "uint8").values)
    try:
        samples.read(png(1 << 26, data), 2, 1 << 26, 3, "uint8")
    except samples.NoAnswer as answer:
        print(answer.args[1])
    """#

  @Test(.enabled(if: ConformanceScript.hasPython))
  func `only the rows of a PNG are decompressed, and a command that is gone can be ended`()
    async throws
  {
    let folder = try await ConformanceScript.folderWithSet()
    let run = try await ConformanceScript.python(["-c", Self.excessive], in: folder)
    let reason = "a damaged picture (rows of 469762048 bytes)"
    #expect(run.output == "0 0 0 0 0 0 0 0 0 0 0 0\n\(reason)\n", "\(run.errors)")
  }

  /// Prints the table of a trap whose regions are refused for four reasons, the last one twice.
  private static let refusing = #"""
    import json, sys
    sys.path.insert(0, "set")
    import report

    index = {"version": 0, "traps": [{"name": "trap"}]}
    index["pictures"] = [{"file": "file", "trap": "trap", "rows": [{"name": name} for name in "12345"]}]
    print(*report.table(index, {name: ("refused", why) for name, why in zip("12345", "dcbaa")}, ""))
    """#

  @Test(.enabled(if: ConformanceScript.hasPython))
  func `the commonest three reasons are shown, and then the first`() async throws {
    let folder = try await ConformanceScript.folderWithSet()
    let run = try await ConformanceScript.python(["-c", Self.refusing], in: folder)
    #expect(
      run.output.hasSuffix("trap: refused: a   trap: refused: d   trap: refused: c\n"),
      "\(run.output) \(run.errors)")
  }

  @Test(.enabled(if: ConformanceScript.hasPython))
  func `the reason of regions that are not asked is shown`() async throws {
    let folder = try await ConformanceScript.folderWithSet()
    let run = try await ConformanceScript.python(
      ["set/run.py", "cat {file}", "--traps", "tiff-levels"], in: folder)
    #expect(
      run.output.contains("tiff-levels: not asked: smaller copies need {level} or {reduction}"))
  }
}
