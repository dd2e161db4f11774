internal import PropertyTesting
internal import ZoomLaws

/// The result of one block of a law's cases, or of all cases if they are one block.
struct LawCell: Codable, Sendable {
  var row: VerifyReport.LawRow
  /// The index of the block in the law, from 0.
  let block: Int
  /// The number of cases whose classes were counted.
  let sampled: Int
  /// Whether it is undecided only because of the shares of classes.
  let lacksClasses: Bool
  /// A key per breach: its origin, or its complaint.
  let origins: [String]

  init(_ report: LawReport, _ row: VerifyReport.LawRow, block: Int) {
    self.row = row
    self.block = block
    sampled = report.sampled
    lacksClasses = report.lacksClasses
    origins = report.breaches.map(\.origin)
  }

  /// Creates a result that is known without a run.
  init(_ row: VerifyReport.LawRow) {
    (self.row, block, sampled, lacksClasses) = (row, 0, 0, false)
    origins = row.breaches.map(\.complaint)
  }

  var withoutTimes: Self {
    var cell = self
    (cell.row.seconds, cell.row.engineShare) = (0, 0)
    return cell
  }

  /// Returns the row for all blocks of a law, in their order; there must be at least one.
  ///
  /// Counts are summed before the decision. Among breaches with the same origin, the smallest is kept. The
  /// result does not depend on where each block was tried.
  /// - Throws: `Failure` if the journals' counts overflow.
  static func merged(_ cells: [LawCell]) throws -> VerifyReport.LawRow {
    // If the first block was exhaustive, the others repeated its inputs.
    guard cells.count > 1, !cells[0].row.isExhaustive else { return cells[0].row }
    var row = cells[0].row
    (row.cases, row.discards) = (0, 0)
    for cell in cells {
      try row.cases.add(cell.row.cases)
      try row.discards.add(cell.row.discards)
    }
    row.seconds = cells.reduce(0) { $0 + $1.row.seconds }
    row.engineShare =
      row.seconds > 0
      ? cells.reduce(0) { $0 + $1.row.engineShare * $1.row.seconds } / row.seconds : 0
    row.breaches = breaches(of: cells)
    let (classes, missed, undecided) = try classes(of: cells)
    row.classes = classes
    let other = cells.first { $0.row.verdict == .undecided && !$0.lacksClasses }
    (row.verdict, row.reason) =
      if !row.breaches.isEmpty {
        (.broken, nil)
      } else if let other {
        (.undecided, other.row.reason)
      } else if !missed.isEmpty {
        (.undecided, "\(GaveUpReason.missedClasses(missed))")
      } else if !undecided.isEmpty {
        (.undecided, "\(GaveUpReason.undecidedClasses(undecided))")
      } else {
        (.held, nil)
      }
    return row
  }

  private static func classes(
    of cells: [LawCell]
  ) throws -> (classes: [VerifyReport.ClassShare], missed: [String], undecided: [String]) {
    var total = 0
    for cell in cells { try total.add(cell.sampled) }
    var names: [String] = []
    var sums: [String: (count: Int, required: Double?)] = [:]
    for share in cells.flatMap(\.row.classes) {
      if sums[share.name] == nil { names.append(share.name) }
      var sum = sums[share.name] ?? (0, nil)
      try sum.count.add(share.count)
      sum.required = [sum.required, share.requiredShare].compactMap(\.self).max()
      sums[share.name] = sum
    }
    let verdicts = names.map { name in
      ClassReport.decide(
        requiredShare: sums[name]?.required, count: sums[name]?.count ?? 0, of: total)
    }
    let shares = zip(names, verdicts).map { name, verdict in
      VerifyReport.ClassShare(
        name: name, count: sums[name]?.count ?? 0,
        share: total == 0 ? 0 : Double(sums[name]?.count ?? 0) / Double(total),
        requiredShare: sums[name]?.required, isReached: [.met, .notRequired].contains(verdict))
    }
    func named(_ verdict: ClassReport.Verdict) -> [String] {
      zip(names, verdicts).filter { $0.1 == verdict }.map(\.0)
    }
    return (shares, named(.missed), named(.undecided))
  }

  private static func breaches(of cells: [LawCell]) -> [VerifyReport.BreachRow] {
    var order: [String] = []
    var smallest: [String: VerifyReport.BreachRow] = [:]
    for cell in cells {
      for (origin, breach) in zip(cell.origins, cell.row.breaches) {
        guard let kept = smallest[origin] else {
          order.append(origin)
          smallest[origin] = breach
          continue
        }
        if isSimpler(breach, than: kept) { smallest[origin] = breach }
      }
    }
    // The same limit as in one run.
    return order.prefix(PropertySettings().failureLimit).compactMap { smallest[$0] }
  }

  /// Whether one input is simpler than another; examples, without a token, come first.
  private static func isSimpler(
    _ one: VerifyReport.BreachRow, than other: VerifyReport.BreachRow
  ) -> Bool {
    guard let right = other.token.flatMap({ ReplayToken($0) }) else { return false }
    guard let left = one.token.flatMap({ ReplayToken($0) }) else { return true }
    return left.choices.isSimpler(than: right.choices)
  }
}
