/// The DC values that an MCU is coded against, one a component.
typealias Predictors = SIMD4<Int32>

/// A place in a scan where reading can begin as if all before it had been read.
///
/// (Android's JPEG fork of 2010 and Windows' WIC keep the same state in memory; Lepton one for each
/// thread.)
struct EntryPoint: Sendable, Hashable {
  /// The MCU that begins there, counted from 0 in scan order.
  let mcu: Int
  /// Its first bit: the byte's offset in the file times 8, and 0 for the byte's highest bit.
  ///
  /// Behind the restart marker where one stands before the MCU.
  let bit: Int
  /// What its DC values are coded against.
  let predictors: Predictors
}

/// All entry points of a JPEG's only scan, as a sidecar holds them.
///
/// Points lie `spacing` MCUs apart, whatever the rows: the place of each in `records` follows from
/// its MCU.
struct SeekIndex: Sendable, Hashable {
  /// MCUs from one point to the next.
  let spacing: Int
  /// Components of the scan, 1...4.
  let componentCount: Int
  /// MCUs of the whole picture.
  let mcuCount: Int
  /// One record a point: 6 bytes for `bit`, 2 for each predictor, all little endian.
  let records: [UInt8]
  /// The first byte behind the coded data, in the file.
  let scanEnd: Int

  /// Takes a complete index.
  ///
  /// - Returns: nil when it cannot be one: points are missing or too many, the first is not where the
  ///   scan begins, or their places do not ascend inside the scan.
  init?(
    spacing: Int, componentCount: Int, mcuCount: Int, codedStart: Int, scanEnd: Int,
    records: [UInt8]
  ) {
    guard spacing > 0, (1...4).contains(componentCount), mcuCount > 0,
      (0...Self.greatestOffset).contains(codedStart), (0...Self.greatestOffset).contains(scanEnd)
    else { return nil }
    self.spacing = spacing
    self.componentCount = componentCount
    self.mcuCount = mcuCount
    self.records = records
    self.scanEnd = scanEnd
    // Divided, not multiplied: hostile numbers cannot overflow.
    guard records.count % recordSize == 0, pointCount == (mcuCount - 1) / spacing + 1,
      let first = point(at: 0), first.bit == codedStart * 8, first.predictors == .zero
    else { return nil }
    var last = -1
    for number in 0..<pointCount {
      let bit = Self.bit(of: records, at: number * recordSize)
      guard bit > last, bit < scanEnd * 8 else { return nil }
      last = bit
    }
  }

  /// Bytes of a record.
  var recordSize: Int { Self.recordSize(componentCount) }

  /// Bytes of a record for so many components.
  static func recordSize(_ componentCount: Int) -> Int { 6 + 2 * componentCount }

  /// Six bytes hold a bit position up to here: 32 terabytes.
  static let greatestOffset = 1 << 45 - 1

  /// How many points there are.
  var pointCount: Int { records.count / recordSize }

  /// A point by its number; nil when there is none.
  func point(at number: Int) -> EntryPoint? {
    guard number >= 0, number < pointCount else { return nil }
    return Self.point(of: records, at: number * recordSize, mcu: number * spacing, componentCount)
  }

  // MARK: Records

  /// The bit position in a record that begins at an offset.
  static func bit(of records: [UInt8], at offset: Int) -> Int {
    var bit = 0
    for place in 0..<6 { bit |= Int(records[offset + place]) << (8 * place) }
    return bit
  }

  /// The point in a record.
  static func point(
    of records: [UInt8], at offset: Int, mcu: Int, _ componentCount: Int
  ) -> EntryPoint {
    var predictors = Predictors.zero
    for component in 0..<componentCount {
      let low = UInt16(records[offset + 6 + 2 * component])
      let high = UInt16(records[offset + 7 + 2 * component])
      predictors[component] = Int32(Int16(bitPattern: high << 8 | low))
    }
    return EntryPoint(mcu: mcu, bit: bit(of: records, at: offset), predictors: predictors)
  }

  /// Writes a point's record.
  /// - Returns: false, and nothing is written, when a predictor is greater than any valid picture's.
  static func write(
    _ point: EntryPoint, into records: inout [UInt8], at offset: Int, _ componentCount: Int
  ) -> Bool {
    precondition(point.bit >> 3 <= greatestOffset)
    for component in 0..<componentCount
    where Int16(exactly: point.predictors[component]) == nil { return false }
    for place in 0..<6 {
      records[offset + place] = UInt8(truncatingIfNeeded: point.bit >> (8 * place))
    }
    for component in 0..<componentCount {
      let value = point.predictors[component]
      records[offset + 6 + 2 * component] = UInt8(truncatingIfNeeded: value)
      records[offset + 7 + 2 * component] = UInt8(truncatingIfNeeded: value >> 8)
    }
    return true
  }
}

/// Entry points that become known in any order.
struct PointTable: Sendable {
  let spacing: Int
  let componentCount: Int
  let mcuCount: Int
  /// Records as in `SeekIndex`, `pointsPerBlock` of them each; empty where none is known.
  ///
  /// A bit position of 0, where no scan can begin, stands for a point that is not known.
  private var blocks: [[UInt8]]

  init(spacing: Int, componentCount: Int, mcuCount: Int) {
    self.spacing = spacing
    self.componentCount = componentCount
    self.mcuCount = mcuCount
    blocks = Array(repeating: [], count: (mcuCount - 1) / spacing / SeekIndex.pointsPerBlock + 1)
  }

  var pointCount: Int { (mcuCount - 1) / spacing + 1 }
  private var recordSize: Int { SeekIndex.recordSize(componentCount) }

  /// A point by its number; nil when it is not known, or there is none.
  func point(at number: Int) -> EntryPoint? {
    guard number >= 0, number < pointCount else { return nil }
    let block = blocks[number / SeekIndex.pointsPerBlock]
    guard !block.isEmpty else { return nil }
    let offset = number % SeekIndex.pointsPerBlock * recordSize
    guard SeekIndex.bit(of: block, at: offset) != 0 else { return nil }
    return SeekIndex.point(of: block, at: offset, mcu: number * spacing, componentCount)
  }

  /// Adds a point at a multiple of `spacing`.
  /// - Returns: false when no record can hold it.
  mutating func insert(_ point: EntryPoint) -> Bool {
    let number = point.mcu / spacing
    precondition(point.mcu % spacing == 0 && number < pointCount && point.bit > 0)
    let block = number / SeekIndex.pointsPerBlock
    if blocks[block].isEmpty {
      let count = min(SeekIndex.pointsPerBlock, pointCount - block * SeekIndex.pointsPerBlock)
      blocks[block] = [UInt8](repeating: 0, count: count * recordSize)
    }
    return SeekIndex.write(
      point, into: &blocks[block], at: number % SeekIndex.pointsPerBlock * recordSize,
      componentCount)
  }

  /// Adds a whole block.
  mutating func insert(_ records: [UInt8], asBlock block: Int) { blocks[block] = records }

  /// The blocks that hold points.
  func blocks(of numbers: ClosedRange<Int>) -> ClosedRange<Int> {
    numbers.lowerBound / SeekIndex.pointsPerBlock...numbers.upperBound / SeekIndex.pointsPerBlock
  }

  /// Whether anything is known of a block.
  func isKnown(block: Int) -> Bool { !blocks[block].isEmpty }

  /// All records, one behind the other.
  var records: [UInt8] { blocks.flatMap(\.self) }
}
