extension BaselineJPEG {
  /// What the block coder feeds: a bit writer, or a counter that prepares optimised tables.
  protocol SymbolSink {
    /// A Huffman symbol and the bits that follow it.
    ///
    /// - Parameters:
    ///   - slot: 256 times the table number plus the symbol.
    ///   - extra: The additional bits, right-aligned, nothing above them.
    ///   - extraLength: Number of additional bits, 0...11.
    mutating func symbol(_ slot: Int, extra: UInt32, extraLength: Int)

    /// A restart marker with the number 0...7.
    mutating func restart(_ number: Int)
  }

  /// Counts how often each symbol of each table occurs.
  struct SymbolCounter: SymbolSink {
    var counts: [Int]

    init(tableCount: Int) {
      counts = Array(repeating: 0, count: tableCount * 256)
    }

    mutating func symbol(_ slot: Int, extra: UInt32, extraLength: Int) {
      counts[slot] += 1
    }

    mutating func restart(_ number: Int) {}
  }

  /// Packs codes into bytes, most significant bit first, with a zero byte stuffed after each 0xFF
  /// (T.81 F.1.2.3).
  ///
  /// It writes without bounds checks. Whoever makes one provides `blockCapacity` bytes for each
  /// block and `restartCapacity` for each restart marker that will be written.
  struct BitWriter: SymbolSink {
    /// 64 symbols of at most 27 bits, every byte stuffed, plus what the accumulator holds.
    static let blockCapacity = 2 * (64 * 27 / 8) + 16

    /// Accumulator, fill bytes and marker.
    static func restartCapacity(fillBytes: Int) -> Int { 18 + fillBytes }

    private let codes: UnsafePointer<UInt32>
    private let base: UnsafeMutablePointer<UInt8>
    private let fillBytes: Int
    private var accumulator: UInt64 = 0
    private var pending = 0
    /// Bytes written so far.
    private(set) var count = 0

    /// - Parameters:
    ///   - codes: Packed codes, 256 a table; must outlive the writer, as must `output`.
    ///   - output: Memory of the promised capacity.
    ///   - fillBytes: Number of 0xFF bytes before a restart marker.
    init(
      codes: UnsafePointer<UInt32>, output: UnsafeMutablePointer<UInt8>, fillBytes: Int
    ) {
      self.codes = codes
      base = output
      self.fillBytes = fillBytes
    }

    /// Forgets the bytes written so far; pending bits stay.
    mutating func rewind() {
      count = 0
    }

    @inline(__always)
    mutating func symbol(_ slot: Int, extra: UInt32, extraLength: Int) {
      let packed = codes[slot]
      let length = Int(packed & 31) &+ extraLength
      let bits = UInt64(packed &>> 5) &<< UInt64(extraLength) | UInt64(extra)
      accumulator = accumulator &<< UInt64(length) | bits
      pending &+= length
      if pending >= 32 { spill() }
    }

    /// Writes the oldest 32 of the pending bits.
    @inline(__always)
    private mutating func spill() {
      pending &-= 32
      let word = UInt32(truncatingIfNeeded: accumulator &>> UInt64(pending))
      // The usual test for a zero byte, of the complement: nonzero if any byte is 0xFF.
      if (~word &- 0x0101_0101) & word & 0x8080_8080 == 0 {
        UnsafeMutableRawPointer(base + count).storeBytes(of: word.bigEndian, as: UInt32.self)
        count &+= 4
      } else {
        for shift: UInt32 in [24, 16, 8, 0] {
          stuffed(UInt8(truncatingIfNeeded: word &>> shift))
        }
      }
    }

    private mutating func stuffed(_ byte: UInt8) {
      base[count] = byte
      count &+= 1
      if byte == 0xFF {
        base[count] = 0
        count &+= 1
      }
    }

    /// Pads the pending bits with ones to a byte (T.81 F.1.2.3) and writes them.
    mutating func flush() {
      while pending >= 8 {
        pending -= 8
        stuffed(UInt8(truncatingIfNeeded: accumulator &>> UInt64(pending)))
      }
      if pending > 0 {
        let padding: UInt64 = 0xFF &>> UInt64(pending)
        stuffed(UInt8(truncatingIfNeeded: accumulator &<< UInt64(8 - pending) | padding))
        pending = 0
      }
    }

    mutating func restart(_ number: Int) {
      flush()
      for _ in 0..<fillBytes {
        base[count] = 0xFF
        count &+= 1
      }
      base[count] = 0xFF
      base[count + 1] = 0xD0 + UInt8(number)
      count &+= 2
    }
  }
}
