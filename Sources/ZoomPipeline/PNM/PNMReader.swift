internal import ZoomGeometry

/// Reads binary PGM and PPM, whose pixels are not compressed.
///
/// libvips reads parts only from a mapped file, and if that is truncated, the process is killed.
struct PNMReader: RegionReader {
  private let file: FileReader
  private let size: PixelSize
  /// "P5" or "P6".
  private let magic: String
  private let greatest: Int
  private let pixelBytes: Int
  /// The offset of the pixels.
  private let start: Int

  private static let comment = UInt8(ascii: "#")
  /// libvips reads pictures with longer headers.
  private static let mostHeaderBytes = 1024

  let explanation = "its pixels are not compressed: only those of the region are read"

  /// Reads the header; throws `unsupported` if it is unusual or the format is not binary.
  init(_ picture: Picture) throws(PipelineError) {
    file = picture.file
    size = picture.storedSize
    let head = try file.bytes(at: 0, count: Self.mostHeaderBytes)
    magic = String(decoding: head.prefix(2), as: UTF8.self)
    guard magic == "P5" || magic == "P6" else {
      throw file.refusal("only binary PGM and PPM have their pixels at known places")
    }
    var numbers: [Int] = []
    var place = 2
    while numbers.count < 3 {
      let first = place
      while place < head.count, Self.isSpace(head[place]) || head[place] == Self.comment {
        guard head[place] == Self.comment else {
          place += 1
          continue
        }
        // To the end of its line; libvips (8.14) reads a second comment after it differently.
        place = head[place...].firstIndex(of: 0x0A).map { $0 + 1 } ?? head.count
        guard place == head.count || head[place] != Self.comment else {
          throw file.refusal("its header is unusual")
        }
      }
      let digits = head[place...].prefix { (0x30...0x39).contains($0) }
      // libvips treats a comment directly after a number as a part of it.
      guard place > first, Self.isSpace(head[first]),
        let number = Int(String(decoding: digits, as: UTF8.self))
      else { throw file.refusal("its header is unusual") }
      numbers.append(number)
      place += digits.count
    }
    guard place < head.count, Self.isSpace(head[place]) else {
      throw file.refusal("its header is unusual")
    }
    start = place + 1
    greatest = numbers[2]
    let isWide = greatest > 255
    pixelBytes = (magic == "P6" ? 3 : 1) * (isWide ? 2 : 1)
    guard numbers[0] == size.width, numbers[1] == size.height, (1...65_535).contains(greatest),
      picture.bands == (magic == "P6" ? 3 : 1), picture.format == (isWide ? .uint16 : .uint8)
    else { throw file.refusal("libvips reads it as another kind of picture than its header says") }
    // The size of the raster was checked at opening, so this does not overflow.
    guard start + size.area * pixelBytes <= file.length else { throw file.refusal("it is cut off") }
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (9...13).contains(byte) }

  func cost(of stored: PixelRegion) -> PeekCost { PeekCost(each: stored.area) }

  func plan(_ stored: PixelRegion) throws(PipelineError) -> RegionPlan {
    let rowBytes = stored.width * pixelBytes
    if file.isRemote {
      try file.expect(
        (stored.y..<stored.maxY).map { start(ofRow: $0, stored.x) }.map { $0..<$0 + rowBytes })
    }
    return RegionPlan(stored.bands(ofRows: max(1, bandBytes / rowBytes)))
  }

  /// Returns the offset of a pixel.
  private func start(ofRow y: Int, _ x: Int) -> Int { start + (y * size.width + x) * pixelBytes }

  func carve(_ band: RegionBand) throws(PipelineError) -> CarvedFile? {
    let stored = band.region
    var bytes = Array("\(magic)\n\(stored.width) \(stored.height)\n\(greatest)\n".utf8)
    let rowBytes = stored.width * pixelBytes
    let pixelStart = bytes.count
    bytes.reserveCapacity(pixelStart + rowBytes * stored.height)
    // Whole rows are contiguous.
    let rows = stored.width == size.width ? stored.height : 1
    for y in stride(from: stored.y, to: stored.maxY, by: rows) {
      let row = try file.bytes(
        at: start(ofRow: y, stored.x), count: rowBytes * rows)
      // The file was truncated.
      guard row.count == rowBytes * rows else { return nil }
      bytes += row
    }
    return CarvedFile(
      bytes: bytes, region: PixelRegion(whole: stored.size),
      work: Work(
        bytesRead: rowBytes * stored.height, pixelsDecoded: stored.area, pixelsDelivered: 0),
      pixelStart: greatest == 255 ? pixelStart : nil)
  }
}
