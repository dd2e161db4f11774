internal import ZoomGeometry

/// Writes a HEIF file of some tiles of a grid.
///
/// Properties are copied, except for the grid's size (`ispe`).
struct HEIFWriter {
  private let grid: HEIFGrid
  /// The bytes of the items: the grid's description, then its tiles.
  private let items: [[UInt8]]
  private let sizeBox: [UInt8]

  /// libheif reads boxes below 2 GB.
  private static let mostData = 1 << 30

  /// Returns the file; nil if it would be larger than libheif reads.
  ///
  /// `tiles` are the coded tiles, row by row, which make up a picture of `size`.
  static func file(
    of grid: HEIFGrid, _ tiles: [[UInt8]], columns: Int, size: PixelSize
  ) -> [UInt8]? {
    var sides: [UInt8] = []
    for side in [size.width, size.height] { sides.append(bigEndian: side, 4) }
    let description = [0, 1, UInt8(tiles.count / columns - 1), UInt8(columns - 1)] + sides
    let writer = HEIFWriter(
      grid: grid, items: [description] + tiles,
      sizeBox: [UInt8](box: "ispe", version: 0) { $0 += sides })
    let data = writer.items.reduce(0) { $0 + $1.count }
    guard data < mostData else { return nil }
    let header = 8
    // Offsets have a fixed length, so the table's length is known before them.
    let start = grid.brands.count + writer.meta(dataOffset: 0).count + header
    var file: [UInt8] = []
    file.reserveCapacity(start + data)
    file += grid.brands
    file += writer.meta(dataOffset: start)
    file.append(bigEndian: data + header, 4)
    file += "mdat".utf8
    for item in writer.items { file += item }
    return file
  }

  private func meta(dataOffset: Int) -> [UInt8] {
    [UInt8](box: "meta", version: 0) { content in
      content += [UInt8](box: "hdlr", version: 0) {
        $0 += [0, 0, 0, 0] + Array("pict".utf8) + [UInt8](repeating: 0, count: 13)
      }
      content += [UInt8](box: "pitm", version: 0) { $0.append(bigEndian: 1, 2) }
      content += locations(dataOffset)
      content += list()
      content += [UInt8](box: "iref", version: 1) { content in
        content += [UInt8](box: "dimg") { content in
          content.append(bigEndian: 1, 4)
          content.append(bigEndian: items.count - 1, 2)
          for tile in items.indices.dropFirst() { content.append(bigEndian: tile + 1, 4) }
        }
      }
      content += [UInt8](box: "iprp") { content in
        content += [UInt8](box: "ipco") { content in
          for property in grid.properties {
            content += property.type == "ispe" ? sizeBox : property.bytes
          }
          for property in grid.tileProperties { content += property.bytes }
        }
        content += associations()
      }
    }
  }

  private func list() -> [UInt8] {
    [UInt8](box: "iinf", version: 1) { content in
      content.append(bigEndian: items.count, 4)
      for place in items.indices {
        // Items with the hidden flag are not shown as pictures.
        content += [UInt8](box: "infe", version: 3, flags: place == 0 ? 0 : 1) { content in
          content.append(bigEndian: place + 1, 4)
          content += [0, 0] + Array((place == 0 ? "grid" : grid.codec.rawValue).utf8) + [0]
        }
      }
    }
  }

  private func locations(_ dataOffset: Int) -> [UInt8] {
    [UInt8](box: "iloc", version: 2) { content in
      // Offsets and lengths take 8 bytes, and no item has a base.
      content.append(bigEndian: 0x8800, 2)
      content.append(bigEndian: items.count, 4)
      var offset = dataOffset
      for (place, item) in items.enumerated() {
        content.append(bigEndian: place + 1, 4)
        // In this file, in one extent.
        content += [0, 0, 0, 0, 0, 1]
        content.append(bigEndian: offset, 8)
        content.append(bigEndian: item.count, 8)
        offset += item.count
      }
    }
  }

  private func associations() -> [UInt8] {
    [UInt8](box: "ipma", version: 1, flags: 1) { content in
      content.append(bigEndian: items.count, 4)
      for place in items.indices {
        let list = place == 0 ? grid.properties : grid.tileProperties
        // The grid's properties come first, numbered from 1.
        let first = place == 0 ? 1 : grid.properties.count + 1
        content.append(bigEndian: place + 1, 4)
        content.append(bigEndian: list.count, 1)
        for (number, property) in list.enumerated() {
          content.append(bigEndian: (first + number) | (property.isEssential ? 1 << 15 : 0), 2)
        }
      }
    }
  }
}

extension [UInt8] {
  /// Creates a box, whose content begins with the version and the flags if it has a version.
  fileprivate init(
    box type: String, version: UInt8? = nil, flags: UInt8 = 0, _ body: (inout [UInt8]) -> Void
  ) {
    var content: [UInt8] = []
    if let version { content = [version, 0, 0, flags] }
    body(&content)
    self = []
    reserveCapacity(content.count + 8)
    append(bigEndian: content.count + 8, 4)
    self += type.utf8
    self += content
  }
}
