/// How many cases belong to each class.
struct ClassTallies: Sendable {
  struct Tally: Sendable {
    let name: String
    var share: Double?
    var count: Int
    /// The last case counted, so that a case counts once however often it names the class.
    var lastCase: Int
  }

  /// In the order the cases named them.
  private(set) var tallies: [Tally] = []

  mutating func add(_ labels: [TestCase.Label], ofCase number: Int) {
    for (position, label) in labels.enumerated() {
      let place = place(of: label.name, near: position)
      demand(label.share, at: place)
      if label.holds, tallies[place].lastCase != number {
        tallies[place].count += 1
        tallies[place].lastCase = number
      }
    }
  }

  mutating func add(_ next: ClassTallies) {
    for (position, tally) in next.tallies.enumerated() {
      let place = place(of: tally.name, near: position)
      demand(tally.share, at: place)
      tallies[place].count += tally.count
    }
  }

  /// Classes mostly come in the same order in each case, which makes the guess right.
  private mutating func place(of name: String, near guess: Int) -> Int {
    if guess < tallies.count, tallies[guess].name == name { return guess }
    if let found = tallies.firstIndex(where: { $0.name == name }) { return found }
    tallies.append(Tally(name: name, share: nil, count: 0, lastCase: -1))
    return tallies.count - 1
  }

  /// Of several shares the highest is required.
  private mutating func demand(_ share: Double?, at place: Int) {
    guard let share else { return }
    if let old = tallies[place].share, old >= share { return }
    tallies[place].share = share
  }
}

/// How many cases there were of each value that a property collects.
struct ValueTallies: Sendable {
  /// More different values are counted together: a table is to be read.
  static let mostValues = 1000

  /// In the order the cases named them.
  private(set) var tables: [(name: String, counts: [String: Int], others: Int)] = []

  mutating func add(_ collected: [TestCase.Collected]) {
    for entry in collected { add(1, of: entry.value, to: entry.table) }
  }

  mutating func add(_ next: ValueTallies) {
    for table in next.tables {
      for (value, count) in table.counts.sorted(by: { $0.key < $1.key }) {
        add(count, of: value, to: table.name)
      }
      if table.others > 0 { add(table.others, of: nil, to: table.name) }
    }
  }

  private mutating func add(_ count: Int, of value: String?, to name: String) {
    let place = tables.firstIndex { $0.name == name } ?? tables.count
    if place == tables.count { tables.append((name, [:], 0)) }
    if let value, tables[place].counts[value] != nil || tables[place].counts.count < Self.mostValues
    {
      tables[place].counts[value, default: 0] += count
    } else {
      tables[place].others += count
    }
  }
}

/// Decides whether a share is reached, looking again and again while cases come in.
///
/// As QuickCheck's `checkCoverage` does: a share counts as reached once it is sure to be at least
/// nine tenths of what is required, and as missed once it is sure to be less than required. Sure
/// means wrong once in 10^9 looks, so that the few hundred looks of a run still leave less than
/// one in a million.
enum SequentialShare {
  /// The normal quantile of 1 - 10^-9 / 2.
  private static let sureDeviations = 6.1094
  private static let tolerance = 0.9
  /// Wilson's interval is poor for fewer cases, and QuickCheck looks at 100 first.
  static let fewestCases = 100

  /// Whether a class has its share.
  ///
  /// - Parameters:
  ///   - share: what is required; more than 1, or no number, is never reached.
  ///   - count: how many cases belong to the class.
  ///   - total: of how many.
  /// - Returns: The decision, `undecided` while it is not sure.
  static func decide(share: Double, count: Int, of total: Int) -> ClassReport.Verdict {
    if share <= 0 { return .met }
    guard share <= 1 else { return .missed }
    guard total >= fewestCases else { return .undecided }
    let interval = wilson(count, of: total, deviations: sureDeviations)
    if interval.lowerBound >= tolerance * share { return .met }
    return interval.upperBound < share ? .missed : .undecided
  }

  /// Wilson's score interval of a probability (Wilson 1927).
  ///
  /// - Parameters:
  ///   - count: how often it happened.
  ///   - total: of how many times; at least 1.
  ///   - deviations: the normal quantile of the confidence: 1.96 for 95 %.
  /// - Returns: The interval, within 0 to 1.
  static func wilson(_ count: Int, of total: Int, deviations: Double) -> ClosedRange<Double> {
    let (n, square) = (Double(total), deviations * deviations)
    let rate = Double(count) / n
    let center = rate + square / (2 * n)
    let margin = deviations * (rate * (1 - rate) / n + square / (4 * n * n)).squareRoot()
    let scale = 1 + square / n
    // The ends are 0 and 1 by the formula when all or none happened, which rounding may miss.
    let low = count == 0 ? 0 : min(max((center - margin) / scale, 0), 1)
    let high = count == total ? 1 : max(min((center + margin) / scale, 1), low)
    return low...high
  }
}
