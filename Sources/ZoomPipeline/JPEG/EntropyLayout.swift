/// Which tables code which blocks of an MCU, for a JPEG of one interleaved scan.
struct EntropyLayout: Sendable, Hashable {
  /// One 8x8 block of an MCU, in coding order.
  struct Block: Sendable, Hashable {
    let component: Int
    let dc: Int
    let ac: Int
    /// Whether it is its component's first in the MCU: its DC refers to the MCU before.
    let isFirst: Bool
  }

  let blocks: [Block]
  let dcTables: [EntropyTable]
  let acTables: [EntropyTable]
  /// The DC tables' `differences`, one table behind the other.
  let differences: [UInt16]
  /// The AC tables' `steps`, one table behind the other.
  let steps: [EntropyStep]
  let componentCount: Int
  /// By which number the scan names the DC table of each component.
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
    var blocks: [Block] = []
    var dcTables: [EntropyTable] = []
    var acTables: [EntropyTable] = []
    for (number, component) in jpeg.components.enumerated() {
      guard let dcTable = dc[selectors[number] >> 4], let acTable = ac[selectors[number] & 15]
      else { return nil }
      dcTables.append(dcTable)
      acTables.append(acTable)
      // A scan of one component has one block an MCU, whatever the factors (T.81, A.2.2).
      let count = jpeg.components.count == 1 ? 1 : component.horizontal * component.vertical
      for block in 0..<count {
        blocks.append(Block(component: number, dc: number, ac: number, isFirst: block == 0))
      }
    }
    self.blocks = blocks
    self.dcTables = dcTables
    self.acTables = acTables
    differences = dcTables.flatMap(\.differences)
    steps = acTables.flatMap(\.steps)
    componentCount = jpeg.components.count
    dcNumbers = selectors.map { $0 >> 4 }
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
      case 0: dc[kind & 15] = table
      case 1: ac[kind & 15] = table
      default: return false
      }
      rest = rest.dropFirst(17 + total)
    }
    return true
  }
}
