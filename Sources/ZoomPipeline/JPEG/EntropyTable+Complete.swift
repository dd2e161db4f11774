extension EntropyTable {
  /// A DC table with a code for every difference of a baseline JPEG (T.81, table K.3).
  ///
  /// Tables made for one picture may lack codes that a part of it needs.
  static let completeDifferences: EntropyTable = {
    guard let table = EntropyTable(counts: completeCounts, values: completeValues) else {
      preconditionFailure("table K.3 is a prefix code")
    }
    return table
  }()

  /// Segments that put `completeDifferences` in the place of some DC tables.
  static func completeSegment(for numbers: [UInt8]) -> [UInt8] {
    numbers.flatMap { number in
      let body = [number] + completeCounts + completeValues
      return [0xFF, 0xC4, 0, UInt8(body.count + 2)] + body
    }
  }

  private static let completeCounts: [UInt8] = [0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0]
  private static let completeValues: [UInt8] = Array(0...11)
}
