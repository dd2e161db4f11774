import PropertyTesting
import SystemPackage
import TestSupport
import ZoomGeometry

@testable import ZoomPipeline

/// Coded items, encoded by libvips one at a time, from which tests assemble grids.
struct CodedTiles: Sendable {
  /// The kinds of items, without 10-bit AV1, on which libaom (3.6) aborts under libheif (1.15).
  enum Kind: String, CaseIterable, Sendable {
    case hevc, av1, hevcDeep

    var suffix: String { self == .av1 ? "avif" : "heic" }
  }

  struct Item: Sendable {
    let properties: [HEIFItems.Property]
    let bytes: [UInt8]

    /// Reads the primary item of a file.
    init(of source: FileReader) throws {
      let file = try HEIFFile(source)
      let items = try HEIFItems(file.meta)
      let id = items.primary ?? 0
      properties = try items.properties(of: id)
      let place = try items.range(of: id, in: file)
      bytes = try source.bytes(at: place.lowerBound, count: place.count)
    }
  }

  let kind: Kind
  /// The brands of the files that libvips wrote.
  let brands: [UInt8]
  /// The item type: "hvc1" or "av01".
  let type: String
  let items: [Item]

  static let side = 64
  static let count = 12

  /// Returns the tiles of a kind; nil if libvips lacks an encoder for it.
  static func of(_ kind: Kind) -> CodedTiles? { made[kind] }

  private static let made: [Kind: CodedTiles] = {
    var made: [Kind: CodedTiles] = [:]
    for kind in Kind.allCases { made[kind] = try? CodedTiles(kind) }
    return made
  }()

  private init(_ kind: Kind) throws {
    self.kind = kind
    let folder = try TestFolder()
    var numbers = SplitMix64(seed: 5)
    var items: [Item] = []
    var brands: [UInt8] = []
    var type = ""
    for number in 0..<Self.count {
      let path = folder.path.appending("\(number).\(kind.suffix)")
      let depth = kind == .hevcDeep ? ",bitdepth=10" : ""
      try Image(try Self.pixels(kind, &numbers)).write(
        to: path, settings: "[effort=0,Q=60\(depth)]")
      let source = try FileReader(path)
      let file = try HEIFFile(source)
      let table = try HEIFItems(file.meta)
      brands = file.brands
      type = table.items[table.primary ?? 0]?.type ?? ""
      items.append(try Item(of: source))
    }
    (self.brands, self.type, self.items) = (brands, type, items)
  }

  /// Returns gradients with some noise, in another colour for each tile.
  private static func pixels(_ kind: Kind, _ numbers: inout SplitMix64) throws -> Pixels {
    let starts = (0..<3).map { _ in Int.random(in: 0...160, using: &numbers) }
    let slopes = (0..<3).map { _ in Int.random(in: -2...2, using: &numbers) }
    let pixels = try Pixels(width: side, height: side, bands: 3) { x, y, band in
      let noise = Int.random(in: -9...9, using: &numbers)
      return UInt8(clamping: starts[band] + slopes[band] * y + (x - y) / 2 + noise + 32)
    }
    guard kind == .hevcDeep else { return pixels }
    let bytes = pixels.bytes.flatMap { [UInt8.random(in: 0...255, using: &numbers), $0] }
    return try Pixels(side, side, 3, .uint16, .rgb16, bytes: bytes)
  }
}
