import SystemPackage
import TestSupport
import Testing
import ZoomCorpus

@testable import ZoomPipeline

@Suite struct SidecarPictureTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  @Test func `a picture's sidecar has its frame, its index and its file's identity`() throws {
    let path = try folder.write(try JPEGBytes.small().bytes, as: "a.jpg")
    let jpeg = try JPEGStructure(of: path)
    let sidecar = try Sidecar.build(of: path)
    #expect(sidecar.frame.width == 150 && sidecar.frame.height == 203)
    #expect(sidecar.frame.factors == [0x22, 0x11, 0x11])
    #expect(sidecar.frame.restartInterval == jpeg.restartInterval)
    #expect(sidecar.index == (try SeekIndex.build(of: path).1))
    #expect(sidecar.identity.headerLength == jpeg.codedStart)
    #expect(sidecar.identity.version == (try FileVersion(of: path)))
    #expect(sidecar.payload == nil)
  }

  @Test func `a file that changed since it was seen makes none`() throws {
    let path = try folder.write(try JPEGBytes.small().bytes, as: "a.jpg")
    let (jpeg, index) = try SeekIndex.build(of: path)
    let seen = try FileVersion.settled(of: path)
    // Replaced by the same bytes: they may have been others in between.
    try AtomicFile.write(try bytes(of: path), to: path)
    let error = #expect(throws: PipelineError.self) {
      try Sidecar(of: path, jpeg, index, seen: seen)
    }
    #expect(error?.code == .changed)
  }

  @Test func `another picture's index makes none`() throws {
    let path = try folder.write(try JPEGBytes.small().bytes, as: "a.jpg")
    let other = try folder.write(try JPEGBytes.small(400, 300).bytes, as: "b.jpg")
    let index = try SeekIndex.build(of: other).1
    let error = #expect(throws: PipelineError.self) {
      try Sidecar(
        of: path, try JPEGStructure(of: path), index, seen: try FileVersion.settled(of: path))
    }
    #expect(error?.code == .fault)
  }

  /// A baseline picture needs no payload; one that comes with it all the same is not written.
  @Test func `what would not be read back is not made`() throws {
    let path = try folder.write(try JPEGBytes.small().bytes, as: "a.jpg")
    let (jpeg, index) = try SeekIndex.build(of: path)
    let payload = [UInt8](repeating: 0, count: 1 << 20)
    let error = #expect(throws: PipelineError.self) {
      try Sidecar(of: path, jpeg, index, payload: payload, seen: try FileVersion.settled(of: path))
    }
    #expect(error?.code == .unsupported)
  }

  @Test(arguments: try CorpusPictures.all().filter { $0.structure.process != nil })
  func `the bound holds a point at every MCU, and a payload only where one is needed`(
    _ entry: CorpusPicture
  ) async throws {
    let path = try await CorpusPictures.file(entry.name)
    let jpeg = try JPEGStructure(of: path)
    let length = try FileVersion(of: path).length
    let densest =
      Sidecar.headerByteCount + SidecarKey.tagByteCount
      + jpeg.mcuCount * SeekIndex.recordSize(jpeg.components.count)
    let bound = Sidecar.largest(for: jpeg, pictureLength: length)
    if jpeg.process == .baseline && jpeg.firstScanIsComplete {
      #expect(bound == densest)
    } else {
      #expect(bound >= densest + 16 * length)
    }
    // No length makes it overflow.
    #expect(Sidecar.largest(for: jpeg, pictureLength: .max) >= bound)
  }
}
