internal import SystemPackage

/// Which tables code which blocks of an MCU, for a JPEG of one interleaved scan.
struct EntropyLayout: Sendable, Hashable {
  /// One 8x8 block of an MCU, in coding order.
  struct Block: Sendable, Hashable {
    let component: Int
    let dc: Int
    let ac: Int
  }

  let blocks: [Block]
  let dcTables: [EntropyTable]
  let acTables: [EntropyTable]
  /// The DC tables' `differences`, one table behind the other.
  let differences: [UInt16]
  /// The AC tables' `steps`, one table behind the other.
  let steps: [EntropyStep]
  let componentCount: Int
  /// By which number the scan names each of `dcTables`.
  let dcNumbers: [UInt8]

  /// Reads the tables out of the headers that a decoder would see.
  /// - Returns: nil when a table is missing or senseless; a decoder may know what to do then.
  init?(_ jpeg: JPEGStructure) {
    var dc: [UInt8: EntropyTable] = [:]
    var ac: [UInt8: EntropyTable] = [:]
    var scan: ArraySlice<UInt8> = []
    let header = jpeg.decoderHeader
    // The parser has checked each length; the segments stand one after the other behind SOI.
    var position = 2
    while position + 4 <= header.count {
      let length = Int(header[position + 2]) << 8 | Int(header[position + 3])
      let body = header[position + 4..<position + 2 + length]
      switch header[position + 1] {
      case 0xC4:
        guard Self.readTables(body, dc: &dc, ac: &ac) else { return nil }
      case 0xDA:
        scan = body
      default:
        break
      }
      position += 2 + length
    }
    guard scan.count == 4 + 2 * jpeg.components.count else { return nil }
    let selectors = jpeg.components.indices.map { scan[scan.startIndex + 2 + 2 * $0] }
    let dcNumbers = Set(selectors.map { $0 >> 4 }).sorted()
    let acNumbers = Set(selectors.map { $0 & 15 }).sorted()
    // Components share tables: those of the chroma nearly always do.
    let dcTables = dcNumbers.compactMap { dc[$0] }
    let acTables = acNumbers.compactMap { ac[$0] }
    guard dcTables.count == dcNumbers.count, acTables.count == acNumbers.count else { return nil }
    var blocks: [Block] = []
    for (number, component) in jpeg.components.enumerated() {
      guard let dcPlace = dcNumbers.firstIndex(of: selectors[number] >> 4),
        let acPlace = acNumbers.firstIndex(of: selectors[number] & 15)
      else { return nil }
      // A scan of one component has one block an MCU, whatever the factors (T.81, A.2.2).
      let count = jpeg.components.count == 1 ? 1 : component.horizontal * component.vertical
      let block = Block(component: number, dc: dcPlace, ac: acPlace)
      blocks += repeatElement(block, count: count)
    }
    self.blocks = blocks
    self.dcTables = dcTables
    self.acTables = acTables
    differences = dcTables.flatMap(\.differences)
    steps = acTables.flatMap(\.steps)
    componentCount = jpeg.components.count
    self.dcNumbers = dcNumbers
  }

  /// Reads the tables out of the headers.
  /// - Throws: `unsupported` when a table is missing or senseless.
  init(_ jpeg: JPEGStructure, of file: FilePath) throws(PipelineError) {
    guard let layout = EntropyLayout(jpeg) else {
      throw PipelineError(
        .unsupported, operation: "index", file: file,
        reason: "a Huffman table is missing or senseless")
    }
    self = layout
  }

  private static func readTables(
    _ body: ArraySlice<UInt8>, dc: inout [UInt8: EntropyTable], ac: inout [UInt8: EntropyTable]
  ) -> Bool {
    var rest = body
    while !rest.isEmpty {
      guard rest.count >= 17, let kind = rest.first else { return false }
      let counts = Array(rest.dropFirst().prefix(16))
      let total = counts.reduce(0) { $0 + Int($1) }
      guard rest.count >= 17 + total,
        let table = EntropyTable(
          counts: counts, values: Array(rest.dropFirst(17).prefix(total)))
      else { return false }
      switch kind >> 4 {
      case 0:
        // Beyond 15 there are no magnitudes: decoders refuse the table.
        guard rest.dropFirst(17).prefix(total).allSatisfy({ $0 <= 15 }) else { return false }
        dc[kind & 15] = table
      case 1: ac[kind & 15] = table
      default: return false
      }
      rest = rest.dropFirst(17 + total)
    }
    return true
  }
}
