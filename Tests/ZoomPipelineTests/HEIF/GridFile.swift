@testable import ZoomPipeline

/// A HEIF file with a grid of tiles, written in any of the ways that the standard allows.
struct GridFile {
  var tiles: CodedTiles
  var columns = 4
  var rows = 3
  /// The width of the grid; smaller than all tiles if the last ones overhang.
  var width = 4 * CodedTiles.side
  var height = 3 * CodedTiles.side
  var hasAlpha = false
  /// Boxes of further properties of the grid; `alphaProperties` does the same for its alpha.
  var properties: [[UInt8]] = []
  var alphaProperties: [[UInt8]]?
  /// Boxes of further properties of every tile.
  var tileProperties: [[UInt8]] = []
  var locationVersion = 1
  /// The sizes of offsets, lengths and bases in bytes: 4 or 8; a base may also have 0.
  var fieldSizes = (offset: 4, length: 4, base: 0)
  var payloadIsInTable = false
  var tilesAreInTable = false
  var isWide = false
  /// The number of extents of each tile's bytes.
  var pieces = 1
  /// Whether items of usual writers are included: a thumbnail, a depth map, metadata.
  var hasCompany = false
  /// The order of the tiles in the grid's list; nil for the order of `tiles`.
  var order: [Int]?

  /// Changes without a property above.
  var edits = Edits()

  struct Edits {
    var primaryType = "grid"
    var tileType: String?
    var lastTileType: String?
    var protection = 0
    var dataReference = 0
    var construction: Int?
    var before: [UInt8] = []
    var references: [[UInt8]] = []
    var gridSize: (Int, Int)?
    var tileSize: (Int, Int)?
    var lastTileHasOtherProperties = false
    var alphaIsOneItem = false
    var tilesHaveAlpha = false
    var alphaTargets = 1
    var listsTwice = false
  }

  private struct Item {
    let type: String
    let isHidden: Bool
    var properties: [Int]
    var bytes: [UInt8]
    var isInTable = false
    var pieces = 1
    var protection = 0
  }

  struct Made {
    let bytes: [UInt8]
    let structure: Range<Int>
    /// The range of each tile's bytes, colours first, then alpha.
    let tiles: [Range<Int>]
  }

  private static let alphaType = "urn:mpeg:hevc:2015:auxid:1"

  func made() -> Made {
    var items: [Item] = []
    var places: [[UInt8]: Int] = [:]
    var boxes: [[UInt8]] = []
    func place(_ box: [UInt8]) -> Int {
      if let place = places[box] { return place }
      boxes.append(box)
      places[box] = boxes.count
      return boxes.count
    }
    func size(_ width: Int, _ height: Int) -> Int {
      place(box("ispe", full(0) + number(width, 4) + number(height, 4)))
    }
    let (gridWidth, gridHeight) = edits.gridSize ?? (width, height)
    let payload =
      [0, isWide ? 1 : 0, UInt8(rows - 1), UInt8(columns - 1)]
      + number(width, isWide ? 4 : 2) + number(height, isWide ? 4 : 2)
    let count = rows * columns
    let order = order ?? (0..<count).map { $0 % tiles.colours.count }
    func addGrid(_ coded: [CodedTiles.Item], _ extra: [[UInt8]], isAlpha: Bool) -> [UInt8] {
      let id = items.count + 1
      let auxiliary =
        isAlpha ? [place(box("auxC", full(0) + Array(Self.alphaType.utf8) + [0]))] : []
      items.append(
        Item(
          type: edits.primaryType, isHidden: isAlpha,
          properties: [size(gridWidth, gridHeight)] + auxiliary + extra.map(place), bytes: payload,
          isInTable: payloadIsInTable, protection: edits.protection))
      for (position, tile) in order.enumerated() {
        let isLast = position == order.count - 1
        var list = coded[tile].properties.filter { $0.type != "auxC" }.map { property in
          guard property.type == "ispe", let (width, height) = edits.tileSize else {
            return place(property.bytes)
          }
          return size(width, height)
        }
        list += tileProperties.map(place)
        if isLast, edits.lastTileHasOtherProperties {
          list.append(place(box("pasp", number(1, 4) + number(1, 4))))
        }
        items.append(
          Item(
            type: isLast
              ? edits.lastTileType ?? edits.tileType ?? tiles.type
              : edits.tileType ?? tiles.type, isHidden: true, properties: list,
            bytes: coded[tile].bytes, isInTable: tilesAreInTable, pieces: pieces))
      }
      return reference("dimg", id, Array(id + 1...id + count))
    }
    var references = [addGrid(tiles.colours, properties, isAlpha: false)]
    if hasAlpha || edits.tilesHaveAlpha {
      let id = items.count + 1
      references.append(
        reference("auxl", id, edits.tilesHaveAlpha ? [2] : Array(1...edits.alphaTargets)))
      if edits.alphaIsOneItem {
        items.append(
          Item(
            type: tiles.type, isHidden: true,
            properties: tiles.alphas[0].properties.map { place($0.bytes) },
            bytes: tiles.alphas[0].bytes))
      } else {
        references.append(addGrid(tiles.alphas, alphaProperties ?? properties, isAlpha: true))
      }
    }
    let tileIDs = items.indices.filter { items[$0].type == (edits.tileType ?? tiles.type) }
    if hasCompany {
      let map = items.count + 1
      let list = tiles.colours[0].properties.map { place($0.bytes) }
      let depth = place(box("auxC", full(0) + Array("urn:mpeg:hevc:2015:auxid:2".utf8) + [0]))
      let (bytes, type) = (tiles.colours[0].bytes, tiles.type)
      items.append(Item(type: type, isHidden: true, properties: list + [depth], bytes: bytes))
      items.append(Item(type: type, isHidden: true, properties: list, bytes: bytes))
      items.append(
        Item(type: "Exif", isHidden: true, properties: [], bytes: number(0, 4) + Array("MM".utf8)))
      references += [
        reference("auxl", map, [1]), reference("thmb", map + 1, [1]),
        reference("cdsc", map + 2, [1]),
      ]
    }
    references += edits.references
    if edits.listsTwice { items.append(items[0]) }
    return written(items, boxes, references, tileIDs)
  }

  private func written(
    _ items: [Item], _ boxes: [[UInt8]], _ references: [[UInt8]], _ tileIDs: [Int]
  ) -> Made {
    var table: [UInt8] = []
    var data: [UInt8] = []
    var starts: [Int] = []
    for item in items {
      starts.append(item.isInTable ? table.count : data.count)
      if item.isInTable { table += item.bytes } else { data += item.bytes }
    }
    func meta(_ start: Int) -> [UInt8] {
      var content = full(0)
      content += box(
        "hdlr", full(0) + number(0, 4) + Array("pict".utf8) + [UInt8](repeating: 0, count: 13))
      content += box("pitm", full(0) + number(1, 2))
      content += box(
        "iinf",
        full(0) + number(items.count, 2)
          + items.indices.flatMap { place in
            let id = edits.listsTwice && place == items.count - 1 ? 2 : place + 1
            return box(
              "infe",
              full(2, items[place].isHidden ? 1 : 0) + number(id, 2)
                + number(items[place].protection, 2) + Array(items[place].type.utf8) + [0])
          })
      content += locations(items, starts, start)
      content += box("iref", full(isWide ? 1 : 0) + references.flatMap(\.self))
      content += box("iprp", box("ipco", boxes.flatMap(\.self)) + associations(items))
      if !table.isEmpty { content += box("idat", table) }
      return box("meta", content)
    }
    let before = edits.before + tiles.brands
    let start = before.count + meta(0).count + 8
    let head = before + meta(start)
    let metaStart = head.count - table.count
    return Made(
      bytes: head + box("mdat", data), structure: before.count..<head.count,
      tiles: tileIDs.map { id in
        let from = (items[id].isInTable ? metaStart : start) + starts[id]
        return from..<from + items[id].bytes.count
      })
  }

  private func locations(_ items: [Item], _ starts: [Int], _ dataStart: Int) -> [UInt8] {
    let (version, sizes) = (locationVersion, fieldSizes)
    var content = full(version)
    content += number(sizes.offset << 12 | sizes.length << 8 | sizes.base << 4, 2)
    content += number(items.count, version == 2 ? 4 : 2)
    for (place, item) in items.enumerated() {
      let id = edits.listsTwice && place == items.count - 1 ? 2 : place + 1
      content += number(id, version == 2 ? 4 : 2)
      if version > 0 { content += number(edits.construction ?? (item.isInTable ? 1 : 0), 2) }
      content += number(edits.dataReference, 2)
      let start = starts[place] + (item.isInTable ? 0 : dataStart)
      // The base is most of the offset, if there is one.
      let base = sizes.base == 0 ? 0 : max(start - 5, 0)
      content += number(base, sizes.base)
      content += number(item.pieces, 2)
      for piece in 0..<item.pieces {
        let from = item.bytes.count * piece / item.pieces
        let to = item.bytes.count * (piece + 1) / item.pieces
        content += number(start - base + from, sizes.offset) + number(to - from, sizes.length)
      }
    }
    return box("iloc", content)
  }

  private func associations(_ items: [Item]) -> [UInt8] {
    var content = full(isWide ? 1 : 0, isWide ? 1 : 0)
    let lists = items.enumerated().filter { !$0.element.properties.isEmpty }
    content += number(lists.count, 4)
    for (place, item) in lists {
      let id = edits.listsTwice && place == items.count - 1 ? 2 : place + 1
      content += number(id, isWide ? 4 : 2) + number(item.properties.count, 1)
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
