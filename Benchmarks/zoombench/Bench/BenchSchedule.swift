internal import Measurement
internal import ZoomGeometry
internal import ZoomPipeline

/// Fits the pictures of a run into its time, and plans the rest again after each picture.
///
/// If a share of the time is too short, a picture gets fewer rounds, then no cold state, then one kind of
/// peek. The last pictures are left out if no time remains for them.
struct BenchSchedule {
  /// The estimated seconds of the work at one picture.
  struct Cost {
    /// The time for starting the workers of a launch.
    var start: Double
    /// The time of one round of one case, by all contenders.
    var round: Double
  }

  private let plan: BenchPlan
  private let costs: [Cost]
  private let now: NanosecondClock
  private let begin: UInt64
  /// The estimated and the actual seconds of the pictures so far.
  private var done = (estimated: 0.0, actual: 0.0)

  init(_ plan: BenchPlan, _ costs: [Cost], now: @escaping NanosecondClock = Timestamps.monotonic) {
    (self.plan, self.costs, self.now, begin) = (plan, costs, now, now())
  }

  /// Returns the part of the plan for a picture, and its share of the time in nanoseconds; nil if no time is
  /// left for it.
  func part(of picture: Int) -> (extent: BenchPlan.Extent, nanoseconds: UInt64)? {
    guard let budget = plan.budgetSeconds else { return (.whole, 0) }
    let left = budget - Double(now() - begin) / 1e9
    let share = left / Double(costs.count - picture)
    let error = done.estimated > 0 ? done.actual / done.estimated : 1
    func least(_ extent: BenchPlan.Extent) -> Double {
      error * plan.seconds(of: costs[picture], plan.cases(extent).map(\.rounds.lowerBound))
    }
    if let extent = BenchPlan.Extent.allCases.first(where: { least($0) <= share }) {
      return (extent, UInt64(share * 1e9))
    }
    return least(.onePeek) <= left ? (.onePeek, UInt64(share * 1e9)) : nil
  }

  /// Corrects later estimates by the time that a picture took for some rounds of each case.
  mutating func note(_ picture: Int, rounds: [Int], seconds: Double) {
    done.estimated += plan.seconds(of: costs[picture], rounds)
    done.actual += seconds
  }
}

extension BenchSchedule.Cost {
  /// Rough estimates of the nanoseconds per pixel of a full decode; the run corrects them.
  private static let decoding = [
    "jpegload": 8.0, "tiffload": 10, "webpload": 20, "pngload": 25,
  ]

  /// Estimates the cost of a picture from its headers; an unreadable one, nil, costs little.
  init(_ picture: Picture?, contenders: Int) {
    let decode = picture.map {
      Double($0.storedSize.area) * (Self.decoding[$0.loader] ?? 40) / 1e9
    }
    // naive decodes everything for each peek; the others need less than a third of that on average.
    self.init(
      start: 0.1 * Double(contenders),
      round: (decode ?? 0) * (1 + 0.3 * Double(contenders - 1)))
  }
}

extension BenchPlan {
  /// Returns the seconds of the work at a picture with some rounds of each case.
  func seconds(of cost: BenchSchedule.Cost, _ rounds: [Int]) -> Double {
    // Each case begins with opening the picture, and with an untimed round for the counters.
    Double(launches) * (cost.start + rounds.reduce(0) { $0 + Double($1 + 2) } * cost.round)
  }

  /// Sets the standard time of a run, in which every picture gets at least five warm rounds and a cold one.
  mutating func setStandardBudget(_ costs: [BenchSchedule.Cost], atLeast seconds: Double) {
    let rounds = cases().map { $0.state == .cold ? 1 : 5 }
    budgetSeconds = max(seconds, costs.reduce(0) { $0 + self.seconds(of: $1, rounds) })
  }

  /// Returns a sentence about the work of the run and its duration.
  func summary(_ costs: [BenchSchedule.Cost]) -> String {
    let most = cases().map(\.rounds.upperBound)
    let all = costs.reduce(0) { $0 + seconds(of: $1, most) }
    let said = min(budgetSeconds ?? .infinity, all)
    let unit = said < 100 ? 1.0 : 60
    let time = DurationArgument(seconds: max(1, (said / unit).rounded(.up) * unit))
    let more = budgetSeconds.map { $0 < all } ?? false
    return "timing peeks at \(Format.count(subjects.count, "picture")) with "
      + "\(Format.count(sources.count, "source")): about \(time)"
      + (more ? " (a longer --budget gives more rounds)" : "")
  }
}
