internal import ZoomGeometry

/// A grid of some tiles of a larger grid.
struct SmallGrid {
  let columns: Int
  let rows: Int
  let size: PixelSize
  let properties: [HEIFItems.Property]
  let tileProperties: [HEIFItems.Property]
  let codec: HEIFGrid.Codec
  let tiles: [[UInt8]]
}

/// Writes a HEIF file of one grid, or of a grid and its alpha.
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
  private let alphaID: Int?

  /// libheif reads boxes below 2 GB.
  private static let mostData = 1 << 30

  /// Returns the file; nil if it would be larger than libheif reads.
  static func file(brands: [UInt8], _ grid: SmallGrid, alpha: SmallGrid?) -> [UInt8]? {
    let writer = HEIFWriter(grid, alpha)
    let data = writer.items.reduce(0) { $0 + $1.bytes.count }
    guard data < mostData else { return nil }
    let header = 8
    // Offsets have a fixed length, so the table's length is known before them.
    let start = brands.count + writer.meta(dataOffset: 0).count + header
    var file: [UInt8] = []
    file.reserveCapacity(start + data)
    file += brands
    file += writer.meta(dataOffset: start)
    file.append(data + header, 4)
    file += Array("mdat".utf8)
    for item in writer.items { file += item.bytes }
    return file
  }

  private init(_ grid: SmallGrid, _ alpha: SmallGrid?) {
    alphaID = alpha.map { _ in grid.tiles.count + 2 }
    add(grid)
    if let alpha { add(alpha) }
  }

  private mutating func add(_ grid: SmallGrid) {
    var sides: [UInt8] = []
    sides.append(grid.size.width, 4)
    sides.append(grid.size.height, 4)
    let size = [UInt8](box: "ispe") { content in
      content.append(0, 4)
      content += sides
    }
    let list = grid.properties.filter { $0.type != "clap" }.map { property in
      (place(of: property.type == "ispe" ? size : property.bytes), property.isEssential)
    }
    let first = items.count + 2
    items.append(
      Item(
        type: "grid", properties: list,
        bytes: [0, 1, UInt8(grid.rows - 1), UInt8(grid.columns - 1)] + sides,
        tiles: first..<first + grid.tiles.count))
    let tileList = grid.tileProperties.map { (place(of: $0.bytes), $0.isEssential) }
    for tile in grid.tiles {
      items.append(Item(type: grid.codec.rawValue, properties: tileList, bytes: tile))
    }
  }

  private mutating func place(of property: [UInt8]) -> Int {
    if let place = places[property] { return place }
    properties.append(property)
    places[property] = properties.count
    return properties.count
  }

  private func meta(dataOffset: Int) -> [UInt8] {
    [UInt8](box: "meta") { content in
      content.append(0, 4)
      content += [UInt8](box: "hdlr") { content in
        content.append(0, 8)
        content += Array("pict".utf8)
        content += [UInt8](repeating: 0, count: 13)
      }
      content += [UInt8](box: "pitm") { content in
        content.append(0, 4)
        content.append(1, 2)
      }
      content += locations(dataOffset)
      content += list()
      content += references()
      content += [UInt8](box: "iprp") { content in
        content += [UInt8](box: "ipco") { content in
          for property in properties { content += property }
        }
        content += associations()
      }
    }
  }

  private func list() -> [UInt8] {
    [UInt8](box: "iinf") { content in
      content.append(version: 1)
      content.append(items.count, 4)
      for (place, item) in items.enumerated() {
        content += [UInt8](box: "infe") { content in
          // Items with the hidden flag are not shown as pictures.
          content.append(version: 3, flags: place == 0 ? 0 : 1)
          content.append(place + 1, 4)
          content.append(0, 2)
          content += Array(item.type.utf8)
          content.append(0)
        }
      }
    }
  }

  private func locations(_ dataOffset: Int) -> [UInt8] {
    [UInt8](box: "iloc") { content in
      content.append(version: 2)
      // Offsets and lengths take 8 bytes, and no item has a base.
      content.append(0x8800, 2)
      content.append(items.count, 4)
      var offset = dataOffset
      for (place, item) in items.enumerated() {
        content.append(place + 1, 4)
        // In this file, in one extent.
        content.append(0, 4)
        content.append(1, 2)
        content.append(offset, 8)
        content.append(item.bytes.count, 8)
        offset += item.bytes.count
      }
    }
  }

  private func references() -> [UInt8] {
    [UInt8](box: "iref") { content in
      content.append(version: 1)
      for (place, item) in items.enumerated() where !item.tiles.isEmpty {
        content += Self.reference("dimg", from: place + 1, to: item.tiles)
      }
      if let alphaID { content += Self.reference("auxl", from: alphaID, to: 1..<2) }
    }
  }

  private static func reference(_ type: String, from source: Int, to targets: Range<Int>) -> [UInt8]
  {
    [UInt8](box: type) { content in
      content.append(source, 4)
      content.append(targets.count, 2)
      for target in targets { content.append(target, 4) }
    }
  }

  private func associations() -> [UInt8] {
    [UInt8](box: "ipma") { content in
      content.append(version: 1, flags: 1)
      content.append(items.count, 4)
      for (place, item) in items.enumerated() {
        content.append(place + 1, 4)
        content.append(item.properties.count, 1)
        for property in item.properties {
          content.append(property.place | (property.isEssential ? 1 << 15 : 0), 2)
        }
      }
    }
  }
}

extension [UInt8] {
  fileprivate init(box type: String, _ body: (inout [UInt8]) -> Void) {
    var content: [UInt8] = []
    body(&content)
    self = []
    reserveCapacity(content.count + 8)
    append(content.count + 8, 4)
    self += Array(type.utf8)
    self += content
  }

  fileprivate mutating func append(_ value: Int, _ count: Int) {
    for place in (0..<count).reversed() { append(UInt8(truncatingIfNeeded: value >> (8 * place))) }
  }

  fileprivate mutating func append(version: Int, flags: Int = 0) {
    append(version, 1)
    append(flags, 3)
  }
}
