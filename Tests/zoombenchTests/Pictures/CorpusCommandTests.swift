import SystemPackage
import Testing
import ZoomCorpus

@Suite struct CorpusCommandTests {
  private func make(_ names: [String], in folder: TestFolder) async throws {
    let run = try await folder.zoombench(
      ["corpus", "make"] + names + ["--corpus-folder", "corpus"])
    #expect(run.code == 0)
    #expect(run.errors.isEmpty)
  }

  private func check(_ folder: TestFolder, _ names: String...) async throws -> CommandRun {
    try await folder.zoombench(["corpus", "check"] + names + ["--corpus-folder", "corpus"])
  }

  @Test func `the list has every picture and tells what is made`() async throws {
    try await TestFolder.with { folder in
      try await make(["tiny-17x3"], in: folder)
      let run = try await folder.zoombench("corpus", "list", "--corpus-folder", "corpus")
      #expect(run.code == 0)
      for picture in try CorpusManifest.builtIn().pictures {
        let line = try #require(
          run.output.split(separator: "\n").first { $0.hasPrefix(picture.name + " ") })
        let words = line.split(separator: " ")
        #expect(words[1] == "\(picture.structure.width)x\(picture.structure.height)")
        #expect((words[2] == "yes") == (picture.name == "tiny-17x3"), "\(picture.name)")
      }
    }
  }

  @Test func `the folder can be named by a variable, and listing makes nothing`() async throws {
    try await TestFolder.with { folder in
      let run = try await folder.zoombench(
        ["corpus"], environment: ["ZOOMBENCH_CORPUS": "elsewhere"])
      #expect(run.code == 0)
      #expect(run.output.contains("elsewhere"))
      #expect(try folder.names().isEmpty)
    }
  }

  @Test func `pictures are made once, and checked as right`() async throws {
    try await TestFolder.with { folder in
      try await make(["tiny-1x1", "orientation-6"], in: folder)
      let first = try folder.bytes(of: "corpus/orientation-6.jpg")
      let names = try folder.names()
      #expect(names.contains("work/corpus/tiny-1x1.jpg"))
      try await make(["tiny-1x1", "orientation-6"], in: folder)
      #expect(try folder.names() == names)
      #expect(try folder.bytes(of: "corpus/orientation-6.jpg") == first)
      let run = try await check(folder)
      #expect(run.code == 0)
      #expect(run.output.split(separator: "\n").count == 2)
      #expect(run.errors.isEmpty)
    }
  }

  @Test func `a damaged picture is a finding`() async throws {
    try await TestFolder.with { folder in
      try await make(["orientation-6"], in: folder)
      var bytes = try folder.bytes(of: "corpus/orientation-6.jpg")
      // Inside the coded pixels, well after the headers.
      bytes[bytes.count * 3 / 4] ^= 0x10
      try folder.write(bytes, to: "corpus/orientation-6.jpg")
      let run = try await check(folder, "orientation-6")
      #expect(run.code == 1)
      #expect(run.errorLines.count == 1)
      #expect(run.output.hasPrefix("orientation-6: "))
      #expect(run.output != "orientation-6: right\n")
    }
  }

  @Test func `a picture that was replaced by another is a finding`() async throws {
    try await TestFolder.with { folder in
      try await make(["tiny-17x3"], in: folder)
      try await folder.place("tiny-1x1", as: "corpus/tiny-17x3.jpg")
      #expect(try await check(folder, "tiny-17x3").code == 1)
    }
  }

  @Test func `a damaged picture is made again`() async throws {
    try await TestFolder.with { folder in
      try await make(["tiny-17x3"], in: folder)
      let whole = try folder.bytes(of: "corpus/tiny-17x3.jpg")
      try folder.write(whole.prefix(50), to: "corpus/tiny-17x3.jpg")
      try await make(["tiny-17x3"], in: folder)
      #expect(try folder.bytes(of: "corpus/tiny-17x3.jpg") == whole)
    }
  }

  @Test func `checking a corpus that is not made is no input`() async throws {
    try await TestFolder.with { folder in
      for run in [try await check(folder), try await check(folder, "tiny-1x1")] {
        #expect(run.code == 66)
        #expect(run.errorLines.count == 1)
        #expect(run.output.isEmpty)
      }
      #expect(try folder.names().isEmpty)
    }
  }

  @Test func `a corpus folder that cannot be made is an output that cannot be written`()
    async throws
  {
    try await TestFolder.with { folder in
      try folder.write("a file".utf8, to: "corpus")
      let run = try await folder.zoombench(
        "corpus", "make", "tiny-1x1", "--corpus-folder", "corpus")
      #expect(run.code == 73)
      #expect(run.errorLines.count == 1)
    }
  }

  @Test func `new digests are recorded in a manifest`() async throws {
    try await TestFolder.with { folder in
      let manifest = try CorpusManifest.builtIn()
      let bare = CorpusManifest(
        version: manifest.version, pictures: manifest.pictures.map { $0.recording(nil) })
      try folder.write(try bare.json(), to: "manifest.json")
      try await make(["tiny-17x3", "--write-manifest", "manifest.json"], in: folder)
      let recorded = try CorpusManifest(json: folder.bytes(of: "manifest.json"))
      for (picture, original) in zip(recorded.pictures, manifest.pictures) {
        #expect(picture.pixels == (picture.name == "tiny-17x3" ? original.pixels : nil))
      }
    }
  }
}
