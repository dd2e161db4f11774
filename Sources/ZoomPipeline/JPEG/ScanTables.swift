internal import SystemPackage

/// The Huffman tables of a JPEG's only scan, laid out for fast skipping of codes.
///
/// An entropy pass spends most of its time on look-ups that depend on each other, so each look-up
/// takes as many codes as fit `acBits` bits. The memory is written only by the initialiser and
/// freed with the last reference: hence `@unchecked Sendable`.
@safe final class ScanTables: @unchecked Sendable {
  /// A block of an MCU.
  struct Block {
    let component: Int
    /// The indices of its tables in `dcTables` and `acTables`.
    let dc: Int
    let ac: Int
    /// The indices in `lookups` at which these tables begin.
    fileprivate let dcStart: Int
    fileprivate let acStart: Int
  }

  /// The blocks of an MCU in coding order.
  let blocks: [Block]
  let dcTables: [HuffmanTable]
  let acTables: [HuffmanTable]
  /// The number by which the scan refers to each of `dcTables`.
  let dcNumbers: [UInt8]
  private let lookups: UnsafeMutablePointer<UInt16>
  /// The same blocks as plain memory.
  private let places: UnsafeMutablePointer<Block>

  private static let dcBits = HuffmanTable.fastBits
  /// The number of bits of an AC look-up: on photographs, 11 are 5 % slower and 13 gain 1 %.
  ///
  /// With 12 bits the tables of luma and chroma take 16 KB of the first-level cache.
  private static let acBits = 12
  /// The maximum number of bits that an AC look-up takes: a third of the 57 bits of a load.
  private static let mostLookupBits = 19

  /// The maximum length of an MCU without stuffing, in bytes, with a margin for 8-byte loads.
  ///
  /// Each of its blocks has a DC code of 27 bits and 63 AC codes of 31 bits.
  static let mostMCUBytes = JPEGStructure.mostBlocksPerMCU * (27 + 63 * 31) / 8 + 16

  fileprivate static let endOfBlock = 128
  fileprivate static let noLookup = 64

  /// Returns the number of magnitude bits and of coefficients of an AC code (T.81, F.1.2.2).
  ///
  /// The result is nil for the end of a block and for invalid values.
  fileprivate static func step(_ value: UInt8) -> (size: Int, coefficients: Int)? {
    let (run, size) = (Int(value >> 4), Int(value & 15))
    return size != 0 || run == 15 ? (size, run + 1) : nil
  }

  /// Creates the tables from the headers that a decoder would get.
  /// - Throws: `unsupported` when a table is missing or invalid; a decoder may still accept it.
  init(_ jpeg: JPEGStructure, of file: FilePath) throws(PipelineError) {
    let refused = PipelineError.refusal(
      "index", file, "a Huffman table is missing or makes no sense")
    // By class and number: 0x00... for DC, 0x10... for AC (T.81, B.2.4.2).
    var tables: [UInt8: HuffmanTable] = [:]
    for segment in jpeg.segments where segment.code == 0xC4 {
      let isValid = segment.readTables { head, table in
        let values = Array(table.dropFirst(16))
        // DC values above 15 are not valid numbers of magnitude bits: decoders reject the table.
        guard head < 0x20, head >= 0x10 || values.allSatisfy({ $0 <= 15 }),
          let made = HuffmanTable(counts: Array(table.prefix(16)), values: values)
        else { return false }
        tables[head] = made
        return true
      }
      guard isValid else { throw refused }
    }
    guard let scan = jpeg.segments.last?.body, scan.count == 4 + 2 * jpeg.components.count,
      jpeg.blocksPerMCU <= JPEGStructure.mostBlocksPerMCU
    else { throw refused }
    let selectors = jpeg.components.indices.map { scan[2 + 2 * $0] }
    // Components share tables; the chroma components nearly always do.
    let dcNumbers = Set(selectors.map { $0 >> 4 }).sorted()
    let acNumbers = Set(selectors.map { $0 & 15 }).sorted()
    let dcTables = dcNumbers.compactMap { tables[$0] }
    let acTables = acNumbers.compactMap { tables[0x10 | $0] }
    guard dcTables.count == dcNumbers.count, acTables.count == acNumbers.count else {
      throw refused
    }
    var blocks: [Block] = []
    for (number, component) in jpeg.components.enumerated() {
      guard let dc = dcNumbers.firstIndex(of: selectors[number] >> 4),
        let ac = acNumbers.firstIndex(of: selectors[number] & 15)
      else { throw refused }
      // A scan of one component has one block per MCU, whatever the sampling factors (T.81, A.2.2).
      let count = jpeg.components.count == 1 ? 1 : component.horizontal * component.vertical
      let block = Block(
        component: number, dc: dc, ac: ac, dcStart: dc << Self.dcBits,
        acStart: dcTables.count << Self.dcBits + ac << Self.acBits)
      blocks += repeatElement(block, count: count)
    }
    self.blocks = blocks
    self.dcTables = dcTables
    self.acTables = acTables
    self.dcNumbers = dcNumbers
    // A DC entry is 0 if the code is longer than the prefix, or invalid.
    let dcLookups = dcTables.flatMap(\.fast).map {
      $0 & 0xFF <= HuffmanTable.mostDifferenceBits ? $0 : 0
    }
    let lookups = dcLookups + acTables.flatMap(Self.acLookups)
    unsafe self.lookups = .allocate(capacity: lookups.count)
    unsafe self.lookups.initialize(from: lookups, count: lookups.count)
    unsafe places = .allocate(capacity: blocks.count)
    unsafe places.initialize(from: blocks, count: blocks.count)
  }

  deinit {
    unsafe lookups.deallocate()
    unsafe places.deallocate()
  }

  /// Returns, for each prefix, the sum of the complete AC codes in it.
  ///
  /// The low five bits of an entry are the number of bits of these codes and their magnitudes, the
  /// others the number of coefficients. `endOfBlock` is added if the last code ends the block.
  /// `noLookup` marks prefixes whose first code is incomplete or invalid.
  ///
  /// Tables are built from the shortest prefixes up, because the rest of a prefix after its first
  /// code is looked up in the table of a shorter prefix.
  private static func acLookups(_ table: HuffmanTable) -> [UInt16] {
    var shorter: [[UInt16]] = []
    for width in 0...acBits {
      var all = [UInt16](repeating: UInt16(noLookup << 5), count: 1 << width)
      for code in table.all where code.length <= width {
        let rest = width - code.length
        let start = Int(code.bits) << rest
        guard code.value != 0 else {
          for spare in 0..<1 << rest {
            all[start + spare] = UInt16(code.length | endOfBlock << 5)
          }
          continue
        }
        guard let step = step(code.value), code.length + step.size <= mostLookupBits else {
          continue
        }
        let first = UInt16(code.length + step.size | step.coefficients << 5)
        // The bits that follow the magnitude; none if it reaches beyond the prefix.
        let left = max(0, rest - step.size)
        let following = left > 0 ? shorter[left] : [UInt16(noLookup << 5)]
        for place in 0..<1 << rest {
          all[start + place] = joined(first, following[place & (1 << left - 1)])
        }
      }
      shorter.append(all)
    }
    return shorter[acBits]
  }

  /// Returns one look-up that replaces two, if their sum is within the limits; else the first.
  private static func joined(_ first: UInt16, _ second: UInt16) -> UInt16 {
    let bits = first & 31 + second & 31
    let coefficients = first >> 5 + second >> 5
    return second & 31 == 0 || bits > mostLookupBits
      || coefficients & UInt16(endOfBlock - 1) > 63
      ? first : bits | coefficients << 5
  }

  /// The tables as plain memory, valid during the lifetime of this object.
  @inline(__always) var walk: Walk {
    unsafe Walk(
      places: places, placeCount: blocks.count, lookups: lookups,
      tables: Unmanaged.passUnretained(self))
  }
}

extension ScanTables {
  /// A parser that skips coded bits and follows only lengths and DC values.
  ///
  /// It reads without bounds checks: each call must begin inside the data, which `mostMCUBytes`
  /// readable bytes must follow. Irregular data ends the parse, because decoders differ in how they
  /// handle it.
  @unsafe struct Walk {
    fileprivate let places: UnsafeMutablePointer<Block>
    fileprivate let placeCount: Int
    fileprivate let lookups: UnsafeMutablePointer<UInt16>
    fileprivate let tables: Unmanaged<ScanTables>

    /// Skips an MCU in data without stuffing; advances `position` and updates the predictors.
    ///
    /// `note` is called with each block's number and the positions of its codes and its AC codes.
    /// - Returns: Whether the bits are valid codes; if not, position and predictors are undefined.
    @inline(__always)
    func mcu(
      _ data: UnsafeRawPointer, _ position: inout Int, _ predictors: UnsafeMutablePointer<Int32>,
      note: (_ block: Int, _ start: Int, _ ac: Int) -> Void = { _, _, _ in }
    ) -> Bool {
      for number in unsafe 0..<placeCount {
        let place = unsafe places[number]
        let start = position
        var bits = unsafe data.word(at: position)
        let prefix = Int(truncatingIfNeeded: bits &>> UInt64(64 - ScanTables.dcBits))
        let entry = unsafe Int(lookups[place.dcStart &+ prefix])
        var (length, size) = (entry &>> 8, entry & 0xFF)
        if entry == 0 {
          let symbol = unsafe tables._withUnsafeGuaranteedRef {
            $0.dcTables[place.dc].symbol(atTopOf: bits)
          }
          (length, size) = (symbol.codeLength, Int(symbol.value))
          guard length > 0, size <= HuffmanTable.mostDifferenceBits else { return false }
        }
        // Two shifts, because a single shift by 64, for no magnitude bits, would not shift.
        bits = bits &<< UInt64(truncatingIfNeeded: length)
        let magnitude = Int32(
          truncatingIfNeeded: (bits &>> 1) &>> UInt64(truncatingIfNeeded: 63 &- size))
        // A leading 0 marks a negative number (T.81, F.2.2.1, EXTEND).
        let offset = (1 &<< Int32(truncatingIfNeeded: size)) &- 1
        unsafe predictors[place.component] &+= magnitude &- (bits &>> 63 == 0 ? offset : 0)
        position &+= length &+ size
        note(number, start, position)
        bits = bits &<< UInt64(size)
        guard unsafe coefficients(place.acStart, data, &position, bits, length &+ size) else {
          return false
        }
      }
      return true
    }

    /// Skips the AC codes of a block; `bits` starts at `position`, with `used` of 57 bits consumed.
    @inline(__always)
    private func coefficients(
      _ table: Int, _ data: UnsafeRawPointer, _ position: inout Int, _ bits: UInt64, _ used: Int
    ) -> Bool {
      var bits = bits
      var count = 1
      let lookups = unsafe lookups + table
      if used > 57 - 2 * ScanTables.mostLookupBits { bits = unsafe data.word(at: position) }
      // Two look-ups per load: a third would wait as long as loading the next bits does.
      while true {
        for _ in 0..<2 {
          let entry = unsafe Int(
            lookups[Int(truncatingIfNeeded: bits &>> UInt64(64 - ScanTables.acBits))])
          let taken = entry & 31
          let next = count &+ entry &>> 5
          if next >= 64 {
            // The last coefficient, or an end of block after valid coefficients.
            if next == 64 || (next > ScanTables.endOfBlock && next < ScanTables.endOfBlock + 64) {
              position &+= taken
              return true
            }
            // The look-up included codes of the next block, or the code is too long for it.
            guard unsafe single(table, data, &position, &count) else { return false }
            if count == 64 { return true }
            break
          }
          count = next
          position &+= taken
          bits = bits &<< UInt64(truncatingIfNeeded: taken)
        }
        bits = unsafe data.word(at: position)
      }
    }

    /// Skips only the next code; a count of 64 is the block's end.
    @inline(never)
    private func single(
      _ table: Int, _ data: UnsafeRawPointer, _ position: inout Int, _ count: inout Int
    ) -> Bool {
      let symbol = unsafe tables._withUnsafeGuaranteedRef { tables in
        let number = (table - tables.dcTables.count << ScanTables.dcBits) >> ScanTables.acBits
        return unsafe tables.acTables[number].symbol(atTopOf: data.word(at: position))
      }
      if symbol.codeLength > 0, symbol.value == 0 {
        position += symbol.codeLength
        count = 64
        return true
      }
      guard symbol.codeLength > 0, let step = ScanTables.step(symbol.value),
        count + step.coefficients <= 64
      else { return false }
      position += symbol.codeLength + step.size
      count += step.coefficients
      return true
    }
  }
}

extension UnsafeRawPointer {
  /// Returns 64 bits from a bit on; the first 57 or more are loaded, the rest are zeros.
  @inline(__always)
  func word(at position: Int) -> UInt64 {
    let raw = unsafe loadUnaligned(fromByteOffset: position &>> 3, as: UInt64.self)
    return UInt64(bigEndian: raw) &<< UInt64(truncatingIfNeeded: position & 7)
  }
}
