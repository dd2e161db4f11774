/// The DC values that an MCU is coded against, one per component.
typealias Predictors = SIMD4<Int32>

extension Predictors {
  @inline(__always)
  mutating func withNumbers<Result>(_ body: (UnsafeMutablePointer<Int32>) -> Result) -> Result {
    unsafe withUnsafeMutablePointer(to: &self) { vector in
      unsafe vector.withMemoryRebound(to: Int32.self, capacity: 4) { unsafe body($0) }
    }
  }
}

/// A position in a scan at which decoding can start, with the state that it needs.
///
/// Android's JPEG fork (2010), Windows' WIC and Lepton (for each thread) keep the same state.
struct EntryPoint: Sendable, Hashable {
  /// The number of the MCU in scan order, from 0.
  let mcu: Int
  /// Its first bit, after any restart marker: the byte's offset times 8, plus 0 for the highest
  /// bit.
  let bit: Int
  let predictors: Predictors
}

/// All entry points of a JPEG's only scan, as a sidecar stores them: every `spacing` MCUs.
struct SeekIndex: Sendable, Hashable {
  let spacing: Int
  let componentCount: Int
  let mcuCount: Int
  /// One record per point: 6 bytes for `bit`, 2 for each predictor, all little endian.
  let records: [UInt8]
  /// The offset of the first byte after the coded data, in the file.
  let scanEnd: Int

  /// Creates a complete index; nil if the records cannot be one.
  ///
  /// Points must not be missing or too many, the first must be at the start of the scan, and the
  /// positions must ascend inside the scan.
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
    // Divides instead of multiplying, so that hostile numbers cannot overflow.
    guard records.count % recordSize == 0, pointCount == (mcuCount - 1) / spacing + 1,
      let first = point(at: 0), first.bit == codedStart * 8, first.predictors == .zero,
      Self.ascend(records, recordSize, from: codedStart, to: scanEnd)
    else { return nil }
  }

  /// Whether the positions of records ascend inside a range of bytes.
  static func ascend(_ records: [UInt8], _ recordSize: Int, from start: Int, to end: Int) -> Bool {
    var last = start * 8 - 1
    for place in stride(from: 0, to: records.count, by: recordSize) {
      let bit = records.integer(at: place, byteCount: 6)
      guard bit > last, bit < end * 8 else { return false }
      last = bit
    }
    return true
  }

  /// The number of points that are stored, checked and kept together: 3 KB for three components.
  static let pointsPerBlock = 256

  var recordSize: Int { Self.recordSize(componentCount) }

  static func recordSize(_ componentCount: Int) -> Int { 6 + 2 * componentCount }

  /// The greatest byte offset whose bit positions fit six bytes: 32 tebibytes.
  static let greatestOffset = 1 << 45 - 1

  var pointCount: Int { records.count / recordSize }

  /// The offset of the first coded byte, in the file.
  var codedStart: Int { records.integer(at: 0, byteCount: 6) / 8 }

  /// The records in blocks of points.
  var blocks: [[UInt8]] {
    let byteCount = Self.pointsPerBlock * recordSize
    return stride(from: 0, to: records.count, by: byteCount).map {
      Array(records[$0..<min($0 + byteCount, records.count)])
    }
  }

  func point(at number: Int) -> EntryPoint? {
    guard number >= 0, number < pointCount else { return nil }
    return Self.point(of: records, at: number * recordSize, mcu: number * spacing, componentCount)
  }

  // MARK: Records

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
  /// - Returns: False, without writing, when a predictor exceeds 16 bits, as in no valid picture.
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

/// A table of entry points, which can be added in any order.
struct PointTable: Sendable {
  let spacing: Int
  let componentCount: Int
  let mcuCount: Int
  /// Blocks of records as in `SeekIndex`; empty, or with a bit of 0, where points are unknown.
  private var blocks: [[UInt8]]

  init(spacing: Int, componentCount: Int, mcuCount: Int) {
    self.spacing = spacing
    self.componentCount = componentCount
    self.mcuCount = mcuCount
    blocks = Array(repeating: [], count: (mcuCount - 1) / spacing / SeekIndex.pointsPerBlock + 1)
  }

  var pointCount: Int { (mcuCount - 1) / spacing + 1 }
  private var recordSize: Int { SeekIndex.recordSize(componentCount) }

  func point(at number: Int) -> EntryPoint? {
    guard number >= 0, number < pointCount else { return nil }
    let block = blocks[number / SeekIndex.pointsPerBlock]
    guard !block.isEmpty else { return nil }
    let offset = number % SeekIndex.pointsPerBlock * recordSize
    let point = SeekIndex.point(of: block, at: offset, mcu: number * spacing, componentCount)
    return point.bit == 0 ? nil : point
  }

  /// Adds a point at a multiple of `spacing`.
  /// - Returns: False if a record cannot hold it.
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

  /// Returns the blocks of a range of points in which all points are unknown.
  func unknownBlocks(of numbers: ClosedRange<Int>) -> [Int] {
    let last = min(numbers.upperBound, pointCount - 1)
    return (numbers.lowerBound / SeekIndex.pointsPerBlock...last / SeekIndex.pointsPerBlock)
      .filter { blocks[$0].isEmpty }
  }

  var records: [UInt8] { blocks.flatMap(\.self) }
}
