/// The counts of each build, and whether they are the same in each launch.
struct CounterRanges {
  /// The rounds counted in each launch: several inputs, at little cost.
  static let rounds = 0..<4

  /// The counts that are peaks of a whole process, and never exact.
  ///
  /// The order of threads and the allocator's arenas determine when pages become resident, so such a number
  /// is not exact even if some launches agree.
  /// Late frames of a viewer depend on the clock.
  static let peaks: Set<String> = [WorkerServer.peakMemory, "late frames"]

  /// The sums of each name, one for each launch that has it.
  private var base: [String: [Int]] = [:]
  private var candidate: [String: [Int]] = [:]
  private var launches = 0

  mutating func add(base: [String: Int], candidate: [String: Int]) {
    launches += 1
    for (name, sum) in base { self.base[name, default: []].append(sum) }
    for (name, sum) in candidate { self.candidate[name, default: []].append(sum) }
  }

  /// The counts of each build, and the names that are not gated.
  ///
  /// A count that every launch of a build repeated is exact, unless it is one of `peaks`. A count that
  /// varied, or that has only one launch, is gated only if even the nearest counts of the two builds differ
  /// by more than normal variation; then these two are reported.
  var counters: CaseComparison.Counters {
    var counters = CaseComparison.Counters(
      base: base.compactMapValues { $0.min() }, candidate: candidate.compactMapValues { $0.min() })
    var unsteady: Set<String> = []
    var varied: Set<String> = []
    for name in Set(base.keys).union(candidate.keys) {
      let sums = [base[name], candidate[name]].compactMap(\.self)
      let isSteady =
        launches > 1 && !Self.peaks.contains(name)
        && sums.allSatisfy { Set($0).count == 1 && $0.count == launches }
      if isSteady { continue }
      guard let before = base[name], let after = candidate[name],
        let ends = Self.apart(name, before, after)
      else {
        unsteady.insert(name)
        continue
      }
      varied.insert(name)
      counters.base[name] = ends.base
      counters.candidate[name] = ends.candidate
    }
    counters.unsteady = unsteady.sorted()
    counters.varied = varied.sorted()
    return counters
  }

  /// Whether a varying count is above another by more than its normal variation.
  private static func isBeyond(_ name: String, from count: Int, to greater: Int) -> Bool {
    // Eight to twelve launches of one build of zoombench varied by up to 5.9 %, 4.1 MiB of 70. A false
    // alarm is worse than missing some per cent of memory, so the bound is nearly twice that. The bound in
    // bytes is for small processes, where an allocator's arena is a large part. The order of threads
    // affects allocations less.
    let (fraction, least) = peaks.contains(name) ? (0.1, 0x1p23) : (0.02, 0)
    return Double(greater) - Double(count) > max(Double(count) * fraction, least)
  }

  /// Returns the nearest counts of two builds, if they differ by more than normal variation.
  private static func apart(
    _ name: String, _ base: [Int], _ candidate: [Int]
  ) -> (base: Int, candidate: Int)? {
    // Each name has at least one sum.
    let (before, after) = (base.sorted(), candidate.sorted())
    let (mostBefore, mostAfter) = (before[before.count - 1], after[after.count - 1])
    if isBeyond(name, from: mostBefore, to: after[0]) { return (mostBefore, after[0]) }
    if isBeyond(name, from: mostAfter, to: before[0]) { return (before[0], mostAfter) }
    return nil
  }
}
