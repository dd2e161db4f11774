internal import ZoomGeometry

/// The grid of a HEIF file whose primary item is one (ISO/IEC 23008-12, 6.6.2.3.2).
///
/// Its tiles have one size and can be decoded alone.
struct HEIFGrid {
  enum Codec: String {
    case hevc = "hvc1"
    case av1 = "av01"
  }

  /// The bytes of the file's `ftyp` box.
  let brands: [UInt8]
  let columns: Int
  let rows: Int
  /// The size of the decoded grid before it is turned.
  let size: PixelSize
  let tile: PixelSize
  let codec: Codec
  /// The turns and mirrors that libheif applies to the decoded grid.
  ///
  /// The result has the stored pixels of the picture.
  let orientation: Orientation
  /// The properties of the grid's item, including its size.
  let properties: [HEIFItems.Property]
  /// The properties of the tiles' items, which are the same for all.
  let tileProperties: [HEIFItems.Property]
  /// The range of each tile's bytes in the file, row by row.
  let tiles: [Range<Int>]

  /// Above libheif's own limit; products of sizes below it do not overflow.
  private static let mostTileSide = 1 << 16

  /// Reads a file's tables; throws `unsupported` with the reason if the file cannot be carved.
  init(_ source: some CodedSource) throws(PipelineError) {
    let file = try HEIFFile(source)
    do throws(HEIFRefusal) {
      try self.init(HEIFItems(file.meta), of: file, source)
    } catch {
      throw source.refusal(error.reason)
    }
  }

  private init(
    _ items: HEIFItems, of file: HEIFFile, _ source: some CodedSource
  ) throws(HEIFRefusal) {
    let primary = try Self.primary(of: items)
    brands = file.brands
    let place = try items.range(of: primary, in: file)
    guard [8, 12].contains(place.count),
      let payload = try? source.bytes(at: place.lowerBound, count: place.count),
      // Its version, and the flag of wide numbers.
      payload.count == place.count, payload[0] == 0, (payload[1] & 1 == 1) == (place.count == 12)
    else { throw HEIFRefusal("its grid has an unusual description, or none that can be read") }
    var reader = BoxReader(payload, 2..<payload.count)
    rows = try reader.number(1) + 1
    columns = try reader.number(1) + 1
    let sideBytes = reader.rest / 2
    size = try HEIFItems.size(&reader, sideBytes)
    let lists = items.references.filter { $0.type == "dimg" && $0.source == primary }
    guard lists.count == 1, lists[0].targets.count == rows * columns else {
      throw HEIFRefusal("its grid does not have \(columns) x \(rows) tiles")
    }
    let numbers = lists[0].targets
    guard numbers.count > 1 else {
      throw HEIFRefusal("its grid has one tile, which decodes as a whole")
    }
    properties = try items.properties(of: primary)
    guard try items.imageSize(of: primary) == size else {
      throw HEIFRefusal("its grid has two sizes")
    }
    orientation = try Self.orientation(of: properties)
    (codec, tile, tileProperties) = try Self.tile(numbers, items)
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
        throw HEIFRefusal("its tiles lack a decoder configuration, or have two")
      }
      if let reason = HEVCTile.refusal(ofConfiguration: configurations[0], size: tile) {
        throw HEIFRefusal(reason)
      }
    }
    guard !items.haveAlpha(Set(numbers + [primary])) else {
      throw HEIFRefusal("it has alpha, with which a grid decodes as a whole")
    }
    var tiles: [Range<Int>] = []
    tiles.reserveCapacity(numbers.count)
    for number in numbers { tiles.append(try items.range(of: number, in: file)) }
    self.tiles = tiles
  }

  /// Returns the number of the primary item; throws unless it is a grid that libvips shows.
  private static func primary(of items: HEIFItems) throws(HEIFRefusal) -> Int {
    guard let primary = items.primary, let item = items.items[primary] else {
      throw HEIFRefusal("it lacks a primary item")
    }
    guard !item.isProtected else { throw HEIFRefusal("it is protected") }
    switch item.type {
    case "grid": break
    case "iden": throw HEIFRefusal("it is derived from another item, which decodes as a whole")
    case "iovl": throw HEIFRefusal("it is an overlay of other items")
    default: throw HEIFRefusal("it is one coded item, which decodes as a whole")
    }
    // libheif (1.15) assigns such items to others, and libvips then shows another item.
    let isCompanion = items.references.contains {
      ["thmb", "auxl"].contains($0.type) && $0.source == primary
    }
    guard !isCompanion else { throw HEIFRefusal("its primary item belongs to another one") }
    return primary
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
    guard !properties.contains(where: { ["irot", "imir", "clap"].contains($0.type) }) else {
      throw HEIFRefusal("its tiles are turned or cut one by one")
    }
    return (codec, try items.imageSize(of: first), properties)
  }

  /// Whether the decoded size of a tile is the one in the tables.
  func isOfSize(coded: [UInt8]) -> Bool {
    switch codec {
    case .hevc: HEVCTile.isOfSize(tile, coded: coded)
    case .av1: AV1Tile.isOfSize(tile, coded: coded)
    }
  }
}

// MARK: Orientation

extension HEIFGrid {
  /// Returns the transform that the properties of a grid's item make up, in their order.
  private static func orientation(
    of properties: [HEIFItems.Property]
  ) throws(HEIFRefusal) -> Orientation {
    var orientation = Orientation.up
    for property in properties {
      var content = property.content
      switch property.type {
      case "irot":
        // Counterclockwise quarter turns.
        let turns: [Orientation] = [.up, .left, .down, .right]
        orientation = orientation.followed(by: turns[try content.number(1) & 3])
      case "imir":
        // ISO/IEC 23008-12:2022 and libheif: 1 swaps left and right.
        let isHorizontal = try content.number(1) & 1 == 1
        orientation = orientation.followed(by: isHorizontal ? .upMirrored : .downMirrored)
      case "clap": throw HEIFRefusal("its grid is cropped, and decodes as a whole")
      default: break
      }
    }
    return orientation
  }

  /// Returns the part of the grid that a region of the picture shows.
  func region(of stored: PixelRegion) throws(GeometryError) -> PixelRegion {
    try orientation.storedRegion(forUpright: stored, storedSize: size)
  }
}

extension HEIFItems {
  func imageSize(of id: Int) throws(HEIFRefusal) -> PixelSize {
    let sizes = try properties(of: id).filter { $0.type == "ispe" }
    guard sizes.count == 1 else { throw HEIFRefusal("item \(id) lacks a size, or has two") }
    var reader = sizes[0].content
    // Version and flags.
    guard try reader.number(4) >> 24 == 0 else {
      throw HEIFRefusal("item \(id) has a size of an unknown version")
    }
    let size = try Self.size(&reader, 4)
    try reader.assertAtEnd("ispe")
    return size
  }

  /// Reads a width and a height of `count` bytes each.
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

extension Orientation {
  /// Returns the orientation whose transform is this one's and then another's.
  fileprivate func followed(by other: Orientation) -> Orientation {
    // Turning after mirroring is turning the other way before it.
    let turns =
      quarterTurnsClockwise
      + (mirrorsHorizontally ? 4 - other.quarterTurnsClockwise : other.quarterTurnsClockwise)
    let mirrors = mirrorsHorizontally != other.mirrorsHorizontally
    return Self.allCases.first {
      $0.quarterTurnsClockwise == turns % 4 && $0.mirrorsHorizontally == mirrors
    } ?? .up
  }
}
