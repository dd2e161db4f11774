import SystemPackage
import TestSupport
import Testing
import ZoomGeometry

@testable import ZoomPipeline

struct TIFFTileLayoutTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  @Test func `a tiled TIFF of the corpus`() async throws {
    let path = try await CorpusPictures.file("tiff-tiled")
    let layout = try #require(try TIFFTileLayout.read(path))
    #expect((layout.tileWidth, layout.tileHeight) == (128, 128))
    // 613 / 128 and 457 / 128, rounded up.
    #expect((layout.tilesPerRow, layout.tileRows) == (5, 4))
    #expect(layout.byteCounts.count == 20)
    #expect(layout.planes == 1)
    #expect(layout.byteCounts.allSatisfy { $0 > 0 })
    // The smaller levels of the pyramid follow in the same file.
    #expect(layout.byteCounts.reduce(0, +) < (try FileVersion(of: path).length))
  }

  @Test func `what is no tiled TIFF has no layout`() async throws {
    #expect(try TIFFTileLayout.read(try await CorpusPictures.file("png")) == nil)
    #expect(try TIFFTileLayout.read(folder.write([], as: "empty.tif")) == nil)
    let pixels = Pixels(
      size: try PixelSize(width: 3, height: 2), bands: 1, format: .uint8, interpretation: .grey,
      bytes: [1, 2, 3, 4, 5, 6])
    let stripped = folder.path.appending("stripped.tif")
    try Image(pixels).write(to: stripped, as: .bySuffix)
    #expect(try TIFFTileLayout.read(stripped) == nil)
    #expect(throws: PipelineError.self) {
      try TIFFTileLayout.read(FilePath("/no/such/file.tif"))
    }
  }

  @Test(arguments: [false, true], [false, true])
  func `either byte order, classic and big`(_ isLittle: Bool, _ isBig: Bool) throws {
    let tiff = MadeTIFF(isLittle: isLittle, isBig: isBig)
    let layout = try #require(try TIFFTileLayout.read(folder.write(tiff.bytes, as: "a.tif")))
    #expect(
      try layout
        == TIFFTileLayout(
          size: PixelSize(width: 40, height: 40), tileWidth: 16, tileHeight: 32, tilesPerRow: 3,
          tileRows: 2,
          byteCounts: [10, 20, 30, 40, 50, 60], planes: 1))
  }

  @Test func `planes of their own are counted in turn`() throws {
    var tiff = MadeTIFF()
    tiff.entries[284] = [2]
    tiff.entries[277] = [3]
    tiff.entries[325] = Array(1...18)
    let layout = try #require(try TIFFTileLayout.read(folder.write(tiff.bytes, as: "a.tif")))
    #expect(layout.planes == 3)
    let region = try PixelRegion(x: 16, y: 0, width: 1, height: 1)
    // The second tile of each plane of six.
    let work = layout.work(for: region)
    #expect(work.bytesRead == 2 + 8 + 14)
    #expect(work.unitsDecoded == 3)
    #expect(work.pixelsDecoded == 16 * 32)
  }

  @Test func `a region's work is the tiles it touches`() throws {
    let layout = try #require(
      try TIFFTileLayout.read(folder.write(MadeTIFF().bytes, as: "a.tif")))
    func work(_ x: Int, _ y: Int, _ width: Int, _ height: Int) throws -> (Int?, Int?) {
      let work = layout.work(for: try PixelRegion(x: x, y: y, width: width, height: height))
      return (work.unitsDecoded, work.bytesRead)
    }
    #expect(try work(0, 0, 1, 1) == (1, 10))
    #expect(try work(15, 31, 1, 1) == (1, 10))
    #expect(try work(15, 31, 2, 2) == (4, 10 + 20 + 40 + 50))
    #expect(try work(39, 32, 1, 1) == (1, 60))
    #expect(try work(0, 0, 40, 40) == (6, 210))
  }

  @Test(arguments: [
    ("no width", 256, []), ("no tile width", 322, []), ("a tile width of zero", 322, [0]),
    ("too few byte counts", 325, [1, 2, 3]), ("too many byte counts", 325, Array(1...7)),
    ("a huge width", 256, [0xFFFF_FFFF]), ("a height of zero", 257, [0]),
  ])
  func `a directory that does not add up has no layout`(
    _ what: String, _ tag: Int, _ values: [Int]
  ) throws {
    var tiff = MadeTIFF()
    tiff.entries[tag] = values.isEmpty ? nil : values
    #expect(try TIFFTileLayout.read(folder.write(tiff.bytes, as: "a.tif")) == nil, "\(what)")
  }

  @Test(arguments: [false, true])
  func `hostile bytes give a layout within bounds, none, or a typed error`(
    _ isBig: Bool
  ) throws {
    let whole = MadeTIFF(isBig: isBig).bytes
    var hostile = (0..<whole.count).map { Array(whole.prefix($0)) }
    var numbers = SplitMix64(seed: 91)
    for place in whole.indices {
      for value in [0, 0x7F, 0x80, 0xFF, UInt8.random(in: 0...255, using: &numbers)] {
        var bytes = whole
        bytes[place] = value
        hostile.append(bytes)
      }
    }
    for bytes in hostile {
      do {
        guard let layout = try TIFFTileLayout.read(folder.write(bytes, as: "a.tif")) else {
          continue
        }
        #expect(
          layout.byteCounts.count == layout.tilesPerRow * layout.tileRows * layout.planes)
        #expect(layout.tileWidth > 0 && layout.tileHeight > 0)
      } catch {
        #expect(error is PipelineError)
      }
    }
  }
}

/// A TIFF that is nothing but its first directory: 40 x 40 in tiles of 16 x 32.
private struct MadeTIFF {
  var isLittle = true
  var isBig = false
  /// Values by tag, all of type LONG.
  var entries: [Int: [Int]] = [
    256: [40], 257: [40], 322: [16], 323: [32], 325: [10, 20, 30, 40, 50, 60],
  ]

  var bytes: [UInt8] {
    let inline = isBig ? 8 : 4
    let start = isBig ? 16 : 8
    let entryLength = isBig ? 20 : 12
    let length = (isBig ? 8 : 2) + entries.count * entryLength + inline
    var directory: [UInt8] = number(entries.count, isBig ? 8 : 2)
    var values: [UInt8] = []
    for (tag, numbers) in entries.sorted(by: { $0.key < $1.key }) {
      directory += number(tag, 2) + number(4, 2) + number(numbers.count, inline)
      var data = numbers.flatMap { number($0, 4) }
      if data.count > inline {
        directory += number(start + length + values.count, inline)
        values += data
      } else {
        data += [UInt8](repeating: 0, count: inline - data.count)
        directory += data
      }
    }
    directory += number(0, inline)
    var header: [UInt8] = isLittle ? [0x49, 0x49] : [0x4D, 0x4D]
    header += number(isBig ? 43 : 42, 2)
    if isBig { header += number(8, 2) + number(0, 2) }
    return header + number(start, inline) + directory + values
  }

  private func number(_ value: Int, _ count: Int) -> [UInt8] {
    let little = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    return isLittle ? little : little.reversed()
  }
}
