/// The counts of each build, and whether they are the same in each launch.
struct CounterRanges {
  /// The rounds counted in each launch: several inputs, at little cost.
  static let rounds = 0..<4

  /// The counts that are peaks of a whole process, and never exact.
  ///
  /// The order of threads and the allocator's arenas determine when pages become resident, so such a number
  /// is not exact even if some launches agree.
  static let peaks: Set<String> = [WorkerServer.peakMemory]

  /// The least and the greatest sum of a name, and the number of launches that have it.
  private struct Range {
    var least: Int
    var greatest: Int
    var launches = 1
  }

  private var base: [String: Range] = [:]
  private var candidate: [String: Range] = [:]
  private var launches = 0

  mutating func add(base: [String: Int], candidate: [String: Int]) {
    launches += 1
    Self.add(base, to: &self.base)
    Self.add(candidate, to: &self.candidate)
  }

  /// The counts of each build, and the names that are not gated.
  ///
  /// A count that every launch of a build repeated is exact, unless it is one of `peaks`. A count that
  /// varied, or that has only one launch, is gated only if even the nearest counts of the two builds differ
  /// by more than normal variation; then these two are reported.
  var counters: CaseComparison.Counters {
    var counters = CaseComparison.Counters(
      base: base.mapValues(\.least), candidate: candidate.mapValues(\.least))
    var unsteady: Set<String> = []
    var varied: Set<String> = []
    for name in Set(base.keys).union(candidate.keys) {
      let spans = [base[name], candidate[name]].compactMap(\.self)
      let isSteady =
        launches > 1 && !Self.peaks.contains(name)
        && spans.allSatisfy { $0.least == $0.greatest && $0.launches == launches }
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
    _ name: String, _ base: Range, _ candidate: Range
  ) -> (base: Int, candidate: Int)? {
    if isBeyond(name, from: base.greatest, to: candidate.least) {
      return (base.greatest, candidate.least)
    }
    if isBeyond(name, from: candidate.greatest, to: base.least) {
      return (base.least, candidate.greatest)
    }
    return nil
  }

  private static func add(_ sums: [String: Int], to spans: inout [String: Range]) {
    for (name, sum) in sums {
      guard var span = spans[name] else {
        spans[name] = Range(least: sum, greatest: sum)
        continue
      }
      span.least = min(span.least, sum)
      span.greatest = max(span.greatest, sum)
      span.launches += 1
      spans[name] = span
    }
  }
}
