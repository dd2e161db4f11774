import SystemPackage
import TestSupport
import Testing
import ZoomCorpus

@testable import ZoomPipeline

@Suite struct SeekIndexPartsTests {
  /// The index of one pass from the top.
  private func serial(_ file: any CodedSource, _ jpeg: JPEGStructure) throws -> SeekIndex {
    var pass = try SeekPass(file, jpeg)
    try pass.advance(to: jpeg.mcuCount)
    return pass.index
  }

  private func open(_ bytes: [UInt8]) throws -> (file: MemoryFile, jpeg: JPEGStructure) {
    let file = MemoryFile(bytes, madeFrom: "made.jpg")
    return (file, try JPEGParser.parse(file))
  }

  @Test(arguments: [1, 2, 5], [0, 3])
  func `passes side by side find the points of one`(rows: Int, fillBytes: Int) throws {
    for (colour, width) in [(JPEGEncoding.Colour.gray, 333), (.yCbCr, 512), (.ycck, 190)] {
      var options = JPEGEncoding(colour: colour, quality: 85)
      options.restart = .rows(rows)
      let (file, jpeg) = try open(try JPEGBytes(width, 240, options).filled(fillBytes).bytes)
      let one = try serial(file, jpeg)
      let segments = (jpeg.mcuRows + rows - 1) / rows
      for parts in [2, 3, segments] where parts > 1 && parts <= segments {
        #expect(SeekIndex.build(of: file, jpeg, inParts: parts) == one, "\(parts)")
      }
      // A part without a segment is no pass.
      #expect(SeekIndex.build(of: file, jpeg, inParts: segments + 1) == nil)
      #expect(try SeekIndex.build(of: file, jpeg) == one)
    }
  }

  @Test func `without markers at whole rows, or for one part, there is nothing to do`() throws {
    for restart in [JPEGEncoding.Restart.none, .mcus(7), .rows(1)] {
      var options = JPEGEncoding(quality: 85)
      options.restart = restart
      let (file, jpeg) = try open(try JPEGBytes(200, 100, options).bytes)
      #expect(SeekIndex.build(of: file, jpeg, inParts: 1) == nil)
      #expect((SeekIndex.build(of: file, jpeg, inParts: 2) == nil) == (restart != .rows(1)))
    }
  }

  /// A flipped bit shifts all codes behind it, up to the next marker.
  @Test func `broken data gives the points of one pass, or none`() throws {
    var options = JPEGEncoding(quality: 85)
    options.restart = .rows(2)
    let whole = try JPEGBytes(300, 200, options)
    var random = SplitMix64(seed: 6)
    var (found, refused) = (0, 0)
    for _ in 0..<150 {
      let place = Int.random(in: whole.codedStart..<whole.end, using: &random)
      let bit = UInt8(1) << UInt8.random(in: 0..<8, using: &random)
      let (file, jpeg) = try open(whole.patched { $0[place] ^= bit }.bytes)
      let index = SeekIndex.build(of: file, jpeg, inParts: 3)
      #expect(index == (try? serial(file, jpeg)))
      if index == nil { refused += 1 } else { found += 1 }
    }
    #expect(found > 10)
    #expect(refused > 10)
  }

  @Test func `a file of less than two megabytes is passed at once`() {
    #expect(SeekIndex.parts(ofFileOf: 0) == 0)
    #expect(SeekIndex.parts(ofFileOf: 2 << 20 - 1) == 1)
    #expect(SeekIndex.parts(ofFileOf: 2 << 20) == 2)
    #expect(SeekIndex.parts(ofFileOf: .max) == 16)
  }
}
