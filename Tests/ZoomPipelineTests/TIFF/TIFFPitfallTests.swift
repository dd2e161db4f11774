import Foundation
import SystemPackage
import TestSupport
import Testing
import ZoomGeometry

@testable import ZoomPipeline

/// Checks what reading strips costs; `OddFileTests` tries each property that makes it hard.
struct TIFFPitfallTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  @Test(arguments: [1, 2, 3, 4, 5, 7, 8, 9])
  func `columns that begin inside a byte`(_ x: Int) throws {
    for bits in [1, 2, 4] {
      var tiff = TIFFBytes(width: 61, height: 9, kind: .init(1, bits, 1), rowsPerStrip: 3)
      tiff.isLittleEndian = x.isMultiple(of: 2)
      let path = try folder.write(tiff.file(seed: UInt64(x)).bytes, as: "\(bits).tif")
      let source = try PartialPipeline().open(path)
      for width in [1, 3, 8, 61 - x] {
        let region = try PixelRegion(x: x, y: 2, width: width, height: 5)
        try expectCrops(source, [region], of: Reference(path), unit: .strip)
        let decoded = try source.read(RegionRequest(region)).work.pixelsDecoded
        #expect(decoded ?? 0 < region.area + 8 * 5)
      }
    }
  }

  @Test func `a directory of more entries than can be counted is no directory`() throws {
    var tiff = TIFFBytes(width: 43, height: 61, kind: .init(2, 8, 3), rowsPerStrip: 8)
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
    func header(_ parts: [[UInt8]]) -> JPEGStripHeader? {
      JPEGStripHeader(([[0xFF, 0xD8]] + parts + [scan]).flatMap(\.self)[...], of: "a.tif")
    }
    let whole = [quantization(1), frame(0xC0), huffman(0x01), huffman(0x10)]
    let complete = try #require(header(whole))
    #expect(complete.isComplete && complete.definesTables)
    #expect(complete.size.width == 43 && complete.size.height == 8)
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
      #expect(JPEGStripHeader(bytes.prefix(length), of: "a.tif") == nil)
    }
  }

  @Test func `strips behind 4 GB`() throws {
    for coding in [StripCoding.none, .deflate] {
      var tiff = TIFFBytes(width: 43, height: 61, kind: .init(2, 8, 3), rowsPerStrip: 8)
      (tiff.coding, tiff.isBig) = (coding, true)
      tiff.offsetType = 16
      let place = 5 << 30
      let (bytes, start) = tiff.file(seed: 3, dataAt: place)
      let path = try folder.write(Array(bytes.prefix(start)), as: "far.tif")
      let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path.string))
      try file.seek(toOffset: UInt64(place))
      try file.write(contentsOf: Data(bytes.suffix(from: start)))
      try file.close()
      let reference = try Reference(path)
      try expectCrops(
        PartialPipeline().open(path), TellingRegions(of: reference.region.size, seed: 3).all(),
        of: reference, unit: .strip)
    }
  }

  @Test func `only the entries of a table that are needed are read`() throws {
    var tiff = TIFFBytes(width: 3, height: 60_000, kind: .init(1, 8, 1), rowsPerStrip: 1)
    for coding in [StripCoding.none, .packBits] {
      tiff.coding = coding
      let path = try folder.write(tiff.file(seed: 5).bytes, as: "tall.tif")
      let picture = try Picture(path)
      let source = try PartialPipeline().open(picture)
      let region = try PixelRegion(x: 1, y: 40_000, width: 2, height: 20)
      let before = picture.file.bytesRead
      let work = try source.read(RegionRequest(region)).work
      // Twenty strips, each with an offset and a byte count of four bytes.
      let most = 20 * (2 * 4 + 4)
      #expect(work.bytesRead ?? .max <= most && picture.file.bytesRead - before <= most)
      #expect(work.unitsDecoded == 20)
    }
  }

  @Test func `peeks find Clear codes once, and later ones enter there`() throws {
    var tiff = TIFFBytes(width: 90, height: 200, kind: .init(2, 8, 3), rowsPerStrip: nil)
    tiff.coding = .lzw
    let path = try folder.write(tiff.file(seed: 3).bytes, as: "a.tif")
    let source = try PartialPipeline().open(path)
    let region = try PixelRegion(x: 40, y: 150, width: 20, height: 10)
    let first = try source.read(RegionRequest(region)).work
    let later = try source.read(RegionRequest(region)).work
    #expect(first.pixelsDecoded == 90 * 160)
    // A Clear code comes every 200 codes, and one is kept if it is at least 16 rows after the last.
    #expect(later.pixelsDecoded ?? 0 <= 90 * (10 + 17))
    #expect(try #require(later.bytesRead) < #require(first.bytesRead) / 3)
  }

  @Test func `memory for a tall region is bounded by bands`() throws {
    let tiff = TIFFBytes(width: 5000, height: 4000, kind: .init(2, 8, 3), rowsPerStrip: 16)
    let path = try folder.write(tiff.file(seed: 6).bytes, as: "large.tif")
    let picture = try Picture(path)
    let reader = try TIFFStripReader(picture, try TIFFStrips(of: picture))
    let whole = PixelRegion(whole: picture.size)
    let bands = try #require(reader.plan(whole).bands).map(\.region)
    #expect(bands.count > 1 && bands.allSatisfy { $0.area * 3 <= bandBytes })
    #expect(zip(bands, bands.dropFirst()).allSatisfy { $0.maxY == $1.y })
    #expect(bands.first?.y == 0 && bands.last?.maxY == 4000)
    let pixels = try PartialPipeline().open(picture).read(RegionRequest(whole)).pixels
    #expect(try pixels.difference(from: Reference(path).pixels) == nil)
  }
}
