/// How many launches one undecided case needs, may have, and gets.
struct LaunchPlan {
  /// Seconds for one launch.
  private let cost: Double
  private let done: Int
  /// Launches in all that should settle the case; nil if none would, or nothing is known.
  private let needed: Int?
  /// The most further launches worth giving.
  private let cap: Int
  /// Launches in all are to be proportional to this: σ/√cost.
  private let weight: Double
  /// Further launches given.
  private(set) var granted = 0

  init(_ known: BudgetDivision.Case, settings: GateSettings) {
    let perLaunch = Double(settings.pairsPerLaunch)
    let most = settings.looks.last ?? 0
    cost = known.launchSeconds
    done = max(known.launchesDone, 0)
    guard cost > 0, cost.isFinite, known.spread >= 0, known.spread.isFinite else {
      (needed, cap, weight) = (nil, 0, 0)
      return
    }
    weight = known.spread / cost.squareRoot()
    let pairs = BudgetDivision.pairsNeeded(spread: known.spread, settings: settings)
    // Not a whole number if it is infinite, NaN, or beyond what an Int holds.
    let launches = Int(exactly: (pairs / perLaunch).rounded(.up))
    needed = launches.flatMap { $0 <= most ? $0 : nil }
    // A verdict is reached at a look, so launches go up to one.
    let (least, already) = (needed ?? most, done)
    let target = settings.looks.first { $0 >= least && $0 > already } ?? already
    cap = target - done
  }

  /// Whether the case would be settled with all the launches it may have.
  var canSettle: Bool {
    needed.map { $0 <= done + cap && cap > 0 } ?? false
  }

  /// Gives launches to some of the plans, and takes their cost from the time.
  static func divide(
    _ seconds: inout Double, among group: [Int], of plans: inout [LaunchPlan]
  ) {
    let level = level(affordable: seconds, among: group.map { plans[$0] })
    for index in group {
      plans[index].granted = Int(plans[index].share(at: level))
      // None given cost nothing, whatever one would: zero times infinity is NaN.
      if plans[index].granted > 0 { seconds -= Double(plans[index].granted) * plans[index].cost }
    }
    // What rounding down has left goes, launch by launch, to the case furthest below its share.
    while let index = group.filter({ plans[$0].canTake(seconds) })
      .max(by: { plans[$0].lag < plans[$1].lag })
    {
      plans[index].granted += 1
      seconds -= plans[index].cost
    }
  }

  /// The greatest level, to within rounding, at which all shares together can be paid.
  private static func level(affordable seconds: Double, among plans: [LaunchPlan]) -> Double {
    func isAffordable(_ level: Double) -> Bool {
      plans.reduce(0) { $0 + $1.share(at: level) * $1.cost } <= seconds
    }
    var low = 0.0
    var high =
      plans.filter { $0.weight > 0 }
      .map { Double($0.done + $0.cap) / $0.weight }.max() ?? 0
    if isAffordable(high) { return high }
    // Each step halves the error; after 60 it is far below a launch.
    for _ in 0..<60 {
      let middle = (low + high) / 2
      if isAffordable(middle) { low = middle } else { high = middle }
    }
    return low
  }

  /// The further launches, not rounded, that bring the case to a level of launches per weight.
  private func share(at level: Double) -> Double {
    cap > 0 ? min(max(level * weight - Double(done), 0), Double(cap)) : 0
  }

  /// How much the case would gain by one more launch, compared with others.
  private var lag: Double { weight / Double(done + granted + 1) }

  private func canTake(_ seconds: Double) -> Bool { granted < cap && cost <= seconds }
}
