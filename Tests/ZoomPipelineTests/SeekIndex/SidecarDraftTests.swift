import SystemPackage
import TestSupport
import Testing
import ZoomCorpus

@testable import ZoomPipeline

@Suite struct SidecarDraftTests {
  @Test func `a sequential form that is too large to be read back makes none`() throws {
    let progressive = try MadeJPEG.progressive(60, 40)
    let file = try FileReader(progressive.path)
    let jpeg = try JPEGParser.parse(file)
    let most = IndexedHeaders.jpeg(jpeg).largest(pictureLength: file.length)
    var index = try SequentialForm.index(of: Picture(progressive.path))
    index.payload?.append(contentsOf: [UInt8](repeating: 0, count: most))
    expectError(.unsupported) {
      try SidecarDraft(
        SidecarIdentity(version: file.version, contentDigest: SHA256.digest(of: file)),
        .jpeg(jpeg), index, of: file)
    }
  }

  @Test(arguments: try CorpusPictures.all().filter { $0.structure.process != nil })
  func `the bound holds a point at every MCU, and a payload only where one is needed`(
    _ entry: CorpusPicture
  ) async throws {
    let path = try await CorpusPictures.file(entry.name)
    let jpeg = try JPEGStructure(of: path)
    let length = try FileVersion(of: path).length
    let points = jpeg.mcuCount * SeekIndex.recordSize(jpeg.components.count)
    let bound = IndexedHeaders.jpeg(jpeg).largest(pictureLength: length)
    if jpeg.process == .baseline && jpeg.firstScanIsComplete {
      #expect(bound > points && bound < points * 2 + 1000)
    } else {
      #expect(bound >= points + 16 * length)
    }
    // The size does not overflow for any length.
    #expect(IndexedHeaders.jpeg(jpeg).largest(pictureLength: .max) >= bound)
  }
}
