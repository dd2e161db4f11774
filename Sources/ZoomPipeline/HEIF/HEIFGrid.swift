internal import ZoomGeometry

/// A grid item (ISO/IEC 23008-12, 6.6.2.3.2): tiles of one size that can be decoded alone.
struct HEIFGrid {
  enum Codec: String {
    case hevc = "hvc1"
    case av1 = "av01"
  }

  let columns: Int
  let rows: Int
  /// The size of the whole grid before any transformation.
  let size: PixelSize
  let tile: PixelSize
  let codec: Codec
  let transformation: GridTransformation
  /// The properties of the grid's item, including its size.
  let properties: [HEIFItems.Property]
  /// The properties of the tiles' items, which are the same for all.
  let tileProperties: [HEIFItems.Property]
  /// The item numbers of the tiles, row by row.
  let tiles: [Int]
  let extents: [[Range<Int>]]

  /// Above libheif's own limit; products of sizes below it do not overflow.
  private static let mostTileSide = 1 << 16

  /// Reads the grid of an item; `source` holds the file's bytes.
  init(
    _ id: Int, _ items: HEIFItems, in file: HEIFFile, _ source: some CodedSource
  ) throws(HEIFRefusal) {
    let places = try items.extents(of: id, in: file)
    guard places.count == 1, [8, 12].contains(places[0].count) else {
      throw HEIFRefusal("its grid has a description of an unusual length")
    }
    guard let payload = try? source.bytes(at: places[0].lowerBound, count: places[0].count),
      payload.count == places[0].count
    else { throw HEIFRefusal("its grid cannot be read") }
    var reader = BoxReader(payload)
    let (version, flags) = (try reader.number(1), try reader.number(1))
    guard version == 0, payload.count == (flags & 1 == 0 ? 8 : 12) else {
      throw HEIFRefusal("its grid has a description of an unusual length")
    }
    rows = try reader.number(1) + 1
    columns = try reader.number(1) + 1
    let side = flags & 1 == 0 ? 2 : 4
    size = try HEIFItems.size(&reader, side)
    let lists = items.references.filter { $0.type == "dimg" && $0.source == id }
    guard lists.count == 1, lists[0].targets.count == rows * columns else {
      throw HEIFRefusal("its grid does not have \(columns) x \(rows) tiles")
    }
    tiles = lists[0].targets
    properties = try items.properties(of: id)
    guard try items.imageSize(of: id) == size else {
      throw HEIFRefusal("its grid has two sizes")
    }
    transformation = try GridTransformation(of: properties, size: size)
    (codec, tile, tileProperties) = try Self.tile(tiles, items)
    guard tile.width.isMultiple(of: 2), tile.height.isMultiple(of: 2) else {
      throw HEIFRefusal("its tiles have odd sides, so that chroma does not end where they do")
    }
    guard max(tile.width, tile.height) <= Self.mostTileSide else {
      throw HEIFRefusal("its tiles of \(tile) are beyond any decoder")
    }
    // Each tile shows something, and the tiles cover the whole grid.
    guard (size.width + tile.width - 1) / tile.width == columns,
      (size.height + tile.height - 1) / tile.height == rows
    else { throw HEIFRefusal("\(columns) x \(rows) tiles of \(tile) do not make \(size)") }
    if codec == .hevc {
      let configurations = tileProperties.filter { $0.type == "hvcC" }
      guard configurations.count == 1 else {
        throw HEIFRefusal("its tiles have no decoder configuration, or two")
      }
      if let reason = HEVCTile.refusal(ofConfiguration: configurations[0], size: tile) {
        throw HEIFRefusal(reason)
      }
    }
    var extents: [[Range<Int>]] = []
    extents.reserveCapacity(tiles.count)
    for tile in tiles { extents.append(try items.extents(of: tile, in: file)) }
    self.extents = extents
  }

  private static func tile(
    _ tiles: [Int], _ items: HEIFItems
  ) throws(HEIFRefusal) -> (Codec, PixelSize, [HEIFItems.Property]) {
    guard let first = tiles.first, let type = items.items[first]?.type else {
      throw HEIFRefusal("its tiles are not listed")
    }
    guard let codec = Codec(rawValue: type) else {
      throw HEIFRefusal("its tiles are items of type \(type.debugDescription)")
    }
    let properties = try items.properties(of: first)
    for tile in tiles {
      guard let item = items.items[tile], item.type == type else {
        throw HEIFRefusal("its tiles are items of several types")
      }
      guard !item.isProtected else { throw HEIFRefusal("its tiles are protected") }
      guard items.associations[tile] == items.associations[first] else {
        throw HEIFRefusal("its tiles differ in their properties")
      }
    }
    guard !properties.contains(where: { GridTransformation.types.contains($0.type) }) else {
      throw HEIFRefusal("its tiles are turned or cut one by one")
    }
    let size = try items.imageSize(of: first)
    return (codec, size, properties)
  }

  /// Whether the decoded size of a tile is the one in the tables.
  func isOfSize(coded: [UInt8]) -> Bool {
    switch codec {
    case .hevc: HEVCTile.isOfSize(tile, coded: coded)
    case .av1: AV1Tile.isOfSize(tile, coded: coded)
    }
  }

  /// Whether one carved file can hold the same region of both grids.
  func isAligned(with other: HEIFGrid) -> Bool {
    (size, tile, transformation) == (other.size, other.tile, other.transformation)
  }
}

extension HEIFItems {
  func imageSize(of id: Int) throws(HEIFRefusal) -> PixelSize {
    let sizes = try properties(of: id).filter { $0.type == "ispe" }
    guard sizes.count == 1 else { throw HEIFRefusal("item \(id) has no size, or two") }
    var reader = sizes[0].content
    // Version and flags.
    guard try reader.number(4) >> 24 == 0 else {
      throw HEIFRefusal("item \(id) has a size of an unknown version")
    }
    let size = try Self.size(&reader, 4)
    try reader.assertAtEnd("ispe")
    return size
  }

  fileprivate static func size(
    _ reader: inout BoxReader, _ count: Int
  ) throws(HEIFRefusal) -> PixelSize {
    let (width, height) = (try reader.number(count), try reader.number(count))
    guard let size = try? PixelSize(width: width, height: height) else {
      throw HEIFRefusal("it has sides of no pixel, or too many")
    }
    return size
  }
}
