import SystemPackage
import TestSupport
import Testing
import ZoomGeometry

@testable import ZoomPipeline

/// What decoders hold beside the region counts towards the budget.
struct DecoderMemoryTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func picture(
    _ width: Int, _ height: Int, bands: Int = 3, _ settings: String, as name: String
  ) throws -> FilePath {
    let size = try PixelSize(width: width, height: height)
    let path = folder.path.appending(name)
    var bytes = [UInt8](repeating: 90, count: size.area * bands)
    for place in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 50_000)) {
      bytes[place] = UInt8(truncatingIfNeeded: place >> 3 ^ place >> 11)
    }
    let pixels = Pixels(
      size: size, bands: bands, format: .uint8, interpretation: .srgb, bytes: bytes)
    try Image(pixels).write(to: path, as: .settings(settings))
    return path
  }

  /// libwebp keeps every pixel of a lossless picture, and of a transparency, down to the region's last row.
  @Test(arguments: [("[lossless]", 3, 4), ("[lossless]", 4, 4), ("[Q=50]", 4, 5), ("[Q=50]", 3, 0)])
  func `a region of a WebP costs what libwebp holds down to its last row`(
    _ settings: String, _ bands: Int, _ bytesPerPixel: Int
  ) throws {
    let path = try picture(600, 400, bands: bands, settings, as: "a.webp")
    let length = try FileReader(path).length
    for (top, rows) in [(0, 16), (200, 100), (390, 10)] {
      let region = try PixelRegion(x: 580, y: top, width: 20, height: rows)
      let needed = length + 600 * (top + rows) * bytesPerPixel + 2 * region.area * bands
      func read(_ limit: Int) throws -> RegionAnswer {
        try CarvedPipeline(limits: PictureLimits(bytes: limit)).open(path)
          .read(RegionRequest(region))
      }
      #expect(try read(needed).pixels.size == region.size)
      let error = expectError(.overBudget, of: path) { try read(needed - 1) }
      #expect(error?.isRefusal == true)
    }
  }

  /// Two frames of RGBA, whatever the picture's own bands are, and the file.
  @Test(arguments: ["a.webp", "a.gif"])
  func `a decoder of animations holds two frames`(_ name: String) throws {
    let path = try picture(120, 90, name.hasSuffix("gif") ? "" : "[Q=50]", as: name)
    let needed = 120 * 90 * 8 + (try FileReader(path).length)
    let region = RegionRequest(try PixelRegion(x: 0, y: 0, width: 1, height: 1))
    _ = try SequentialPipeline(limits: PictureLimits(bytes: needed)).open(path).read(region)
    expectError(.overBudget, of: path) {
      try SequentialPipeline(limits: PictureLimits(bytes: needed - 1)).open(path)
    }
  }

  /// All rows are between two entry points of the index, and take 41 and 82 MB.
  @Test(arguments: [(400_000, true), (800_000, false)])
  func `bands of a PNG of long rows stay small, or another source reads it`(
    _ width: Int, _ isCarved: Bool
  ) throws {
    let path = try picture(width, 34, "[compression=1]", as: "\(width).png")
    let picture = try Picture(path)
    let carver = try PNGCarver(picture, try PNGHeaders(picture.file), nil)
    let whole = PixelRegion(whole: picture.size)
    let bands = carver.bands(of: whole)
    #expect(bands.reduce(0) { $0 + $1.height } == 34 && bands.count > 1)
    for band in bands {
      let file = try carver.carve(band)
      #expect((file == nil) == (band.height * (width * 3 + 1) > 1 << 25))
      #expect(file?.bytes.count ?? 0 < 1 << 25 + 1 << 20)
    }
    #expect(try bands.allSatisfy { try carver.carve($0) != nil } == isCarved)
    let part = try PixelRegion(x: 5, y: 3, width: width - 9, height: 30)
    let answer = try CarvedSource(picture, carver, bytesBefore: 0).read(RegionRequest(part))
    let wanted = try SequentialPipeline().open(picture).read(RegionRequest(part))
    #expect(isSame(answer.pixels.bytes, wanted.pixels.bytes))
  }

  /// A HEIF file that has nothing but a table with these lists of references.
  private func table(_ lists: [(source: Int, targets: [Int])]) throws -> FilePath {
    let references = lists.flatMap { list in
      box(
        "dimg",
        number(list.source, 2) + number(list.targets.count, 2)
          + list.targets.flatMap { number($0, 2) })
    }
    let meta = box("meta", number(0, 4) + box("iref", number(0, 4) + references))
    let brand = Array("heic".utf8)
    return try folder.write(box("ftyp", brand + number(0, 4) + brand) + meta, as: "a.heic")
  }

  @Test func `references of HEIF items are bounded before they take memory`() throws {
    let many = [Int](repeating: 7, count: 65_535)
    for (lists, reason) in [
      ([(1, many), (2, many), (3, many), (4, many), (5, many)], "it has a great many references"),
      // A limit that only ended the search would hide the item that is made of itself.
      (
        [(source: Int, targets: [Int])](repeating: (1, []), count: 131_074) + [(2, [2])],
        "it has a great many references"
      ),
      ([(2, [2])], "one of its items is made of itself"),
    ] as [([(source: Int, targets: [Int])], String)] {
      let path = try table(lists)
      let error = expectError(.damaged, of: path) {
        try HEIFItems.assertNoCycle(in: FileReader(path))
      }
      #expect(error?.reason == reason)
    }
    try HEIFItems.assertNoCycle(in: FileReader(try table([(1, many), (2, [3])])))
  }

  @Test func `a table of HEIF items that is larger than any needs to be is refused at opening`()
    throws
  {
    let brand = Array("heic".utf8)
    let path = try folder.write(
      box("ftyp", brand + number(0, 4) + brand)
        + box("meta", [UInt8](repeating: 0, count: HEIFFile.mostMeta + 1)), as: "a.heic")
    expectError(.damaged, of: path) { try HEIFItems.assertNoCycle(in: FileReader(path)) }
  }
}
