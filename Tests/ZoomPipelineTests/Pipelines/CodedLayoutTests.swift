import SystemPackage
import TestSupport
import Testing
import ZoomCorpus
import ZoomGeometry

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
    #expect(work.unitsDecoded == units && work.unit == (name == "tiff-tiled" ? .tile : .mcu))
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

  // MARK: From the top

  /// A made JPEG, 93 pixels wide, whose luma has these sampling factors and whose chroma has 1 x 1,
  /// and the work of reading down to a row of it, reduced.
  private func work(
    _ horizontal: Int, _ vertical: Int, height: Int = 80, to foot: Int,
    by reduction: Reduction = .none
  ) throws -> Work {
    let jpeg = try JPEGBytes(
      93, height,
      JPEGEncoding(sampling: [.init(horizontal, vertical), .init(1, 1), .init(1, 1)]))
    let folder = try TestFolder()
    let picture = try Picture(try folder.write(jpeg.bytes, as: "a.jpg"))
    // Far right and one row: neither the columns beside it nor the rows it hands out count.
    let region = try PixelRegion(
      x: reduction.reduced(93) - 3, y: foot - 1, width: 3, height: 1)
    return CodedLayout(of: picture)
      .workFromTheTop(of: picture, to: region, reduction: reduction, bytesRead: 7)
  }

  @Test(arguments: [(1, 1), (2, 1), (4, 1)])
  func `without rows of chroma to look ahead to, the strips of 8 rows down to the foot are decoded`(
    horizontal: Int, vertical: Int
  ) throws {
    let perRow = [1: 12, 2: 6, 4: 3][horizontal] ?? 0
    for (foot, rows) in [(1, 1), (8, 1), (9, 2), (16, 2), (17, 3), (72, 9), (73, 10), (80, 10)] {
      #expect(
        try work(horizontal, vertical, to: foot)
          == Work(
            bytesRead: 7, unitsDecoded: rows * perRow, unit: .mcu, pixelsDecoded: 93 * 8 * rows,
            pixelsDelivered: 3), "\(foot)")
    }
  }

  /// The last row of a strip that ends with an MCU row wants the chroma below it.
  @Test(arguments: [(1, 2), (2, 2), (4, 2)])
  func `where chroma has half the rows, the strip's last one takes one MCU row more`(
    horizontal: Int, vertical: Int
  ) throws {
    let perRow = [1: 12, 2: 6, 4: 3][horizontal] ?? 0
    for (foot, rows) in [
      (1, 1), (8, 1), (9, 2), (16, 2), (24, 2), (25, 3), (40, 3), (41, 4), (64, 5), (65, 5),
      // There is none below the last.
      (80, 5),
    ] {
      #expect(
        try work(horizontal, vertical, to: foot)
          == Work(
            bytesRead: 7, unitsDecoded: rows * perRow, unit: .mcu, pixelsDecoded: 93 * 16 * rows,
            pixelsDelivered: 3), "\(foot)")
    }
  }

  @Test func `of the last MCU row only what the picture has counts as decoded`() throws {
    // Also where the last MCU row has but one row.
    for height in [73, 75] {
      for (vertical, rows) in [(1, 10), (2, 5)] {
        let work = try work(1, vertical, height: height, to: height)
        #expect(work.unitsDecoded == rows * 12 && work.pixelsDecoded == 93 * height, "\(work)")
      }
    }
  }

  @Test func `of a reduction strips and MCU rows are those of the reduced picture`() throws {
    // 47 x 40 in MCU rows of 8, and 24 x 20 in MCU rows of 4, the last of which ends with row 20.
    for (reduction, foot, rows, pixels) in [
      (Reduction.half, 8, 2, 47 * 16), (.half, 9, 3, 47 * 24), (.half, 40, 5, 47 * 40),
      (.quarter, 8, 3, 24 * 12), (.quarter, 9, 5, 24 * 20), (.quarter, 20, 5, 24 * 20),
    ] {
      let work = try work(2, 2, to: foot, by: reduction)
      #expect(work.unitsDecoded == rows * 6 && work.pixelsDecoded == pixels, "\(work)")
    }
  }

  @Test func `chroma is looked ahead to by one row and no more`() throws {
    // 12 x 10 in MCU rows of 3: the strip's last row, 7, is the second of its MCU row, so that the
    // chroma below it is in that.
    let work = try work(1, 3, to: 1, by: .eighth)
    #expect(work.unitsDecoded == 3 * 12 && work.pixelsDecoded == 12 * 9, "\(work)")
  }

  @Test func `a format without units has the pixels of its strips, down to the foot`() async throws
  {
    let picture = try Picture(try await CorpusPictures.file("png"))
    let size = picture.storedSize
    // Neither a strip's end nor so wide that a strip beyond the foot would be cut by the width.
    #expect(!size.height.isMultiple(of: 8) && size.width > size.height + 8)
    for (foot, rows) in [(1, 8), (8, 8), (9, 16), (size.height, size.height)] {
      let region = try PixelRegion(x: size.width - 2, y: foot - 1, width: 2, height: 1)
      #expect(
        CodedLayout(of: picture).workFromTheTop(of: picture, to: region, bytesRead: 11)
          == Work(bytesRead: 11, pixelsDecoded: size.width * rows, pixelsDelivered: 2))
    }
  }

  @Test(arguments: ["petronas-progressive", "png-interlaced"])
  func `passes over the whole picture are counted whole, whatever the foot`(
    _ name: String
  ) async throws {
    let picture = try Picture(try await CorpusPictures.file(name))
    let layout = CodedLayout(of: picture)
    let region = try PixelRegion(x: 0, y: 0, width: 3, height: 2)
    for reduction in [Reduction.none, .half] {
      let work = layout.workFromTheTop(
        of: picture, to: region, reduction: reduction, bytesRead: 5)
      #expect(work == layout.wholeWork(of: picture, delivering: 6, reduction: reduction))
      #expect(work.pixelsDecoded == picture.storedSize.reduced(by: reduction).area)
    }
  }

  @Test func `what is read in parts costs the tiles it touches, or without tiles itself`()
    async throws
  {
    let tiled = try Picture(try await CorpusPictures.file("tiff-tiled"))
    let region = try PixelRegion(x: 130, y: 300, width: 20, height: 10)
    let work = CodedLayout(of: tiled).workFromTheTop(of: tiled, to: region, bytesRead: 5)
    // In one tile of 128 x 128.
    #expect(work.unitsDecoded == 1 && work.unit == .tile)
    #expect(work.pixelsDecoded == 128 * 128 && work.pixelsDelivered == 200)

    // libvips' own format: 9 x 40 pixels of one byte behind 64 bytes of header.
    var header: [UInt8] = [0xB6, 0xA6, 0xF2, 0x08, 9, 0, 0, 0, 40, 0, 0, 0, 1, 0, 0, 0, 8]
    header += [UInt8](repeating: 0, count: 64 - header.count)
    // What the band is: grey.
    header[28] = 1
    let folder = try TestFolder()
    let path = try folder.write(header + [UInt8](repeating: 3, count: 360), as: "a.v")
    let plain = try Picture(path)
    #expect(plain.reach == .regions)
    let part = try PixelRegion(x: 1, y: 30, width: 4, height: 3)
    #expect(
      CodedLayout(of: plain).workFromTheTop(of: plain, to: part, bytesRead: 5)
        == Work(bytesRead: nil, pixelsDecoded: 12, pixelsDelivered: 12))
  }
}
