/// Entry points into the coded data of a JPEG's only scan.
///
/// At each, a reader can begin as if it had read all before: it has the place of an MCU's first bit and
/// the DC values that the MCU is coded against. (Android's JPEG fork of 2010 and Windows' WIC keep
/// the same state in memory; Lepton one for each thread.) The file stays as it is.
///
/// Points lie `spacing` MCUs apart, whatever the rows: the place of each in `records` follows from
/// its MCU, and rows need not begin at one.
struct SeekIndex: Sendable, Hashable {
  /// A place where reading can begin.
  struct Point: Sendable, Hashable {
    /// The MCU that begins there, counted from 0 in scan order.
    let mcu: Int
    /// Its first bit: the byte's offset in the file times 8, and 0 for the byte's highest bit.
    let bit: Int
    /// What its DC values are coded against, one a component.
    let predictors: [Int32]
  }

  /// MCUs from one point to the next.
  let spacing: Int
  /// Components of the scan, 1...4.
  let componentCount: Int
  /// MCUs of the whole picture.
  let mcuCount: Int
  /// One record a point: 6 bytes for `bit`, 2 for each predictor, all little endian.
  ///
  /// This is how a sidecar holds them, so that neither reading nor writing one converts anything.
  private(set) var records: [UInt8] = []
  /// The first byte behind the coded data, in the file; nil while the pass is not there yet.
  private(set) var scanEnd: Int?

  /// An index without points.
  init(spacing: Int, componentCount: Int, mcuCount: Int) {
    precondition(spacing > 0 && (1...4).contains(componentCount) && mcuCount > 0)
    self.spacing = spacing
    self.componentCount = componentCount
    self.mcuCount = mcuCount
  }

  /// Takes a complete index as it was stored.
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
    self.init(spacing: spacing, componentCount: componentCount, mcuCount: mcuCount)
    self.records = records
    self.scanEnd = scanEnd
    // Divided, not multiplied: hostile numbers cannot overflow.
    guard records.count % recordSize == 0, pointCount == (mcuCount - 1) / spacing + 1,
      let first = point(at: 0), first.bit == codedStart * 8,
      first.predictors.allSatisfy({ $0 == 0 })
    else { return nil }
    var last = -1
    for number in 0..<pointCount {
      let bit = self.bit(at: number)
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

  /// Whether it reaches to the end of the scan.
  var isComplete: Bool { scanEnd != nil }

  /// A point by its number; nil when there is none yet.
  func point(at number: Int) -> Point? {
    guard number >= 0, number < pointCount else { return nil }
    let start = number * recordSize + 6
    return Point(
      mcu: number * spacing, bit: bit(at: number),
      predictors: (0..<componentCount).map { component in
        let low = UInt16(records[start + 2 * component])
        let high = UInt16(records[start + 2 * component + 1])
        return Int32(Int16(bitPattern: high << 8 | low))
      })
  }

  private func bit(at number: Int) -> Int {
    let start = number * recordSize
    return (0..<6).reduce(0) { $0 | Int(records[start + $1]) << (8 * $1) }
  }

  /// The last point at or before an MCU; nil when the pass has not come to it.
  func point(before mcu: Int) -> Point? { point(at: mcu / spacing) }

  /// Adds the next point.
  /// - Returns: false when a predictor is greater than any valid picture's, and a record can hold.
  mutating func append(bit: Int, predictors: [Int32]) -> Bool {
    precondition(predictors.count == componentCount && bit >> 3 <= Self.greatestOffset)
    for byte in 0..<6 { records.append(UInt8(truncatingIfNeeded: bit >> (8 * byte))) }
    for predictor in predictors {
      guard let small = Int16(exactly: predictor) else {
        records.removeLast(records.count % recordSize)
        return false
      }
      let value = UInt16(bitPattern: small)
      records.append(UInt8(truncatingIfNeeded: value))
      records.append(UInt8(truncatingIfNeeded: value >> 8))
    }
    return true
  }

  /// Adds the points that follow, as another pass found them, and where the scan ends if it came there.
  mutating func append(_ next: SeekIndex) {
    precondition(next.recordSize == recordSize && !isComplete)
    records += next.records
    scanEnd = next.scanEnd
  }

  /// Notes where the scan ends; no points come after.
  mutating func finish(at scanEnd: Int) { self.scanEnd = scanEnd }
}
