/// The DC values that an MCU is coded against, one a component.
typealias Predictors = SIMD4<Int32>

extension Predictors {
  /// Lends the vector's memory, which is that of four numbers.
  @inline(__always)
  mutating func withNumbers<Result>(_ body: (UnsafeMutablePointer<Int32>) -> Result) -> Result {
    unsafe withUnsafeMutablePointer(to: &self) { vector in
      unsafe vector.withMemoryRebound(to: Int32.self, capacity: 4) { unsafe body($0) }
    }
  }
}

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
  let componentCount: Int
  let mcuCount: Int
  /// One record a point: 6 bytes for `bit`, 2 for each predictor, all little endian.
  let records: [UInt8]
  /// The first byte behind the coded data, in the file.
  let scanEnd: Int

  /// Takes a complete index; nil when it cannot be one: points are missing or too many, the first is not
  /// where the scan begins, or their places do not ascend inside the scan.
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
      let bit = records.integer(at: number * recordSize, byteCount: 6)
      guard bit > last, bit < scanEnd * 8 else { return nil }
      last = bit
    }
  }

  /// Points that are stored, checked and kept together: 3 KB of them, which a peek needs some of.
  static let pointsPerBlock = 256

  var recordSize: Int { Self.recordSize(componentCount) }

  /// Bytes of a record for so many components.
  static func recordSize(_ componentCount: Int) -> Int { 6 + 2 * componentCount }

  /// Six bytes hold a bit position up to here: 32 terabytes.
  static let greatestOffset = 1 << 45 - 1

  var pointCount: Int { records.count / recordSize }

  func point(at number: Int) -> EntryPoint? {
    guard number >= 0, number < pointCount else { return nil }
    return Self.point(of: records, at: number * recordSize, mcu: number * spacing, componentCount)
  }

  // MARK: Records

  /// The point in a record.
  static func point(
    of records: [UInt8], at offset: Int, mcu: Int, _ componentCount: Int
  ) -> EntryPoint {
    var predictors = Predictors.zero
    for component in 0..<componentCount {
      let value = records.integer(at: offset + 6 + 2 * component, byteCount: 2)
      predictors[component] = Int32(Int16(truncatingIfNeeded: value))
    }
    return EntryPoint(
      mcu: mcu, bit: records.integer(at: offset, byteCount: 6), predictors: predictors)
  }

  /// Writes a point's record.
  /// - Returns: false, and nothing is written, when a predictor is greater than any valid picture's.
  static func write(
    _ point: EntryPoint, into records: inout [UInt8], at offset: Int, _ componentCount: Int
  ) -> Bool {
    precondition(point.bit >> 3 <= greatestOffset)
    for component in 0..<componentCount
    where Int16(exactly: point.predictors[component]) == nil { return false }
    records.write(point.bit, at: offset, byteCount: 6)
    for component in 0..<componentCount {
      records.write(
        Int(point.predictors[component]), at: offset + 6 + 2 * component, byteCount: 2)
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
    let point = SeekIndex.point(of: block, at: offset, mcu: number * spacing, componentCount)
    return point.bit == 0 ? nil : point
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

  mutating func insert(_ records: [UInt8], asBlock block: Int) { blocks[block] = records }

  /// The blocks of points, as far as there are such, of which nothing is known.
  func unknownBlocks(of numbers: ClosedRange<Int>) -> [Int] {
    let last = min(numbers.upperBound, pointCount - 1)
    return (numbers.lowerBound / SeekIndex.pointsPerBlock...last / SeekIndex.pointsPerBlock)
      .filter { blocks[$0].isEmpty }
  }

  /// All records, one behind the other.
  var records: [UInt8] { blocks.flatMap(\.self) }
}
