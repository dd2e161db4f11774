import Foundation
import PropertyTesting
import SystemPackage
import TestSupport
import Testing
import ZoomGeometry

@testable import ZoomPipeline

/// Tries each property that makes the strips of TIFFs hard to read.
struct TIFFPitfallTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private static func picture(
    _ coding: StripCoding = .none, rows: Int? = 8, height: Int = 61
  ) -> TIFFBytes {
    var tiff = TIFFBytes(
      width: 43, height: height, kind: .init(2, 8, 3), rowsPerStrip: rows)
    tiff.coding = coding
    return tiff
  }

  @Test(arguments: [StripCoding.none, .lzw, .deflate])
  func `the last strip is shorter`(_ coding: StripCoding) throws {
    try expectCarved(Self.picture(coding, rows: 8, height: 57))
    try expectCarved(Self.picture(coding, rows: 8, height: 63))
  }

  @Test(arguments: [61, 62, 1 << 31, 0xFFFF_FFFF])
  func `all rows are in one strip`(_ rows: Int) throws {
    try expectCarved(Self.picture(rows: rows))
    try expectRefusal(Self.picture(.lzw, rows: rows), "all rows are in one compressed strip")
  }

  @Test func `strips that are few and tall are left to others`() throws {
    try expectRefusal(
      Self.picture(.deflate, rows: 30), "its 3 compressed strips are too tall to be worth it")
    try expectCarved(Self.picture(rows: 30))
  }

  @Test(arguments: [StripCoding.none, .packBits, .zstd])
  func `byte counts are longer than the strips`(_ coding: StripCoding) throws {
    var tiff = Self.picture(coding)
    tiff.surplus = 5
    // As the last strip is shorter, only zero or unequal byte counts matter.
    try expectCarved(tiff)
  }

  @Test(arguments: [StripCoding.none, .lzw])
  func `byte counts of zero are libtiff's to read`(_ coding: StripCoding) throws {
    var tiff = Self.picture(coding)
    tiff.more = [.init(279, 4, [Int](repeating: 0, count: 8))]
    try expectSame(tiff, isDecoded: false, by: ["carved"])
    // With a single strip, libtiff calculates its length.
    tiff = Self.picture(rows: 61)
    tiff.more = [.init(279, 4, [0])]
    try expectRefusal(tiff, "its table of strips has wrong byte counts")
    try expectSame(tiff, by: [])
  }

  @Test func `byte counts that libtiff calculates anew are libtiff's to read`() throws {
    // The last strip is as tall as the others, and libtiff gives all of them the same length.
    var tiff = Self.picture(height: 64)
    tiff.more = [.init(279, 4, [1] + [Int](repeating: 43 * 3 * 8, count: 7))]
    try expectRefusal(tiff, "its table of strips has wrong byte counts")
    try expectSame(tiff, by: [])
  }

  @Test func `a table that is too short is libtiff's to read`() throws {
    var tiff = Self.picture(.lzw)
    tiff.more = [.init(279, 4, [100, 100, 100])]
    try expectRefusal(
      tiff, "its table of strips is too short or written in an unusual way")
    try expectSame(tiff, isDecoded: false, by: [])
  }

  @Test func `sizes and tables in any whole type`() throws {
    for type in [1, 3, 4] {
      var tiff = Self.picture()
      tiff.more = [
        .init(256, type, [43]), .init(257, type, [61]), .init(278, type, [8]),
        .init(277, type == 1 ? 1 : 3, [3]),
      ]
      tiff.countType = type == 1 ? 3 : type
      try expectCarved(tiff)
    }
    for type in [3, 4, 16] {
      var tiff = Self.picture(.deflate)
      tiff.isBig = true
      (tiff.offsetType, tiff.countType) = (type == 3 ? 4 : type, type)
      try expectCarved(tiff)
    }
  }

  @Test func `BitsPerSample once for all samples`() throws {
    var tiff = Self.picture(.packBits)
    tiff.more = [.init(258, 3, [8])]
    try expectCarved(tiff)
  }

  @Test func `a tag twice, or a depth, is libtiff's to read`() throws {
    var tiff = Self.picture()
    tiff.more = [.init(278, 4, [8]), .init(278, 4, [4])]
    try expectRefusal(tiff, "its directory has a tag twice")
    try expectSame(tiff, by: [])
    tiff.more = [.init(32997, 4, [1])]
    try expectRefusal(tiff, "it has a depth")
  }

  @Test func `a JPEG of the old style is left to libvips`() throws {
    // libtiff opens the file but decodes no strips without the tags of old-style JPEG.
    var tiff = Self.picture()
    tiff.more = [.init(259, 3, [6]), .init(262, 3, [6])]
    let path = try folder.write(tiff.file(seed: 1).bytes, as: "a.tif")
    expectError(.unsupported, or: .damaged, "old JPEG") { try CarvedPipeline().open(path) }
  }

  @Test(arguments: [1, 2, 3, 4, 5, 7, 8, 9])
  func `columns that begin inside a byte`(_ x: Int) throws {
    for bits in [1, 2, 4] {
      var tiff = TIFFBytes(width: 61, height: 9, kind: .init(1, bits, 1), rowsPerStrip: 3)
      tiff.isLittleEndian = x.isMultiple(of: 2)
      let path = try folder.write(tiff.file(seed: UInt64(x)).bytes, as: "\(bits).tif")
      let reference = try Reference(path)
      let source = try CarvedPipeline().open(path)
      for width in [1, 3, 8, 61 - x] {
        let region = try PixelRegion(x: x, y: 2, width: width, height: 5)
        let answer = try source.read(RegionRequest(region))
        #expect(answer.pixels.difference(from: reference.crop(region)) == nil)
        #expect(answer.work.pixelsDecoded ?? 0 < region.area + 8 * 5)
      }
    }
  }

  @Test func `an orientation turns what was carved`() throws {
    for orientation in 1...8 {
      for coding in [StripCoding.none, .lzw] {
        var tiff = Self.picture(coding)
        tiff.more = [.init(274, 3, [orientation])]
        try expectCarved(tiff)
      }
    }
  }

  @Test func `a Group 4 strip that ends early is libtiff's to read`() throws {
    var tiff = TIFFBytes(width: 90, height: 60, kind: .init(0, 1, 1), rowsPerStrip: 6)
    tiff.coding = .group4
    try expectCarved(tiff)
    // libtiff accepts an end after three of six rows and leaves its buffer as it is.
    var random = SplitMix64(seed: 4)
    for strip in [2, 5, 9] {
      tiff.ownStrips[strip] = StripCoding.group4.noise(rows: 3, of: 12, width: 90, &random)
    }
    try expectSame(tiff, by: ["carved"])
  }

  @Test(arguments: [StripCoding.none, .lzw, .deflate, .packBits], [8, 61])
  func `Matteing says that the last sample is alpha`(_ coding: StripCoding, _ rows: Int) throws {
    var tiff = TIFFBytes(width: 43, height: 61, kind: .init(2, 8, 4), rowsPerStrip: rows)
    tiff.coding = coding
    tiff.more = [.init(32995, 3, [1])]
    let isEntered = rows == 61 && (coding == .lzw || coding == .deflate)
    try expectSame(
      tiff, by: rows == 8 || coding == .none ? ["carved"] : isEntered ? ["indexed"] : [])
  }

  /// The last match exceeds the strip: libdeflate stops before it and leaves the rest unchanged.
  @Test(arguments: [8, 61])
  func `a deflate strip that holds more than its rows`(_ rows: Int) throws {
    for strip in 0..<(rows == 8 ? 7 : 1) {
      var tiff = Self.picture(.deflate, rows: rows)
      let count = rows * tiff.rowByteCount - 3
      let stored = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ strip) }
      let (low, high) = (UInt8(count & 255), UInt8(count >> 8))
      // A stored block, a last block of fixed codes with a match of ten bytes, and the end.
      tiff.ownStrips[strip] =
        [0x78, 1, 0, low, high, ~low, ~high] + stored + [0x43, 0x10, 0, 0, 0, 0, 0]
      try expectSame(tiff, by: rows == 8 ? ["carved"] : ["indexed"])
    }
  }

  @Test func `a directory of more entries than can be counted is no directory`() throws {
    var tiff = Self.picture()
    tiff.isBig = true
    let bytes = tiff.file(seed: 1).bytes
    for count in [[UInt8](repeating: 0xFF, count: 8), [0, 0, 0, 0, 0, 0, 0, 0x40]] {
      let path = try folder.write(bytes + count + [1, 2, 3], as: "a.tif")
      let directory = try TIFFDirectory(FileReader(path), at: bytes.count)
      #expect(directory.irregularity != nil && directory.next == 0)
    }
  }

  /// The conditions under which a strip's tables are trusted; see `TIFFStrips.haveCommonTablesOnly`.
  @Test func `a JPEG strip is complete only with every table that it names`() throws {
    let quantization = { (slot: UInt8) in
      [0xFF, 0xDB, 0, 67, slot] + [UInt8](repeating: 1, count: 64)
    }
    let huffman = { (slot: UInt8) in
      [0xFF, 0xC4, 0, 20, slot, 1] + [UInt8](repeating: 0, count: 15) + [0]
    }
    let frame = { (marker: UInt8) in [0xFF, marker, 0, 11, 8, 0, 8, 0, 43, 1, 1, 0x11, 1] }
    let scan: [UInt8] = [0xFF, 0xDA, 0, 8, 1, 1, 0x10, 0, 63, 0]
    func header(_ parts: [[UInt8]]) -> CodedStrip.JPEGHeader? {
      CodedStrip.jpegHeader(([[0xFF, 0xD8]] + parts + [scan]).flatMap(\.self)[...])
    }
    let whole = [quantization(1), frame(0xC0), huffman(0x01), huffman(0x10)]
    let complete = try #require(header(whole))
    #expect(complete.isComplete && complete.definesTables)
    #expect(complete.width == 43 && complete.height == 8)
    // The strip without each of the tables, and with a table in another slot instead.
    for (number, other) in [(0, quantization(0)), (2, huffman(0)), (3, huffman(0x11))] {
      var parts = whole
      parts.remove(at: number)
      #expect(header(parts)?.isComplete == false)
      #expect(header(parts + [other])?.isComplete == false)
    }
    #expect(header([frame(0xC0)])?.definesTables == false)
    // These processes may define tables between scans or adapt them.
    for marker in [0xC2, 0xC9, 0xCA] as [UInt8] {
      #expect(header([quantization(1), frame(marker), huffman(0x01), huffman(0x10)]) == nil)
    }
    for length in 0..<whole.joined().count {
      let bytes = [0xFF, 0xD8] + whole.joined() + scan
      #expect(CodedStrip.jpegHeader(bytes.prefix(length)) == nil)
    }
  }

  @Test func `strips behind 4 GB`() throws {
    for coding in [StripCoding.none, .deflate] {
      var tiff = Self.picture(coding)
      tiff.isBig = true
      tiff.offsetType = 16
      let place = 5 << 30
      let (bytes, start) = tiff.file(seed: 3, dataAt: place)
      let path = try folder.write(Array(bytes.prefix(start)), as: "far.tif")
      let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path.string))
      try file.seek(toOffset: UInt64(place))
      try file.write(contentsOf: Data(bytes.suffix(from: start)))
      try file.close()
      try expectCarved(path)
    }
  }

  @Test func `only the entries of a table that are needed are read`() throws {
    var tiff = TIFFBytes(width: 3, height: 60_000, kind: .init(1, 8, 1), rowsPerStrip: 1)
    for coding in [StripCoding.none, .packBits] {
      tiff.coding = coding
      let path = try folder.write(tiff.file(seed: 5).bytes, as: "tall.tif")
      let picture = try Picture(path)
      let source = try CarvedPipeline().open(picture)
      let region = try PixelRegion(x: 1, y: 40_000, width: 2, height: 20)
      let before = picture.file.bytesRead
      let work = try source.read(RegionRequest(region)).work
      // Twenty strips, each with an offset and a byte count of four bytes.
      let most = 20 * (2 * 4 + 4)
      #expect(work.bytesRead ?? .max <= most && picture.file.bytesRead - before <= most)
      #expect(work.unitsDecoded == 20)
    }
  }

  @Test func `memory for a tall region is bounded by bands`() throws {
    let tiff = TIFFBytes(width: 5000, height: 4000, kind: .init(2, 8, 3), rowsPerStrip: 16)
    let path = try folder.write(tiff.file(seed: 6).bytes, as: "large.tif")
    let picture = try Picture(path)
    let reader = try TIFFStripReader(picture)
    let whole = PixelRegion(whole: picture.size)
    let bands = try #require(reader.plan(whole).bands).map(\.region)
    #expect(bands.count > 1 && bands.allSatisfy { $0.area * 3 <= bandBytes })
    #expect(zip(bands, bands.dropFirst()).allSatisfy { $0.maxY == $1.y })
    #expect(bands.first?.y == 0 && bands.last?.maxY == 4000)
    let pixels = try CarvedPipeline().open(picture).read(RegionRequest(whole)).pixels
    #expect(try pixels.difference(from: Reference(path).pixels) == nil)
  }

  // MARK: Helpers

  private func expectCarved(_ tiff: TIFFBytes) throws {
    try expectCarved(try folder.write(tiff.file(seed: 9).bytes, as: "a.tif"))
  }

  private func expectCarved(_ path: FilePath) throws {
    let reference = try Reference(path)
    try expectCrops(
      CarvedPipeline().open(path), TellingRegions(of: reference.region.size, seed: 3).all(),
      of: reference, unit: .strip)
  }

  private func expectRefusal(_ tiff: TIFFBytes, _ reason: String) throws {
    let path = try folder.write(tiff.file(seed: 9).bytes, as: "a.tif")
    let error = expectError(.unsupported) { try CarvedPipeline().open(path) }
    #expect(error?.reason == reason)
  }

  /// Expects that only the named sources open a file, and that they agree with a full decode.
  private func expectSame(
    _ tiff: TIFFBytes, isDecoded: Bool = true, by names: Set<String>
  ) throws {
    let picture = try Picture(folder.write(tiff.file(seed: 9).bytes, as: "a.tif"))
    let reference = try? Reference(picture.path)
    #expect((reference != nil) == isDecoded)
    var opened: Set<String> = []
    for pipeline in [CarvedPipeline(), IndexedPipeline()] as [any PicturePipeline] {
      guard let source = try? pipeline.open(picture) else { continue }
      opened.insert(pipeline.name)
      let regions = try TellingRegions(of: picture.size, seed: 3).all()
      if let reference {
        try expectCrops(source, regions, of: reference)
      } else {
        for region in regions {
          #expect(throws: PipelineError.self) { try source.read(RegionRequest(region)) }
        }
      }
    }
    #expect(opened == names)
  }
}
