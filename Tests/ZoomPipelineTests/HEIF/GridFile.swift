@testable import ZoomPipeline

/// A HEIF file with a grid of tiles, written in any of the ways that the standard allows.
struct GridFile {
  var tiles: CodedTiles
  var columns = 4
  var rows = 3
  /// The width of the grid; smaller than all tiles if the last ones overhang.
  var width = 4 * CodedTiles.side
  var height = 3 * CodedTiles.side
  /// Boxes of further properties of the grid.
  var properties: [[UInt8]] = []
  /// Boxes of further properties of every tile.
  var tileProperties: [[UInt8]] = []
  var locationVersion = 1
  /// The sizes of offsets, lengths and bases in bytes: 4 or 8; a base may also have 0.
  var fieldSizes = (offset: 4, length: 4, base: 0)
  var payloadIsInTable = false
  var tilesAreInTable = false
  var isWide = false
  /// Whether items of usual writers are included: a depth map, a thumbnail, metadata.
  var hasCompany = false
  /// The order of the tiles in the grid's list; nil for the order of `tiles`.
  var order: [Int]?

  /// Changes that make a file irregular.
  var edits = Edits()

  struct Edits {
    var primaryType = "grid"
    var tileType: String?
    var lastTileType: String?
    var protection = 0
    var dataReference = 0
    var construction: Int?
    /// The number of extents of each tile's bytes.
    var pieces = 1
    var before: [UInt8] = []
    var references: [[UInt8]] = []
    var gridSize: (Int, Int)?
    var tileSize: (Int, Int)?
    var lastTileHasOtherProperties = false
    /// The items with the same alpha.
    var alphaTargets: [Int] = []
    var listsTwice = false
  }

  private struct Item {
    var id: Int
    let type: String
    let properties: [Int]
    /// The range of its bytes in the `idat` box, or in the data after the table.
    let range: Range<Int>
    let isInTable: Bool
    let pieces: Int
  }

  struct Made {
    let bytes: [UInt8]
    let structure: Range<Int>
    /// The range of each tile's bytes.
    let tiles: [Range<Int>]
  }

  func made() -> Made {
    var items: [Item] = []
    var boxes: [[UInt8]] = []
    var (table, data): ([UInt8], [UInt8]) = ([], [])
    func place(_ box: [UInt8]) -> Int {
      if let place = boxes.firstIndex(of: box) { return place + 1 }
      boxes.append(box)
      return boxes.count
    }
    func size(_ width: Int, _ height: Int) -> Int {
      place(box("ispe", full(0) + number(width, 4) + number(height, 4)))
    }
    func add(
      _ type: String, _ properties: [Int], _ bytes: [UInt8], isInTable: Bool = false,
      pieces: Int = 1
    ) {
      let start = isInTable ? table.count : data.count
      if isInTable { table += bytes } else { data += bytes }
      items.append(
        Item(
          id: items.count + 1, type: type, properties: properties,
          range: start..<start + bytes.count, isInTable: isInTable, pieces: pieces))
    }

    let (gridWidth, gridHeight) = edits.gridSize ?? (width, height)
    let side = isWide ? 4 : 2
    let payload =
      [0, isWide ? 1 : 0, UInt8(rows - 1), UInt8(columns - 1)] + number(width, side)
      + number(height, side)
    add(
      edits.primaryType, [size(gridWidth, gridHeight)] + properties.map(place), payload,
      isInTable: payloadIsInTable)
    let count = rows * columns
    let tileType = edits.tileType ?? tiles.type
    for position in 0..<count {
      let tile = tiles.items[order?[position] ?? position % tiles.items.count]
      let isLast = position == count - 1
      var list = tile.properties.map { property in
        guard property.type == "ispe", let (width, height) = edits.tileSize else {
          return place(property.bytes)
        }
        return size(width, height)
      }
      list += tileProperties.map(place)
      if isLast, edits.lastTileHasOtherProperties {
        list.append(place(box("pasp", number(1, 4) + number(1, 4))))
      }
      add(
        isLast ? edits.lastTileType ?? tileType : tileType, list, tile.bytes,
        isInTable: tilesAreInTable, pieces: edits.pieces)
    }

    var references = [reference("dimg", 1, Array(2...count + 1))]
    func addCompanion(_ type: String, of targets: [Int], _ auxiliary: String? = nil) {
      references.append(reference(type, items.count + 1, targets))
      var list = tiles.items[0].properties.map { place($0.bytes) }
      if let auxiliary { list.append(place(box("auxC", full(0) + Array(auxiliary.utf8) + [0]))) }
      add(tiles.type, list, tiles.items[0].bytes)
    }
    if !edits.alphaTargets.isEmpty {
      addCompanion("auxl", of: edits.alphaTargets, "urn:mpeg:hevc:2015:auxid:1")
    }
    if hasCompany {
      addCompanion("auxl", of: [1], "urn:mpeg:hevc:2015:auxid:2")
      addCompanion("thmb", of: [1])
      references.append(reference("cdsc", items.count + 1, [1]))
      add("Exif", [], number(0, 4) + Array("MM".utf8))
    }
    references += edits.references
    if edits.listsTwice {
      items.append(items[0])
      items[items.count - 1].id = 2
    }

    func meta(_ start: Int) -> [UInt8] {
      var content = full(0)
      content += box(
        "hdlr", full(0) + number(0, 4) + Array("pict".utf8) + [UInt8](repeating: 0, count: 13))
      content += box("pitm", full(0) + number(1, 2))
      content += list(items)
      content += locations(items, start)
      content += box("iref", full(isWide ? 1 : 0) + references.flatMap(\.self))
      content += box("iprp", box("ipco", boxes.flatMap(\.self)) + associations(items))
      if !table.isEmpty { content += box("idat", table) }
      return box("meta", content)
    }
    let before = edits.before + tiles.brands
    let start = before.count + meta(0).count + 8
    let head = before + meta(start)
    return Made(
      bytes: head + box("mdat", data), structure: before.count..<head.count,
      tiles: items[1...count].map { item in
        let from = item.range.lowerBound + (item.isInTable ? head.count - table.count : start)
        return from..<from + item.range.count
      })
  }

  private func list(_ items: [Item]) -> [UInt8] {
    var content = full(0) + number(items.count, 2)
    for item in items {
      // All items but the grid are hidden.
      var entry = full(2, item.id == 1 ? 0 : 1) + number(item.id, 2)
      entry += number(item.id == 1 ? edits.protection : 0, 2) + Array(item.type.utf8) + [0]
      content += box("infe", entry)
    }
    return box("iinf", content)
  }

  private func locations(_ items: [Item], _ dataStart: Int) -> [UInt8] {
    let (version, sizes) = (locationVersion, fieldSizes)
    var content = full(version)
    content += number(sizes.offset << 12 | sizes.length << 8 | sizes.base << 4, 2)
    content += number(items.count, version == 2 ? 4 : 2)
    for item in items {
      content += number(item.id, version == 2 ? 4 : 2)
      if version > 0 { content += number(edits.construction ?? (item.isInTable ? 1 : 0), 2) }
      content += number(edits.dataReference, 2)
      let start = item.range.lowerBound + (item.isInTable ? 0 : dataStart)
      // The base is most of the offset, if there is one.
      let base = sizes.base == 0 ? 0 : max(start - 5, 0)
      content += number(base, sizes.base)
      content += number(item.pieces, 2)
      for piece in 0..<item.pieces {
        let from = item.range.count * piece / item.pieces
        let to = item.range.count * (piece + 1) / item.pieces
        content += number(start - base + from, sizes.offset) + number(to - from, sizes.length)
      }
    }
    return box("iloc", content)
  }

  private func associations(_ items: [Item]) -> [UInt8] {
    let lists = items.filter { !$0.properties.isEmpty }
    var content = full(isWide ? 1 : 0, isWide ? 1 : 0) + number(lists.count, 4)
    for item in lists {
      content += number(item.id, isWide ? 4 : 2) + number(item.properties.count, 1)
      content += item.properties.flatMap { number($0, isWide ? 2 : 1) }
    }
    return box("ipma", content)
  }

  private func reference(_ type: String, _ source: Int, _ targets: [Int]) -> [UInt8] {
    let size = isWide ? 4 : 2
    return box(
      type,
      number(source, size) + number(targets.count, 2) + targets.flatMap { number($0, size) })
  }
}

func number(_ value: Int, _ count: Int) -> [UInt8] {
  (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
}

func full(_ version: Int, _ flags: Int = 0) -> [UInt8] { number(version, 1) + number(flags, 3) }

func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
  number(content.count + 8, 4) + Array(type.utf8) + content
}
