internal import ZoomGeometry

/// Writes a HEIF file of some tiles of a grid, and of the same tiles of its alpha if it has one.
///
/// Properties are copied, except for the grid's size (`ispe`) and its clean aperture (`clap`).
struct HEIFWriter {
  private struct Item {
    let type: String
    let properties: [(place: Int, isEssential: Bool)]
    let bytes: [UInt8]
    /// The item numbers of a grid's tiles.
    var tiles = 0..<0
  }

  private var items: [Item] = []
  private var properties: [[UInt8]] = []
  private var places: [[UInt8]: Int] = [:]

  /// libheif reads boxes below 2 GB.
  private static let mostData = 1 << 30

  /// Returns the file; nil if it would be larger than libheif reads.
  ///
  /// `coded` are the tiles of each grid, row by row; the tiles make up a picture of `size`.
  static func file(
    of layout: HEIFLayout, _ coded: [[[UInt8]]], columns: Int, size: PixelSize
  ) -> [UInt8]? {
    var writer = HEIFWriter()
    for (grid, tiles) in zip(layout.grids, coded) { writer.add(grid, tiles, columns, size) }
    let data = writer.items.reduce(0) { $0 + $1.bytes.count }
    guard data < mostData else { return nil }
    let header = 8
    // Offsets have a fixed length, so the table's length is known before them.
    let start = layout.brands.count + writer.meta(dataOffset: 0).count + header
    var file: [UInt8] = []
    file.reserveCapacity(start + data)
    file += layout.brands
    file += writer.meta(dataOffset: start)
    file.append(bigEndian: data + header, 4)
    file += "mdat".utf8
    for item in writer.items { file += item.bytes }
    return file
  }

  private mutating func add(
    _ grid: HEIFGrid, _ tiles: [[UInt8]], _ columns: Int, _ size: PixelSize
  ) {
    var sides: [UInt8] = []
    for side in [size.width, size.height] { sides.append(bigEndian: side, 4) }
    let sizeBox = [UInt8](box: "ispe", version: 0) { $0 += sides }
    let list = grid.properties.filter { $0.type != "clap" }.map { property in
      (place(of: property.type == "ispe" ? sizeBox : property.bytes), property.isEssential)
    }
    let first = items.count + 2
    items.append(
      Item(
        type: "grid", properties: list,
        bytes: [0, 1, UInt8(tiles.count / columns - 1), UInt8(columns - 1)] + sides,
        tiles: first..<first + tiles.count))
    let tileList = grid.tileProperties.map { (place(of: $0.bytes), $0.isEssential) }
    for tile in tiles {
      items.append(Item(type: grid.codec.rawValue, properties: tileList, bytes: tile))
    }
  }

  private mutating func place(of property: [UInt8]) -> Int {
    if let place = places[property] { return place }
    properties.append(property)
    places[property] = properties.count
    return properties.count
  }

  // MARK: Boxes

  private func meta(dataOffset: Int) -> [UInt8] {
    [UInt8](box: "meta", version: 0) { content in
      content += [UInt8](box: "hdlr", version: 0) {
        $0 += [0, 0, 0, 0] + Array("pict".utf8) + [UInt8](repeating: 0, count: 13)
      }
      content += [UInt8](box: "pitm", version: 0) { $0.append(bigEndian: 1, 2) }
      content += locations(dataOffset)
      content += list()
      content += references()
      content += [UInt8](box: "iprp") { content in
        content += [UInt8](box: "ipco") { $0 += properties.joined() }
        content += associations()
      }
    }
  }

  private func list() -> [UInt8] {
    [UInt8](box: "iinf", version: 1) { content in
      content.append(bigEndian: items.count, 4)
      for (place, item) in items.enumerated() {
        // Items with the hidden flag are not shown as pictures.
        content += [UInt8](box: "infe", version: 3, flags: place == 0 ? 0 : 1) { content in
          content.append(bigEndian: place + 1, 4)
          content += [0, 0] + Array(item.type.utf8) + [0]
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
        content.append(bigEndian: item.bytes.count, 8)
        offset += item.bytes.count
      }
    }
  }

  private func references() -> [UInt8] {
    [UInt8](box: "iref", version: 1) { content in
      func append(_ type: String, from source: Int, to targets: Range<Int>) {
        content += [UInt8](box: type) { content in
          content.append(bigEndian: source, 4)
          content.append(bigEndian: targets.count, 2)
          for target in targets { content.append(bigEndian: target, 4) }
        }
      }
      let grids = items.indices.filter { !items[$0].tiles.isEmpty }
      for grid in grids { append("dimg", from: grid + 1, to: items[grid].tiles) }
      for alpha in grids.dropFirst() { append("auxl", from: alpha + 1, to: 1..<2) }
    }
  }

  private func associations() -> [UInt8] {
    [UInt8](box: "ipma", version: 1, flags: 1) { content in
      content.append(bigEndian: items.count, 4)
      for (place, item) in items.enumerated() {
        content.append(bigEndian: place + 1, 4)
        content.append(bigEndian: item.properties.count, 1)
        for property in item.properties {
          content.append(bigEndian: property.place | (property.isEssential ? 1 << 15 : 0), 2)
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
