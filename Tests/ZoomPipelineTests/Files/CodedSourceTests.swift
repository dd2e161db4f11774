import SystemPackage
import TestSupport
import Testing
import ZoomCorpus

@testable import ZoomPipeline

@Suite struct CodedSourceTests {
  @Test func `bytes in memory are read as those of a file`() throws {
    let folder = try TestFolder()
    var random = SplitMix64(seed: 5)
    for length in [0, 1, 2, 300] {
      let bytes = (0..<length).map { _ in UInt8.random(in: .min ... .max, using: &random) }
      let path = try folder.write(bytes, as: "some")
      let file = try FileReader(path)
      let memory = MemoryFile(bytes, madeFrom: path)
      #expect(memory.length == file.length)
      for _ in 0..<200 {
        let offset = Int.random(in: 0...length + 3, using: &random)
        let count = Int.random(in: 0...length + 3, using: &random)
        #expect(try memory.bytes(at: offset, count: count) == file.bytes(at: offset, count: count))
      }
    }
  }

  @Test func `no offset or count is too large`() throws {
    let memory = MemoryFile([1, 2, 3], madeFrom: "some")
    #expect(try memory.bytes(at: .max, count: .max).isEmpty)
    #expect(try memory.bytes(at: 1, count: .max) == [2, 3])
  }

  @Test(arguments: [JPEGEncoding.Restart.none, .rows(1), .mcus(7)])
  func `headers and index do not depend on where the bytes stand`(
    restart: JPEGEncoding.Restart
  ) throws {
    var options = JPEGEncoding(quality: 85)
    options.restart = restart
    let made = try MadeJPEG(options, 330, 120)
    let memory = MemoryFile(try made.bytes, madeFrom: made.path)
    let file = try FileReader(made.path)
    let jpeg = try JPEGParser.parse(file)
    #expect(try JPEGParser.parse(memory) == jpeg)
    #expect(try SeekIndex.build(of: memory, jpeg) == SeekIndex.build(of: file, jpeg))
  }
}
