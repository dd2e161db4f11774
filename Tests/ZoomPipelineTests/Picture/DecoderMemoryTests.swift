import Foundation
import SystemPackage
import TestSupport
import Testing
import ZoomGeometry

@testable import ZoomPipeline

/// Checks that the memory of decoders counts towards the budget in addition to the region.
struct DecoderMemoryTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func picture(
    _ width: Int, _ height: Int, bands: Int = 3, _ settings: String, as name: String
  ) throws -> FilePath {
    let path = folder.path.appending(name)
    var bytes = [UInt8](repeating: 90, count: width * height * bands)
    for place in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 50_000)) {
      bytes[place] = UInt8(truncatingIfNeeded: place >> 3 ^ place >> 11)
    }
    try Image(Pixels(width, height, bands, bytes: bytes)).write(to: path, settings: settings)
    return path
  }

  /// libwebp has room for all pixels of a lossless picture or an alpha channel.
  ///
  /// With the longer profile, the first 4 KB do not show how the pixels are coded.
  @Test(
    arguments: [("[lossless]", 3, 4), ("[lossless]", 4, 4), ("[Q=50]", 4, 5), ("[Q=50]", 3, 0)],
    [0, 100, 5001])
  func `a region of a WebP is exact and costs what libwebp holds, whatever precedes the pixels`(
    _ kind: (String, Int, Int), _ profileLength: Int
  ) throws {
    let (settings, bands, bytesPerPixel) = kind
    let plain = try picture(600, 400, bands: bands, settings, as: "plain.webp")
    let path = try folder.write(
      try Self.webP(try bytes(of: plain), size: (600, 400), bands: bands, profile: profileLength),
      as: "a.webp")
    let reference = try Reference(path)
    let length = try FileReader(path).length
    for (top, rows) in [(0, 16), (200, 100), (390, 10)] {
      let region = try PixelRegion(x: 580, y: top, width: 20, height: rows)
      // The crop has a margin of 2 and begins at even pixels, or at row 0 if libwebp needs that.
      let first = bytesPerPixel == 5 ? 0 : max(0, top - 2)
      let output = (min(400, top + rows + 3) - first) * (600 - 578)
      let needed = length + 600 * 400 * bytesPerPixel + (output + region.area) * bands
      func read(_ limit: Int) throws -> RegionAnswer {
        try PartialPipeline(limits: PictureLimits(bytes: limit)).open(path)
          .read(RegionRequest(region))
      }
      #expect(try read(needed).pixels.difference(from: reference.crop(region)) == nil)
      let error = expectError(.overBudget, of: path) { try read(needed - 1) }
      #expect(error?.isRefusal == true)
    }
  }

  /// Returns a WebP of the pixels of another, after a colour profile of zeros.
  private static func webP(
    _ other: [UInt8], size: (width: Int, height: Int), bands: Int, profile: Int
  ) throws -> [UInt8] {
    func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
      var bytes = Array(name.utf8)
      bytes.append(data.count, byteCount: 4)
      return bytes + data + [UInt8](repeating: 0, count: data.count % 2)
    }
    var pixels: [UInt8] = []
    var place = 12
    while place + 8 <= other.count {
      let end = place + 8 + (other.integer(at: place + 4, byteCount: 4) + 1) & ~1
      let name = String(decoding: other[place..<place + 4], as: UTF8.self)
      if ["ALPH", "VP8 ", "VP8L"].contains(name) { pixels += other[place..<end] }
      place = end
    }
    try #require(!pixels.isEmpty)
    // Flags of a profile and of alpha, three zeros, and the sides less one in three bytes each.
    var header: [UInt8] = [(profile > 0 ? 0x20 : 0) | (bands == 4 ? 0x10 : 0), 0, 0, 0]
    for side in [size.width, size.height] { header.append(side - 1, byteCount: 3) }
    let body =
      Array("WEBP".utf8) + chunk("VP8X", header)
      + (profile > 0 ? chunk("ICCP", [UInt8](repeating: 0, count: profile)) : []) + pixels
    return chunk("RIFF", body)
  }

  /// Two frames of RGBA, whatever the picture's bands, and the file.
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

  @Test(arguments: ["png", "deflate", "lzw"])
  func `rows that do not fit into the budget eight times are left to another source`(
    _ coding: String
  ) throws {
    let isPNG = coding == "png"
    let path = try picture(
      3000, 40, isPNG ? "" : "[compression=\(coding),tile-height=48]",
      as: isPNG ? "a.png" : "a.tif")
    let needed = 8 * 3000 * 3
    func read(_ limit: Int) throws -> RegionAnswer {
      try PartialPipeline(limits: PictureLimits(bytes: limit)).open(path)
        .read(RegionRequest(PixelRegion(x: 2000, y: 20, width: 30, height: 10)))
    }
    #expect(try read(needed).work.unit == .row)
    let error = expectError(.overBudget, of: path) { try read(needed - 1) }
    #expect(error?.isRefusal == true)
    guard isPNG else { return }
    expectError(.overBudget, of: path) {
      try SidecarDraft.build(of: path, limits: PictureLimits(bytes: needed - 1))
    }
    #expect(
      try SidecarDraft.build(of: path, limits: PictureLimits(bytes: needed)).draft.byteCount > 0)
  }

  /// PNGs: all rows are between two entry points of the index and take 41 and 82 MB.
  ///
  /// TIFFs of one strip have rows of 1.2 and 4.5 MB; a band takes at least eight, which are too
  /// large in the latter case.
  @Test(arguments: [
    ("png", 400_000, 34, true), ("png", 800_000, 34, false), ("deflate", 400_000, 34, true),
    ("lzw", 400_000, 34, true), ("deflate", 1_500_000, 20, false),
  ])
  func `bands of long rows stay small, or another source reads them`(
    _ coding: String, _ width: Int, _ height: Int, _ isCarved: Bool
  ) throws {
    if coding == "png" {
      let picture = try Picture(self.picture(width, height, "[compression=1]", as: "a.png"))
      let reader = try PNGReader(picture, try PNGHeaders(picture.file), nil)
      return try expectBands(of: reader, picture, rowBytes: width * 3 + 1, isCarved)
    }
    let settings = "[compression=\(coding),tile-height=48]"
    let picture = try Picture(self.picture(width, height, settings, as: "a.tif"))
    let reader = try TIFFOneStripReader(picture, try TIFFStrips(of: picture))
    try expectBands(of: reader, picture, rowBytes: width * 3, isCarved)
    // A narrow region needs little of each row.
    let narrow = try PixelRegion(x: width / 2, y: 0, width: 100, height: height)
    #expect(reader.plan(narrow).bands?.map(\.region) == [narrow])
  }

  private func expectBands(
    of reader: some RegionReader, _ picture: Picture, rowBytes: Int, _ isCarved: Bool
  ) throws {
    let size = picture.size
    let bands = try #require(try reader.plan(PixelRegion(whole: size)).bands)
    #expect(bands.reduce(0) { $0 + $1.region.height } == size.height && bands.count > 1)
    for band in bands {
      let file = try reader.carve(band)
      #expect((file == nil) == (band.region.height * rowBytes > mostBandBytes))
      #expect(file?.bytes.count ?? 0 < mostBandBytes + 1 << 20)
    }
    let part = try PixelRegion(x: 5, y: 3, width: size.width - 9, height: size.height - 4)
    let answer = try PartSource(picture, reader, bytesBefore: 0).read(RegionRequest(part))
    #expect((answer.work.unit == .row) == isCarved)
    let wanted = try SequentialPipeline().open(picture).read(RegionRequest(part))
    #expect(isSame(answer.pixels.bytes, wanted.pixels.bytes))
  }

  /// Runs in a separate process without other tests; skips formats that this libvips cannot write.
  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/clear_refs"), "Linux"))
  func `decoders of whole pictures hold no more than is counted`() async {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardErrorContent]
    ) {
      func status(_ name: String) throws -> Int {
        let text = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = text.split(separator: "\n").first { $0.hasPrefix(name) }
        return try #require(line?.split(separator: " ").compactMap { Int($0) }.first) << 10
      }
      let folder = try TestFolder()
      let size = try PixelSize(width: 2400, height: 2000)
      let limits = PictureLimits(loaders: .all)
      var measured: Set<String> = []
      for (suffix, settings, isDeep) in [
        ("jxl", "[lossless,effort=3]", false), ("jxl", "[lossless,effort=3]", true),
        ("jxl", "[effort=3]", false), ("webp", "[Q=50,effort=0]", false),
        ("gif", "[effort=1]", false),
        ("heic", "[effort=0]", false), ("png", "[interlace,compression=1]", false),
        ("jpg", "[interlace]", false),
      ] {
        let path = folder.path.appending("a.\(suffix)")
        do {
          let bytes = (0..<size.area * (isDeep ? 6 : 3)).map { UInt8(truncatingIfNeeded: $0 >> 6) }
          let pixels = Pixels(
            size: size, bands: 3, format: isDeep ? .uint16 : .uint8,
            interpretation: isDeep ? .rgb16 : .srgb, bytes: bytes)
          guard (try? Image(pixels).write(to: path, settings: settings)) != nil else {
            continue
          }
        }
        let picture = try Picture(path, limits: limits)
        let file = try FileDescriptor.open("/proc/self/clear_refs", .writeOnly)
        _ = try file.closeAfter { try file.writeAll(Array("5".utf8)) }
        let before = try status("VmRSS:")
        _ = try picture.digest()
        let held = try status("VmHWM:") - before
        // Rows of threads, caches of codecs, and memory that libvips keeps for any picture.
        if held > picture.decoderByteCount + 40 << 20 {
          let complaint = "\(suffix)\(settings): \(held), counted \(picture.decoderByteCount)\n"
          FileHandle.standardError.write(Data(complaint.utf8))
        }
        measured.insert(suffix)
      }
      precondition(measured.isSuperset(of: ["png", "jpg"]), "\(measured)")
    }
    let complaints = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(!complaints.contains("counted"), "\(complaints)")
  }
}
