/// A cell's result from a journal, which may be forged: numbers are checked before they are added,
/// multiplied and shown.
protocol CheckedResult: Codable {
  /// Whether every number is possible for a cell.
  var isSound: Bool { get }
}

/// The largest possible count of bytes, pixels or cases in a cell: a petabyte.
private let mostCounted = 1 << 50

private func isCount(_ number: Int?, upTo most: Int = mostCounted) -> Bool {
  number.map { (0...most).contains($0) } ?? true
}

private func isMeasure(_ number: Double?) -> Bool {
  number.map { (0...1e15).contains($0) } ?? true
}

extension IndexReport.Row: CheckedResult {
  var isSound: Bool {
    [mcus, points, bytes].allSatisfy { isCount($0) }
      && [bytesPerMegapixel, seconds].allSatisfy(isMeasure)
  }
}

extension CollectionReport.Row: CheckedResult {
  var isSound: Bool {
    // Their product, the number of pixels, must not overflow.
    [width, height].allSatisfy { isCount($0, upTo: 1 << 31) }
      && [bytes, firstPeek, laterPeek].allSatisfy { isCount($0) }
  }
}

extension VerifyCellResult: CheckedResult {
  var isSound: Bool { laws.allSatisfy(\.isSound) }
}

extension LawCell {
  fileprivate var isSound: Bool {
    [block, sampled, row.cases, row.discards].allSatisfy { isCount($0) }
      && [row.seconds, row.engineShare].allSatisfy(isMeasure)
      // With a duplicate name, the sum could exceed the number of cases.
      && Set(row.classes.map(\.name)).count == row.classes.count
      && row.classes.allSatisfy { share in
        isCount(share.count, upTo: sampled) && isMeasure(share.share)
          && (share.requiredShare.map { (0...1).contains($0) } ?? true)
      }
      && row.breaches.allSatisfy { isCount($0.evaluations) && isCount($0.foundAfter) }
  }
}

extension BenchCellResult: CheckedResult {
  /// True: consistency is checked on the whole report.
  var isSound: Bool { true }
}

extension Int {
  /// Adds a count from a journal; throws on overflow.
  mutating func add(_ count: Int) throws {
    let (sum, overflow) = addingReportingOverflow(count)
    guard !overflow else {
      throw Failure(.badInput, "the numbers of the journals are too large to be added")
    }
    self = sum
  }
}
