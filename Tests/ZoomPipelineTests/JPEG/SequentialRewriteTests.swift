import SystemPackage
import TestSupport
import Testing
import ZoomCorpus
import ZoomGeometry

@testable import ZoomPipeline

/// Checks that a rewritten JPEG has the pixels of the original and an entry point at every MCU row.
struct SequentialRewriteTests {
  private static let enough = 1 << 28
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  /// Rewrites a file and checks what must be true of every result.
  private func rewritten(_ path: FilePath, _ what: String) throws -> [UInt8] {
    let bytes = try SequentialForm.encoded(FileReader(path), memoryLimit: Self.enough)
    let made = try folder.write(bytes, as: "rewritten.jpg")
    let (old, new) = (try JPEGStructure(of: path), try JPEGStructure(of: made))
    #expect(new.process == .baseline || new.process == .extended, "\(what)")
    #expect(new.firstScanIsComplete, "\(what)")
    #expect(new.restartInterval == new.mcusPerRow, "\(what)")
    #expect(new.size == old.size, "\(what)")
    #expect(new.components == old.components, "\(what)")
    try new.assertComplete(FileReader(made))
    let pixels = try Reference(made).pixels
    #expect(try pixels.difference(from: Reference(path).pixels) == nil, "\(what)")
    // A second rewrite changes nothing.
    let again = try SequentialForm.encoded(FileReader(made), memoryLimit: Self.enough)
    #expect(isSame(again, bytes), "\(what) again")
    return bytes
  }

  /// Other tests skip samplings that libjpeg does not decode, so most must be decoded.
  @Test func `libjpeg decodes most samplings`() throws {
    let decoded = try JPEGSampling.all.filter { sampling in
      let jpeg = try JPEGBytes(33, 16, sampling.encoding())
      return (try? Reference(folder.write(jpeg.bytes, as: "made.jpg"))) != nil
    }
    #expect(decoded.count * 4 > JPEGSampling.all.count * 3, "\(decoded.count)")
  }

  @Test(arguments: JPEGSampling.all, [true, false])
  func `every sampling keeps its pixels`(_ sampling: JPEGSampling, _ separate: Bool) throws {
    for (width, height) in [(99, 83), (33, 16), (1, 1)] {
      var options = sampling.encoding().with(\.restart, .mcus(3))
      options.isOneScanPerComponent = separate
      options.metadata.icc = [UInt8](repeating: 0xFF, count: 900)
      options.metadata.comment = Array("a comment".utf8)
      let path = try folder.write(try JPEGBytes(width, height, options).bytes, as: "made.jpg")
      guard (try? Reference(path)) != nil else { continue }
      let bytes = try rewritten(path, "\(width)x\(height)")
      #expect(JPEGBytes(bytes).places(of: 0xE2).isEmpty, "profile")
      #expect(JPEGBytes(bytes).places(of: 0xFE).isEmpty, "comment")
    }
  }

  @Test(arguments: [
    "jpeg-scans", "jpeg-profile", "grey-2x2", "cmyk", "ycck", "petronas-progressive",
  ])
  func `pictures of the corpus keep their pixels`(_ name: String) async throws {
    let path = try await CorpusPictures.file(name)
    _ = try rewritten(path, name)
  }

  // MARK: Refusals

  @Test func `coefficients past the limit are refused before they are read`() throws {
    let path = try folder.write(try JPEGBytes.small(150, 203).bytes, as: "made.jpg")
    let file = try FileReader(path)
    // 4:2:0 in 10x13 MCUs of six blocks, each with 64 coefficients of two bytes.
    for limit in [-1, 0, 1, 10 * 13 * 6 * 64 * 2] {
      expectError(.overBudget, of: path, "\(limit)") {
        try SequentialForm.encoded(file, memoryLimit: limit)
      }
    }
  }

  @Test func `a file that is cut off is damaged`() throws {
    let whole = try JPEGBytes.progressive(120, 90).bytes
    for length in stride(from: 2, to: whole.count - 1, by: 97) {
      let path = try folder.write(Array(whole.prefix(length)), as: "cut.jpg")
      expectError(.damaged, of: path, "\(length)") {
        try SequentialForm.encoded(FileReader(path), memoryLimit: Self.enough)
      }
    }
  }

  @Test(arguments: ["png", "webp", "tiff-tiled"])
  func `a file that is not a JPEG is an error that names it`(_ name: String) async throws {
    let path = try await CorpusPictures.file(name)
    let error = #expect(throws: PipelineError.self) {
      try SequentialForm.encoded(FileReader(path), memoryLimit: Self.enough)
    }
    #expect(error?.file == path)
    #expect(error?.reason.isEmpty == false)
  }
}
