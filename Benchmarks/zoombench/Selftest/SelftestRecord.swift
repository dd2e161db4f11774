internal import Foundation
internal import Measurement

/// One planted slow-down and what the comparison made of it.
struct SelftestRecord: Codable, Hashable {
  /// Per mille of additional rows.
  let planted: Int
  /// How many other processes kept a core busy.
  let load: Int
  let seed: UInt64
  let caseName: String
  /// Before confirmation, the correction for many cases and contamination.
  let first: Verdict
  let final: Verdict
  /// Why the final verdict is not the first one.
  let reason: String?
  let isContaminated: Bool
  /// Candidate over base, CPU time.
  let ratio: Double
  let lower: Double?
  let upper: Double?
  let launches: Int
  /// Wall seconds inside the samples of both builds, confirmation included.
  let timedSeconds: Double
  /// The logarithms of the pairs' CPU ratios in millionths, in order: the raw data.
  let pairs: [Int]
  /// Those of the second measurement, where there was one.
  let confirmingPairs: [Int]

  /// Takes one gated case of a run.
  init(_ each: CaseComparison, planted: Int, load: Int, seed: UInt64, isContaminated: Bool) {
    self.planted = planted
    self.load = load
    self.seed = seed
    caseName = each.name
    first = each.cpu.verdict
    final = each.verdict
    reason = each.reason
    self.isContaminated = isContaminated
    ratio = each.cpu.ratio
    lower = each.cpu.interval?.lower
    upper = each.cpu.interval?.upper
    launches = each.launches.count
    let all = each.launches + each.confirmation
    let nanoseconds = all.flatMap { $0.base.wallNanoseconds + $0.candidate.wallNanoseconds }
    timedSeconds = Double(nanoseconds.reduce(0, +)) / 1e9
    pairs = each.launches.flatMap(Self.logRatios)
    confirmingPairs = each.confirmation.flatMap(Self.logRatios)
  }

  /// The pairs of a launch; a sample of no time has no ratio, and the comparison refuses it, too.
  private static func logRatios(_ launch: PairedLaunch) -> [Int] {
    var found: [Int] = []
    for (base, candidate) in zip(launch.base.cpuNanoseconds, launch.candidate.cpuNanoseconds)
    where base > 0 && candidate > 0 {
      let ratio = Double(candidate) / Double(base)
      found.append(Int((1e6 * log(ratio)).rounded()))
    }
    return found
  }
}
