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
  var bit: Int
  let predictors: Predictors
}

/// The entry points of a JPEG's only scan, one every `spacing` MCUs, as far as they are known.
///
/// Points can be added in any order. A sidecar stores the same blocks.
struct SeekIndex: Sendable, Hashable {
  let spacing: Int
  let componentCount: Int
  let mcuCount: Int
  /// The offset of the first coded byte, in the file.
  let codedStart: Int
  /// The offset of the first byte after the coded data, in the file; `greatestOffset` if unknown.
  var scanEnd = SeekIndex.greatestOffset
  /// Blocks of records: 6 bytes for `bit`, 2 for each predictor, all little endian.
  ///
  /// Where points are unknown, a block is empty or the bit of a record is 0.
  private(set) var blocks: [[UInt8]]

  /// The number of points that are stored, checked and kept together: 3 KB for three components.
  static let pointsPerBlock = 256
  /// The greatest byte offset whose bit positions fit six bytes: 32 tebibytes.
  static let greatestOffset = 1 << 45 - 1

  static func recordSize(_ componentCount: Int) -> Int { 6 + 2 * componentCount }

  /// Creates an index without any known point.
  init(spacing: Int, componentCount: Int, mcuCount: Int, codedStart: Int) {
    self.spacing = spacing
    self.componentCount = componentCount
    self.mcuCount = mcuCount
    self.codedStart = codedStart
    blocks = Array(repeating: [], count: (mcuCount - 1) / spacing / Self.pointsPerBlock + 1)
  }

  var pointCount: Int { (mcuCount - 1) / spacing + 1 }
  private var recordSize: Int { Self.recordSize(componentCount) }

  /// Returns the point of a number; nil if it is unknown.
  func point(at number: Int) -> EntryPoint? {
    guard number >= 0, number < pointCount else { return nil }
    let block = blocks[number / Self.pointsPerBlock]
    guard !block.isEmpty else { return nil }
    let start = number % Self.pointsPerBlock * recordSize
    let bit = block.integer(at: start, byteCount: 6)
    guard bit != 0 else { return nil }
    var predictors = Predictors.zero
    for component in 0..<componentCount {
      let value = block.integer(at: start + 6 + 2 * component, byteCount: 2)
      predictors[component] = Int32(Int16(truncatingIfNeeded: value))
    }
    return EntryPoint(mcu: number * spacing, bit: bit, predictors: predictors)
  }

  /// Adds a point at a multiple of `spacing`.
  /// - Returns: False, without adding it, if a predictor exceeds 16 bits, as in no valid picture.
  mutating func insert(_ point: EntryPoint) -> Bool {
    let number = point.mcu / spacing
    precondition(point.mcu % spacing == 0 && number < pointCount)
    precondition(point.bit > 0 && point.bit >> 3 <= Self.greatestOffset)
    for component in 0..<componentCount
    where Int16(exactly: point.predictors[component]) == nil { return false }
    let block = number / Self.pointsPerBlock
    if blocks[block].isEmpty {
      blocks[block] = [UInt8](repeating: 0, count: byteCount(ofBlock: block))
    }
    let start = number % Self.pointsPerBlock * recordSize
    blocks[block].write(point.bit, at: start, byteCount: 6)
    for component in 0..<componentCount {
      blocks[block].write(
        Int(point.predictors[component]), at: start + 6 + 2 * component, byteCount: 2)
    }
    return true
  }

  /// Adds the records of a stored block.
  ///
  /// Does not compare it with other blocks, or MCU 0 with the scan's start: they were written
  /// together, as the sidecar's tag covers all. `zoombench index --check` uses `isComplete` for it.
  /// - Returns: False, without adding them, unless all points are there and ascend inside the scan.
  mutating func insert(_ records: [UInt8], asBlock number: Int) -> Bool {
    guard records.count == byteCount(ofBlock: number), isAscending(records) else { return false }
    blocks[number] = records
    return true
  }

  private func byteCount(ofBlock number: Int) -> Int {
    min(Self.pointsPerBlock, pointCount - number * Self.pointsPerBlock) * recordSize
  }

  private func isAscending(_ records: [UInt8]) -> Bool {
    var last = codedStart * 8 - 1
    for start in stride(from: 0, to: records.count, by: recordSize) {
      let bit = records.integer(at: start, byteCount: 6)
      guard bit > last, bit < scanEnd * 8 else { return false }
      last = bit
    }
    return true
  }

  /// Whether all points are known, from the start of the scan on, and ascend inside it.
  var isComplete: Bool {
    let records = blocks.flatMap(\.self)
    return records.count == pointCount * recordSize && isAscending(records)
      && point(at: 0) == EntryPoint(mcu: 0, bit: codedStart * 8, predictors: .zero)
  }

  /// Returns the blocks of a range of points in which all points are unknown.
  func unknownBlocks(of numbers: ClosedRange<Int>) -> [Int] {
    let last = min(numbers.upperBound, pointCount - 1)
    return (numbers.lowerBound / Self.pointsPerBlock...last / Self.pointsPerBlock)
      .filter { blocks[$0].isEmpty }
  }
}

extension SeekIndex {
  /// Creates an index for the blocks of a stored index, without any known point.
  init(_ header: SidecarHeader, componentCount: Int) {
    self.init(
      spacing: header.spacing, componentCount: componentCount, mcuCount: header.unitCount,
      codedStart: header.start)
    scanEnd = header.end
  }

  /// Reads and checks a stored index.
  /// - Throws: `damaged` when points cannot be read, or are not what was written.
  init(_ sidecar: Sidecar, componentCount: Int) throws(SidecarRefusal) {
    self.init(sidecar.header, componentCount: componentCount)
    for number in blocks.indices {
      guard insert(try sidecar.block(number), asBlock: number) else { break }
    }
    guard isComplete else { throw .damaged("its points contradict each other") }
  }
}
