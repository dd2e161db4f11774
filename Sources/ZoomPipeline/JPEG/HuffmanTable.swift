/// A Huffman table of a JPEG (ITU-T T.81, Annex C).
struct HuffmanTable: Sendable {
  /// Codes up to this length take one look-up; longer ones are rare.
  static let fastBits = 10

  /// The length (high byte) and value of the code at the start of each prefix; 0 for longer codes.
  let fast: [UInt16]
  /// All codes, the shortest first.
  let all: [(bits: UInt32, length: Int, value: UInt8)]
  /// For each length, the first 16-bit prefix above its codes, and value index minus code.
  private let limits: [UInt32]
  private let offsets: [Int]

  /// Creates a table from the number of codes of each length 1...16 and their values in order; nil
  /// if these are not a valid prefix code.
  init?(counts: [UInt8], values: [UInt8]) {
    guard counts.count == 16, counts.reduce(0, { $0 + Int($1) }) == values.count,
      values.count <= 256
    else { return nil }
    var fast = [UInt16](repeating: 0, count: 1 << Self.fastBits)
    var limits = [UInt32](repeating: 0, count: 17)
    var offsets = [Int](repeating: 0, count: 17)
    var all: [(bits: UInt32, length: Int, value: UInt8)] = []
    var code: UInt32 = 0
    for length in 1...16 {
      let count = Int(counts[length - 1])
      // No code is all ones (T.81, C.2): decoders reject tables that have one.
      guard count == 0 || Int(code) + count < 1 << length else { return nil }
      offsets[length] = all.count - Int(code)
      for value in values.dropFirst(all.count).prefix(count) {
        all.append((code, length, value))
        if length <= Self.fastBits {
          let spare = Self.fastBits - length
          let start = Int(code) << spare
          for entry in start..<start + (1 << spare) {
            fast[entry] = UInt16(length) << 8 | UInt16(value)
          }
        }
        code += 1
      }
      limits[length] = code << UInt32(16 - length)
      code <<= 1
    }
    self.fast = fast
    self.limits = limits
    self.offsets = offsets
    self.all = all
  }

  /// Returns the length of the code at the top of bits, 0 if no code matches, and its value.
  ///
  /// The value is the number of magnitude bits for DC; the run and that number for AC (T.81,
  /// F.1.2).
  func symbol(atTopOf bits: UInt64) -> (codeLength: Int, value: UInt8) {
    let entry = fast[Int(bits >> UInt64(64 - Self.fastBits))]
    if entry != 0 { return (Int(entry >> 8), UInt8(entry & 0xFF)) }
    let top = UInt32(bits >> 48)
    for length in Self.fastBits + 1...16 where top < limits[length] {
      return (length, all[Int(top >> UInt32(16 - length)) + offsets[length]].value)
    }
    return (0, 0)
  }

  func code(of value: UInt8) -> (bits: UInt32, length: Int)? {
    all.last { $0.value == value }.map { ($0.bits, $0.length) }
  }
}

extension HuffmanTable {
  /// The maximum number of magnitude bits of a baseline DC difference (T.81, table F.1).
  static let mostDifferenceBits = 11

  /// A DC table with a code for every difference of a baseline JPEG (T.81, table K.3).
  ///
  /// Optimised tables of a picture may lack codes that a part of it needs.
  static let completeDifferences: HuffmanTable = {
    guard let table = HuffmanTable(counts: completeCounts, values: completeValues) else {
      preconditionFailure("table K.3 is a prefix code")
    }
    return table
  }()

  /// Returns segments that replace DC tables by `completeDifferences`.
  static func completeSegments(for numbers: [UInt8]) -> [JPEGSegment] {
    numbers.map { JPEGSegment(code: 0xC4, body: [$0] + completeCounts + completeValues) }
  }

  private static let completeCounts: [UInt8] = [0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0]
  private static let completeValues: [UInt8] = Array(0...11)
}
