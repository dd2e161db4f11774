import Testing
import ZoomCorpus

@Suite struct CorpusCommandTests {
  private func make(_ names: String..., in folder: TestFolder) async throws -> CommandRun {
    try await folder.zoombench(["corpus", "make"] + names + ["--corpus-folder", "corpus"])
  }

  @Test func `the list has every picture and says which are made`() async throws {
    let folder = try TestFolder()
    #expect(try await make("tiny-17x3", in: folder).code == 0)
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

  @Test func `the folder can be named by a variable, and listing makes nothing`() async throws {
    let folder = try TestFolder()
    let run = try await folder.zoombench(["corpus"], environment: ["ZOOMBENCH_CORPUS": "elsewhere"])
    #expect(run.code == 0)
    #expect(run.output.contains("elsewhere"))
    #expect(try folder.names().isEmpty)
  }

  @Test func `pictures are made once, and a truncated one is made again`() async throws {
    let folder = try TestFolder()
    let run = try await make("tiny-1x1", "orientation-6", in: folder)
    #expect(run.code == 0 && run.errors.isEmpty)
    #expect(run.output == "2 pictures made and checked in corpus\n")
    let whole = try folder.bytes(of: "corpus/orientation-6.jpg")
    let names = try folder.names()
    for length in [whole.count, 50] {
      try folder.write(whole.prefix(length), to: "corpus/orientation-6.jpg")
      #expect(try await make("tiny-1x1", "orientation-6", in: folder).code == 0)
      #expect(try folder.names() == names)
      #expect(try folder.bytes(of: "corpus/orientation-6.jpg") == whole)
    }
  }

  @Test func `a picture with other pixels is a finding`() async throws {
    let folder = try TestFolder()
    #expect(try await make("orientation-6", in: folder).code == 0)
    var bytes = try folder.bytes(of: "corpus/orientation-6.jpg")
    // Inside the coded pixels, well after the headers.
    bytes[bytes.count * 3 / 4] ^= 0x10
    try folder.write(bytes, to: "corpus/orientation-6.jpg")
    let run = try await make("orientation-6", in: folder)
    #expect(run.code == 1)
    #expect(run.errorLines.count == 1)
    #expect(run.output.hasPrefix("orientation-6: "))
  }

  @Test func `a corpus folder that cannot be made is an output that cannot be written`()
    async throws
  {
    let folder = try TestFolder()
    try folder.write("a file".utf8, to: "corpus")
    let run = try await make("tiny-1x1", in: folder)
    #expect(run.code == 73)
    #expect(run.errorLines.count == 1)
  }
}
