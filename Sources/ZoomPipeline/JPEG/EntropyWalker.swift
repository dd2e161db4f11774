/// Steps through the coded MCUs of one restart segment without decoding a coefficient.
///
/// Only lengths are followed, and the DC predictors, which is all that cutting a row short needs.
/// Anything that a strict reader would not expect ends the walk: what a decoder makes of broken
/// data is its own affair, and the caller lets it.
struct EntropyWalker: ~Copyable {
  /// The coded bits came to an end, or are not codes of the tables.
  struct Irregular: Error {}

  private let layout: EntropyLayout
  /// The segment's bytes with the stuffing taken out, and zeros behind.
  let bytes: [UInt8]
  private let bitCount: Int
  /// The next bit.
  private(set) var position = 0
  /// The DC value that the next block of each component is coded against.
  private(set) var predictors: [Int32]

  /// One block may run on for 64 codes of at most 32 bits before its end is checked.
  private static let padding = 64 * 4 + 8

  /// Starts at a segment's first MCU.
  /// - Parameters:
  ///   - layout: the picture's Huffman tables.
  ///   - coded: the segment as the file has it, up to its marker.
  init(_ layout: EntropyLayout, coded: ArraySlice<UInt8>) {
    self.layout = layout
    predictors = [Int32](repeating: 0, count: layout.componentCount)
    let clean = ByteStuffing.removed(from: coded, padding: Self.padding)
    bytes = clean
    bitCount = (clean.count - Self.padding) * 8
  }

  /// Steps over MCUs.
  mutating func skip(_ count: Int) throws(Irregular) {
    for _ in 0..<count {
      for block in layout.blocks {
        try stepDC(block)
        try stepAC(block)
      }
    }
  }

  /// Steps over one MCU and tells where its parts are, so that it can be made a row's first.
  /// - Parameter visit: is given each block with its DC value, then the bit ranges of its DC and AC
  ///   codes.
  /// - Throws: `Irregular`, also when `visit` does.
  mutating func visit(
    _ visit: (EntropyLayout.Block, Int32, Range<Int>, Range<Int>) throws(Irregular) -> Void
  ) throws(Irregular) {
    for block in layout.blocks {
      let start = position
      try stepDC(block)
      let middle = position
      try stepAC(block)
      try visit(block, predictors[block.component], start..<middle, middle..<position)
    }
  }

  @inline(__always)
  private mutating func stepDC(_ block: EntropyLayout.Block) throws(Irregular) {
    let bits = BitSplice.word(at: position, of: bytes)
    let symbol = layout.dcTables[block.dc].symbol(atTopOf: bits)
    let size = Int(symbol.value)
    // Baseline DC differences have at most 11 magnitude bits (T.81, table F.1).
    guard symbol.codeLength > 0, size <= 11 else { throw Irregular() }
    if size > 0 {
      let behindCode = bits << UInt64(symbol.codeLength)
      let magnitude = Int32(truncatingIfNeeded: behindCode >> UInt64(64 - size))
      // A leading 0 marks a negative number (T.81, F.2.2.1, EXTEND).
      let isNegative = magnitude < 1 << Int32(size - 1)
      predictors[block.component] &+= isNegative ? magnitude - (1 << Int32(size)) + 1 : magnitude
    }
    position += symbol.codeLength + size
  }

  /// Steps over the AC codes of a block: the loop in which nearly all the time goes.
  ///
  /// It reads without bounds checks. It begins inside the data (checked after each block) and takes
  /// at most 63 codes of at most 31 bits, less than the padding behind the data.
  @inline(__always)
  private mutating func stepAC(_ block: EntropyLayout.Block) throws(Irregular) {
    let table = layout.acTables[block.ac]
    let start = position
    let end = unsafe bytes.withUnsafeBytes { data in
      unsafe layout.acSteps.withUnsafeBufferPointer { steps in
        let base = block.ac << EntropyTable.fastBits
        var position = start
        var index = 1
        while index < 64 {
          let raw = unsafe data.loadUnaligned(fromByteOffset: position >> 3, as: UInt64.self)
          let bits = UInt64(bigEndian: raw) << UInt64(position & 7)
          let step = unsafe steps[base + Int(bits >> UInt64(64 - EntropyTable.fastBits))]
          if step != 0 {
            position += Int(step & 0xFF)
            index += Int(step >> 8)
            continue
          }
          let symbol = table.symbol(atTopOf: bits)
          let size = Int(symbol.value & 15)
          let run = Int(symbol.value >> 4)
          guard symbol.codeLength > 0, size != 0 || run == 0 || run == 15 else { return -1 }
          position += symbol.codeLength + size
          index += size == 0 && run == 0 ? EntropyTable.endOfBlock : run + 1
        }
        // Neither full nor ended: a run went past the last coefficient, which no valid block does.
        return index == 64 || index > EntropyTable.endOfBlock ? position : -1
      }
    }
    guard end >= 0, end <= bitCount else { throw Irregular() }
    position = end
  }
}
