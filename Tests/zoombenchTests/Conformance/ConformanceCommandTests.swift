import Foundation
import Measurement
import SystemPackage
import TestSupport
import Testing
import ZoomCorpus

@testable import zoombench

@Suite struct ConformanceCommandTests {
  @Test func `the set is written once, into a folder that is free`() async throws {
    let folder = try TestFolder()
    let run = try await folder.zoombench("conformance", "set")
    #expect(run.code == 0 && run.errors.isEmpty)
    #expect(run.output.contains("version   2, SHA-256 "))
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.file("set").string)
    #expect(
      names.sorted() == [
        "README.md", "expected", "judging.py", "pictures", "regions.json", "report.py", "run.py",
        "samples.py", "traps.json",
      ])
    #expect(FileManager.default.isExecutableFile(atPath: folder.file("set/run.py").string))
    let again = try await folder.zoombench("conformance", "set")
    #expect(again.code == 73)
    #expect(again.errorLines.count == 1)
  }

  @Test func `a set of other files than its version's is an internal error with both digests`() {
    #expect(throws: Never.self) { try ConformanceCommand.check(ConformanceSet.versionDigest) }
    let error = #expect(throws: Failure.self) { try ConformanceCommand.check("0123") }
    #expect(error?.status == .fault)
    for digest in ["0123", ConformanceSet.versionDigest] {
      #expect(error?.description.contains(digest) == true)
    }
  }

  @Test(arguments: [("", 64), ("nowhere/set", 73)])
  func `a folder that cannot be written is refused before the set is made`(
    _ folder: String, _ code: Int
  ) async throws {
    let run = try await TestFolder().zoombench("conformance", folder)
    #expect(run.code == Int32(code))
    #expect(run.errorLines.count == 1)
  }

  @Test(.enabled(if: ConformanceScript.hasPython))
  func `the script passes right answers and names the trap of a wrong one`()
    async throws
  {
    let folder = try await ConformanceScript.folderWithSet()
    // The expected files are the answers.
    let names = try FileManager.default.contentsOfDirectory(
      atPath: folder.file("set/expected").string)
    for name in names {
      try folder.write(try folder.bytes(of: "set/expected/\(name)"), to: "answers/\(name)")
    }
    let sound = try await ConformanceScript.python(
      ["set/run.py", "answers", "--junit", "sound.xml"], in: folder)
    #expect(sound.code == 0, "\(sound.output) \(sound.errors)")
    #expect(!sound.output.contains("\n  FAILED"))
    let other = try folder.bytes(of: "answers/filters-all.2.png")
    try folder.write(other, to: "answers/filters-all.1.png")
    // NaN after a first sample that is right, and inks as RGB of one colour.
    let floats = try folder.bytes(of: "answers/predictor-3.1.raw")
    let nan = [UInt8](repeating: 0xFF, count: floats.count - 4)
    try folder.write(Array(floats.prefix(4)) + nan, to: "answers/predictor-3.1.raw")
    let grey = [UInt8](repeating: 96, count: 99 * 117 * 3)
    try FileManager.default.removeItem(atPath: folder.file("answers/inks.0.raw").string)
    try folder.write(Array("P6 99 117 255\n".utf8) + grey, to: "answers/inks.0.pnm")
    let wrong = try await ConformanceScript.python(
      ["set/run.py", "answers", "--junit", "wrong.xml"], in: folder)
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

  @Test(.enabled(if: ConformanceScript.hasPython))
  func `a difference is not allowed without the whole picture, and a PNG of any length is read`()
    async throws
  {
    let folder = try await ConformanceScript.folderWithSet()
    #expect(try await ConformanceScript.python(["-c", Self.answers], in: folder).code == 0)
    let run = try await ConformanceScript.python(["set/run.py", "answers"], in: folder)
    #expect(run.code == 1)
    let reason = "whole picture, to compare with, is missing, failed or of another form"
    #expect(run.output.contains(reason), "\(run.output)")
    #expect(!run.output.contains("FAILED lzw.1 "), "\(run.output)")
  }

  @Test(.enabled(if: ConformanceScript.hasPython))
  func `a damaged picture and wrong usage end the script at once`()
    async throws
  {
    let folder = try await ConformanceScript.folderWithSet()
    #expect(try await ConformanceScript.python(["set/run.py", "nowhere"], in: folder).code == 64)
    #expect(try await ConformanceScript.python(["set/run.py", "cat {fil}"], in: folder).code == 64)
    #expect(
      try await ConformanceScript.python(["set/run.py", "cat {file}", "--job", "x"], in: folder)
        .code == 64)
    #expect(
      try await ConformanceScript.python(
        ["set/run.py", "cat {file}", "--traps", "nothing"], in: folder
      ).code == 64)
    for decoder in ["false {file}", "sh -c 'exit 255' {file}"] {
      #expect(
        try await ConformanceScript.python(["set/run.py", decoder, "--traps", "pnm"], in: folder)
          .code == 2)
    }
    try folder.write([1, 2, 3], to: "set/pictures/chroma-420.jpg")
    #expect(
      try await ConformanceScript.python(["set/run.py", "cat {file}"], in: folder).code == 65)
  }

  @Test(.enabled(if: ConformanceScript.hasPython))
  func `damaged answers and reasons end the script instead of deciding`() async throws {
    let folder = try await ConformanceScript.folderWithSet()
    var answer = try folder.bytes(of: "set/expected/cmyk.0.raw")
    answer[answer.count - 1] ^= 1
    try folder.write(answer, to: "set/expected/cmyk.0.raw")
    #expect(
      try await ConformanceScript.python(
        ["set/run.py", "cat {file}", "--traps", "jpeg-inks"], in: folder
      ).code == 65)
    try folder.write(try folder.bytes(of: "set/traps.json") + [0x20], to: "set/traps.json")
    #expect(
      try await ConformanceScript.python(
        ["set/run.py", "cat {file}", "--traps", "png"], in: folder
      ).code == 65)
    try FileManager.default.removeItem(atPath: folder.file("set/traps.json").string)
    #expect(
      try await ConformanceScript.python(
        ["set/run.py", "cat {file}", "--traps", "png"], in: folder
      ).code == 65)
    for text in ["{", "[]"] {
      try folder.write(Array(text.utf8), to: "set/regions.json")
      #expect(
        try await ConformanceScript.python(
          ["set/run.py", "cat {file}", "--traps", "png"], in: folder
        ).code == 65)
    }
  }

  @Test(.enabled(if: ConformanceScript.hasPython))
  func `a decoder that crashes, hangs, or gives nothing or no picture has failed`() async throws {
    let folder = try await ConformanceScript.folderWithSet()
    func pam(depth: Int, white: Int) -> String {
      let head = #"P7\nWIDTH 19\nHEIGHT 9\nDEPTH \#(depth)\nMAXVAL \#(white)\nENDHDR\n"#
      return #"sh -c 'printf "\#(head)%0999d"' {file}"#
    }
    let decoders = [
      ("sh -c 'kill -SEGV $$' {file}", "ended by signal 11"),
      ("sh -c 'exit 139' {file}", "ended by signal 11"),
      ("sh -c 'sleep 600' {file}", "no answer within 0.5 s"),
      ("true {file}", "exit code 0, but no readable answer"), ("echo {file}", "neither PNG"),
      // A file whose first byte cannot be read.
      ("ln -s /proc/self/mem {out.png}", "exit code 0, but no readable answer"),
      ("cat {file}", "99x117 of 1 bands instead of 19x9 of 1"),
      // A sample above white, wrong levels of white, no bands, and rows that are missing.
      ("sh -c 'printf \"P5 1 1 9 Z\"' {file}", "a damaged picture"),
      ("sh -c 'printf \"P5 1 1 0 Z\"' {file}", "a damaged picture (white is 0)"),
      (pam(depth: 1, white: -1), "a damaged picture (white is -1)"),
      (pam(depth: 1, white: 65_536), "a damaged picture (white is 65536)"),
      (pam(depth: 0, white: 255), "fewer samples than the header says"),
      ("sh -c 'printf \"P5 9 9 255 Z\"' {file}", "fewer samples than the header says"),
    ]
    for (decoder, reason) in decoders {
      // Only the command that hangs is not given much time.
      let limit = decoder.contains("sleep") ? ["--timeout", "0.5"] : []
      let run = try await ConformanceScript.python(
        ["set/run.py", decoder, "--traps", "pnm"] + limit, in: folder)
      #expect(run.code == 1, "\(decoder): \(run.errors)")
      #expect(run.output.contains(reason), "\(decoder): \(run.output)")
    }
  }

  /// Runs the script with an output that has the letters of ASCII only.
  private static let ascii = """
    import os, sys
    os.environ["PYTHONIOENCODING"] = "ascii"
    os.execv(sys.executable, [sys.executable, "set/run.py", "cat {file} é", "--traps", "pnm"])
    """

  @Test(.enabled(if: ConformanceScript.hasPython))
  func `letters that the output cannot show do not lose the table`() async throws {
    let folder = try await ConformanceScript.folderWithSet()
    let run = try await ConformanceScript.python(["-c", Self.ascii], in: folder)
    #expect(run.output.hasPrefix("conformance set 2: cat {file} ?"), "\(run.output) \(run.errors)")
  }

  @Test(.enabled(if: ConformanceScript.hasPython))
  func `planted faults are found, and sound decoding passes`() async throws {
    let folder = try await ConformanceScript.folderWithSet()
    let script = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Decoder/faults.py").path
    // All hundred faults take minutes. One for each trap of JPEG, and a few of other formats.
    let some = [
      "dc-only", "no-chroma-left", "single-unit-lost", "grey-factors-count", "names-ignored",
      "inks-not-converted", "black-ink-is-thin", "low-bytes-inverted", "only-first-scan",
      "progressive-first-scan", "arithmetic-as-huffman", "orientation-5-as-7",
      "numbering-without-wrap", "short-interval-lost",
      "fill-bytes-end-the-scan", "dnl-ignored", "usual-tables-always", "segment-search",
      "unit-is-grey", "no-rows-above", "codes-grow-late", "padding-not-stored",
      "level-tile-is-grey", "picture-is-pale", "buffer-end-loses-row",
    ]
    let run = try await ConformanceScript.python(
      [script, "set"] + Thoroughness.pick(some, full: []), in: folder)
    #expect(run.code == 0, "\(run.output) \(run.errors)")
  }
}
