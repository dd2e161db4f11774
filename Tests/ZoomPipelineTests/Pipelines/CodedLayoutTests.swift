import SystemPackage
import TestSupport
import Testing

@testable import ZoomPipeline

struct CodedLayoutTests {
  @Test(arguments: [
    ("jpeg-444", "jpeg"), ("petronas-progressive", "jpeg"), ("tiff-tiled", "tiles"),
    ("png", "other"), ("webp", "other"),
  ])
  func `it tells JPEGs and tiled TIFFs from the rest`(_ name: String, _ kind: String) async throws {
    let picture = try Picture(try await CorpusPictures.file(name))
    let found =
      switch CodedLayout(of: picture) {
      case .jpeg: "jpeg"
      case .tiles: "tiles"
      case .other: "other"
      }
    #expect(found == kind)
  }

  /// 613 x 457 in MCUs of the width and height given, rounded up, or in tiles of 128.
  @Test(arguments: [
    ("jpeg-444", 77 * 58), ("jpeg-422", 39 * 58), ("jpeg-440", 77 * 29), ("jpeg-411", 20 * 58),
    ("jpeg-410", 20 * 29), ("jpeg-profile", 39 * 29), ("grey-2x2", 77 * 58), ("ycck", 39 * 29),
    ("tiff-tiled", 5 * 4),
  ])
  func `the whole picture's work counts all its units`(_ name: String, _ units: Int) async throws {
    let picture = try Picture(try await CorpusPictures.file(name))
    let work = CodedLayout(of: picture).wholeWork(of: picture, delivering: 9)
    #expect(work.unitsDecoded == units)
    #expect(work.pixelsDecoded == 613 * 457)
    #expect(work.pixelsDelivered == 9)
    #expect(work.bytesRead == picture.identity.length)
  }

  @Test func `what cannot be parsed strictly counts as other and is still decoded`() throws {
    // Bytes between segments: libjpeg skips them, our parser does not.
    let folder = try TestFolder()
    let jpeg = try JPEGBytes.small()
    let frame = jpeg.places(of: 0xC0)[0]
    let path = try folder.write(
      jpeg.patched { $0.insert(0x11, at: frame - 1) }.bytes, as: "a.jpg")
    let picture = try Picture(path)
    guard case .other = CodedLayout(of: picture) else {
      Issue.record("parsed")
      return
    }
    let reference = try Reference(try folder.write(jpeg.bytes, as: "b.jpg"))
    #expect(try Reference(path).pixels.difference(from: reference.pixels) == nil)
  }
}
