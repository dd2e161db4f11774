internal import ZoomGeometry

/// The parts of a HEIF file that carving needs: the grids of its primary item and of its alpha.
struct HEIFLayout {
  let brands: [UInt8]
  let grid: HEIFGrid
  let alpha: HEIFGrid?

  /// The types of alpha in libheif (1.15); depth, gain maps and others do not change the pixels.
  private static let alphaTypes: Set<String> = [
    "urn:mpeg:avc:2015:auxid:1", "urn:mpeg:hevc:2015:auxid:1",
    "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha",
  ]

  /// Reads a file's tables; throws `unsupported` with the reason if it cannot be carved.
  init(_ source: some CodedSource) throws(PipelineError) {
    let file = try HEIFFile(source)
    do throws(HEIFRefusal) {
      let items = try HEIFItems(file.meta)
      guard let primary = items.primary, let item = items.items[primary] else {
        throw HEIFRefusal("it has no primary item")
      }
      try Self.assertGrid(item)
      // libheif (1.15) assigns such items to others, and libvips then shows another item.
      let isCompanion = items.references.contains {
        ["thmb", "auxl"].contains($0.type) && $0.source == primary
      }
      guard !isCompanion else { throw HEIFRefusal("its primary item belongs to another one") }
      let alphaID = try Self.alpha(of: primary, items)
      brands = file.brands
      grid = try HEIFGrid(primary, items, in: file, source)
      guard grid.tiles.count > 1 else {
        throw HEIFRefusal("its grid has one tile, which decodes as a whole")
      }
      alpha = try alphaID.map { id throws(HEIFRefusal) in
        try HEIFGrid(id, items, in: file, source)
      }
      guard alpha?.isAligned(with: grid) ?? true else {
        throw HEIFRefusal("its alpha is cut into other tiles, or turned in another way")
      }
      let tiles = Set(grid.tiles + (alpha?.tiles ?? []))
      guard Self.alphaReferences(items).allSatisfy({ tiles.isDisjoint(with: $0.targets) })
      else {
        throw HEIFRefusal("its tiles have alpha one by one")
      }
    } catch {
      throw source.refusal(error.reason)
    }
  }

  private static func assertGrid(_ item: HEIFItems.Item) throws(HEIFRefusal) {
    guard !item.isProtected else { throw HEIFRefusal("it is protected") }
    switch item.type {
    case "grid": break
    case "iden": throw HEIFRefusal("it is derived from another item, which decodes as a whole")
    case "iovl": throw HEIFRefusal("it is an overlay of other items")
    default: throw HEIFRefusal("it is one coded item, which decodes as a whole")
    }
  }

  private static func alpha(
    of primary: Int, _ items: HEIFItems
  ) throws(HEIFRefusal) -> Int? {
    let references = alphaReferences(items).filter { $0.targets.contains(primary) }
    guard let reference = references.first else { return nil }
    guard references.count == 1, reference.targets.count == 1, reference.source != primary else {
      throw HEIFRefusal("it has more than one alpha")
    }
    guard !items.references.contains(where: { $0.type == "prem" && $0.source == primary }) else {
      throw HEIFRefusal("its colours are multiplied by its alpha")
    }
    guard let item = items.items[reference.source], item.type == "grid", !item.isProtected else {
      throw HEIFRefusal("its alpha is one coded item, which decodes as a whole")
    }
    return reference.source
  }

  private static func alphaReferences(_ items: HEIFItems) -> [HEIFItems.Reference] {
    let references = items.references.filter { $0.type == "auxl" }
    let alphas = Set(references.map(\.source)).filter { source in
      !alphaTypes.isDisjoint(with: items.auxiliaryTypes(of: source))
    }
    return references.filter { alphas.contains($0.source) }
  }

  var grids: [HEIFGrid] { [grid] + (alpha.map { [$0] } ?? []) }
}
