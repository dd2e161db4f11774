import SystemPackage
import Testing

@testable import ZoomPipeline

/// A page of a TIFF that is joined from files of one page each.
struct TIFFPage {
  /// A little-endian TIFF with 32-bit offsets, as libvips writes it.
  let file: [UInt8]
  /// NewSubfileType.
  var kind = 0
  /// ImageDescription; nil leaves the tag out.
  var description: String?

  /// Returns a TIFF of the pages.
  static func joined(_ pages: [TIFFPage]) throws -> [UInt8] {
    var bytes = Array("II".utf8) + little(42, 2) + little(0, 4)
    // The position of the next directory's offset.
    var link = 4
    for page in pages {
      let base = bytes.count
      bytes += page.file
      if !bytes.count.isMultiple(of: 2) { bytes.append(0) }
      let fields = try page.fields(movedBy: base)
      let start = bytes.count
      bytes.replaceSubrange(link..<link + 4, with: little(start, 4))
      link = start + 2 + 12 * fields.count
      var values: [UInt8] = []
      bytes += little(fields.count, 2)
      for field in fields {
        bytes += little(field.tag, 2) + little(field.type, 2) + little(field.count, 4)
        if field.bytes.count <= 4 {
          bytes += field.bytes + [UInt8](repeating: 0, count: 4 - field.bytes.count)
        } else {
          bytes += little(link + 4 + values.count, 4)
          values += field.bytes
          if !values.count.isMultiple(of: 2) { values.append(0) }
        }
      }
      bytes += little(0, 4) + values
    }
    return bytes
  }

  /// Returns the tags of the file's directory, with offsets for the file at another position.
  private func fields(movedBy base: Int) throws -> [SmallTIFF.Field] {
    let memory = MemoryFile(file, madeFrom: "page.tif")
    let directory = try TIFFDirectory(memory)
    var fields = try directory.entries.map { entry -> SmallTIFF.Field in
      let all = 0..<entry.count
      guard entry.tag == TIFFTag.stripOffsets || entry.tag == TIFFTag.tileOffsets else {
        let bytes = try #require(try directory.values(of: entry, all, in: memory))
        return SmallTIFF.Field(tag: entry.tag, type: entry.type, count: entry.count, bytes: bytes)
      }
      let offsets = try #require(try directory.numbers(of: entry, all, in: memory))
      return SmallTIFF.Field(
        tag: entry.tag, type: 4, count: entry.count,
        bytes: offsets.flatMap { Self.little($0 + base, 4) })
    }
    fields.removeAll { $0.tag == TIFFTag.subfileType || $0.tag == TIFFTag.description }
    fields.append(
      SmallTIFF.Field(tag: TIFFTag.subfileType, type: 4, count: 1, bytes: Self.little(kind, 4)))
    if let description {
      let text = Array(description.utf8) + [0]
      fields.append(
        SmallTIFF.Field(tag: TIFFTag.description, type: 2, count: text.count, bytes: text))
    }
    return fields.sorted { $0.tag < $1.tag }
  }

  private static func little(_ number: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }
}
