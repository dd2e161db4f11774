import SystemPackage
import TestSupport
import Testing
import ZoomCorpus

@testable import ZoomPipeline

@Suite struct SidecarDraftTests {
  private let made: MadeJPEG

  init() throws { made = try MadeJPEG(JPEGBytes.small().bytes) }

  @Test func `a file that changed since it was opened makes none`() throws {
    let file = try FileReader(made.path)
    let jpeg = try JPEGParser.parse(file)
    let index = try SeekIndex.build(of: file, jpeg)
    // Replaced by the same bytes, which may have been different for a time.
    try AtomicFile.write(try made.bytes, to: made.path)
    expectError(.changed) {
      try SidecarDraft(of: file, jpeg, contentDigest: SHA256.digest(of: file), index)
    }
  }

  @Test func `another picture's index makes none`() throws {
    let other = MemoryFile(try JPEGBytes.small(400, 300).bytes, madeFrom: made.path)
    let index = try SeekIndex.build(of: other, JPEGParser.parse(other))
    let file = try FileReader(made.path)
    expectError(.fault) {
      try SidecarDraft(
        of: file, JPEGParser.parse(file), contentDigest: SHA256.digest(of: file), index)
    }
  }

  @Test func `a sequential form that is too large to be read back makes none`() throws {
    let progressive = try MadeJPEG.progressive(60, 40)
    let file = try FileReader(progressive.path)
    let jpeg = try JPEGParser.parse(file)
    let form = try SequentialForm(of: Picture(progressive.path))
    let most = SidecarDraft.largest(for: jpeg, pictureLength: file.length)
    expectError(.unsupported) {
      try SidecarDraft(
        of: file, jpeg, contentDigest: SHA256.digest(of: file), form.index,
        payload: form.bytes + [UInt8](repeating: 0, count: most))
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
    let bound = SidecarDraft.largest(for: jpeg, pictureLength: length)
    if jpeg.process == .baseline && jpeg.firstScanIsComplete {
      #expect(bound > points && bound < points * 2 + 1000)
    } else {
      #expect(bound >= points + 16 * length)
    }
    // The size does not overflow for any length.
    #expect(SidecarDraft.largest(for: jpeg, pictureLength: .max) >= bound)
  }
}
