import PropertyTesting
import SystemPackage
import TestSupport
import Testing
import ZoomCorpus
import ZoomGeometry

@testable import ZoomPipeline

/// Checks that any header yields an answer or a typed error, and never a trap or a hang.
struct JPEGParserTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func parse(_ bytes: [UInt8]) throws -> JPEGStructure {
    try JPEGParser.parse(FileReader(folder.write(bytes, as: "parsed.jpg")))
  }

  @Test func `a file cut at any length of its headers is refused, a longer one is not`() throws {
    let jpeg = try JPEGBytes.small()
    for length in 0..<jpeg.codedStart {
      let error = expectError(.damaged, "\(length)") { try parse(Array(jpeg.bytes.prefix(length))) }
      #expect(error?.file?.lastComponent?.string == "parsed.jpg")
    }
    let whole = try parse(jpeg.bytes)
    #expect(try parse(Array(jpeg.bytes.prefix(jpeg.codedStart))) == whole)
    #expect(whole.codedStart == jpeg.codedStart)
  }

  @Test func `any byte changed gives a structure within bounds or a typed error`() throws {
    let jpeg = try JPEGBytes.small(40, 30)
    var numbers = SplitMix64(seed: 81)
    var (parsed, refused) = (0, 0)
    for place in 0..<jpeg.codedStart {
      for value in [0, 0xFF, UInt8.random(in: 1...254, using: &numbers)] {
        do {
          let structure = try parse(jpeg.patched { $0[place] = value }.bytes)
          parsed += 1
          #expect((1...4).contains(structure.components.count))
          #expect(
            structure.components.allSatisfy {
              (1...4).contains($0.horizontal) && (1...4).contains($0.vertical)
            })
          #expect((0...0xFFFF).contains(structure.restartInterval))
          #expect((1...0xFFFF).contains(structure.size.width))
          #expect((1...0xFFFF).contains(structure.size.height))
          #expect(structure.mcuCount > 0)
          #expect((1...jpeg.bytes.count).contains(structure.codedStart))
          #expect(structure.segments.last?.code == 0xDA)
        } catch let error as PipelineError {
          refused += 1
          #expect(error.code == .damaged || error.code == .unsupported, "\(place): \(error)")
        }
      }
    }
    #expect(parsed > 100 && refused > 100)
  }

  @Test func `noise after the start marker is never trusted`() throws {
    var numbers = SplitMix64(seed: 82)
    for _ in 0..<200 {
      let length = Int.random(in: 0...300, using: &numbers)
      let noise = (0..<length).map { _ in
        // Markers are frequent, so that the parser gets past the first one.
        Bool.random(using: &numbers) ? 0xFF : UInt8.random(in: 0...255, using: &numbers)
      }
      expectError(.damaged, or: .unsupported) { try parse([0xFF, 0xD8] + noise) }
    }
  }

  @Test func `a file that is not a JPEG is unsupported`() throws {
    for bytes in [Array("GIF89a, not a JPEG".utf8), [0xFF, 0xD9, 0xFF], [0x00, 0xD8]] {
      expectError(.unsupported) { try parse(bytes) }
    }
  }

  @Test func `segments longer than the file are refused at once`() throws {
    for code: UInt8 in [0xE0, 0xE1, 0xC0, 0xC4, 0xDA, 0xFE] {
      expectError(.damaged) { try parse([0xFF, 0xD8, 0xFF, code, 0xFF, 0xFF]) }
    }
  }

  @Test func `more segments than 65,536 are refused, also for libvips`() throws {
    let jpeg = try JPEGBytes.small()
    let segment: [UInt8] = [0xFF, 0xE5, 0, 2]
    let many = Array(repeatElement(segment, count: 1 << 16).joined())
    let bytes = Array(jpeg.bytes[..<2]) + many + Array(jpeg.bytes[2...])
    expectError(.unsupported) { try parse(bytes) }
    let error = expectError(.damaged) { try Picture(folder.write(bytes, as: "many.jpg")) }
    #expect(error?.reason.contains("65536 segments") == true)
  }

  /// A file of 300 MB in segments of 65,537 bytes, as a reader sees it that skips their contents.
  private struct SegmentedFile: CodedSource {
    let path: FilePath = "long.jpg"
    let length = 300_000_000

    func read(at offset: Int, into target: UnsafeMutableRawBufferPointer) -> Int {
      let count = min(target.count, max(0, length - offset))
      var start = Array(repeating: 0 as UInt8, count: count)
      let head: [UInt8] = (offset == 0 ? [0xFF, 0xD8] : []) + [0xFF, 0xE5, 0xFF, 0xFF]
      start.replaceSubrange(..<min(count, head.count), with: head.prefix(count))
      target.copyBytes(from: start)
      return count
    }
  }

  @Test func `segments of more than 250 MB are refused`() {
    let error = expectError(.unsupported) { try JPEGParser.parse(SegmentedFile()) }
    #expect(error?.reason.contains("250 MB") == true)
  }

  @Test(arguments: [
    ("no length", [0xFF, 0xDB, 0, 1]), ("end before a scan", [0xFF, 0xD9]),
    ("a second start", [0xFF, 0xD8]), ("a restart marker", [0xFF, 0xD0]),
    ("a temporary marker", [0xFF, 0x01]), ("no marker", [0x12, 0x34]),
    ("a stuffed zero", [0xFF, 0, 0, 2]), ("a reserved marker", [0xFF, 0x4F, 0, 2]),
    ("an extension", [0xFF, 0xF0, 0, 2]), ("a hierarchy", [0xFF, 0xDE, 0, 2]),
    ("a scan before the frame", [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0]),
    ("a short frame", [0xFF, 0xC0, 0, 5, 8, 0, 1]),
    ("no components", [0xFF, 0xC0, 0, 8, 8, 0, 9, 0, 9, 0]),
    ("a width of zero", [0xFF, 0xC0, 0, 11, 8, 0, 9, 0, 0, 1, 1, 0x11, 0]),
    ("factors of zero", [0xFF, 0xC0, 0, 11, 8, 0, 9, 0, 9, 1, 1, 0x01, 0]),
    ("factors of five", [0xFF, 0xC0, 0, 11, 8, 0, 9, 0, 9, 1, 1, 0x15, 0]),
    ("a long restart interval", [0xFF, 0xDD, 0, 5, 0, 1, 2]),
  ])
  func `segments that are not understood are unsupported, not damaged`(
    _ what: String, _ segment: [UInt8]
  ) throws {
    // The rest of the file is valid: only this segment can be refused.
    let jpeg = try JPEGBytes.small()
    expectError(.unsupported, "\(what)") {
      try parse(Array(jpeg.bytes[..<2]) + segment + Array(jpeg.bytes[2...]))
    }
  }

  @Test func `fill bytes before markers change only the offset of the data`() throws {
    let options = JPEGEncoding(quality: 85).with(\.restart, .rows(1))
    let made = try JPEGBytes(50, 40, options)
    let plain = try parse(made.bytes)
    let filled = try parse(made.filled(5).bytes)
    #expect(filled.segments == plain.segments)
    #expect(filled.codedStart > plain.codedStart)
    #expect(filled.size == plain.size && filled.restartInterval == plain.restartInterval)
  }

  @Test func `a profile longer than one read ahead and a JPEG in a comment are skipped`() throws {
    var options = JPEGEncoding(quality: 85)
    let plain = try parse(JPEGBytes(50, 40, options).bytes)
    options.metadata.icc = [UInt8](repeating: 0x5A, count: 150_000)
    let comment = try JPEGBytes.small(40, 30).bytes
    options.metadata.comment = comment
    let tagged = try parse(JPEGBytes(50, 40, options).bytes)
    #expect(tagged.segments == plain.segments)
    #expect(tagged.codedStart > plain.codedStart + 150_000 + comment.count)
    #expect(tagged.size == plain.size)
  }
}
