internal import Foundation
internal import Measurement
internal import MeasurementHistory
internal import ZoomPipeline

extension RunRecord {
  /// A benchmark as history keeps it: each source in each state as a case, with naive as control.
  ///
  /// The floor is none: it is libjpeg-turbo's time, and a gate on it would judge somebody else's code.
  ///
  /// Ratios are those of the rounds, pair by pair. Counts are of all rounds together, and their
  /// names say which rounds: the touches follow from seed and number, so that counts of equal name
  /// are of the same touches, and any difference is one of the code. (With a time budget the
  /// number of rounds is the machine's, and few counts meet; `--rounds` makes them all meet.)
  ///
  /// - Parameters:
  ///   - report: the benchmark. Answers that differ from naive's contaminate it.
  ///   - revision: the source of the program that measured.
  /// - Throws: what cannot be written as JSON, from which the id is made.
  init(_ report: BenchReport, revision: Revision) throws {
    let (compared, differing) = report.agreement
    self.init(
      id: RunRecord.id(ofText: try JSONEncoder.report.encode(report) + Data(revision.commit.utf8)),
      startedAt: report.startedAt, tool: "zoombench bench \(report.environment.zoombench)",
      revision: revision, machine: report.environment.machine,
      contamination: differing > 0
        ? ["\(differing) of \(compared) answers differ from naive's pixels"] : [],
      cases: report.groups.flatMap { group in
        group.arms.filter { !["naive", FloorPipeline.name].contains($0.source) }.map { arm in
          Case(arm, of: group, seed: report.seed)
        }
      })
  }
}

extension RunRecord.Case {
  fileprivate init(_ arm: BenchReport.Arm, of group: BenchReport.Group, seed: UInt64) {
    func ratio(_ samples: (BenchReport.Arm) -> [UInt64]) -> RunRecord.Ratio? {
      // None where a sample was too short for the clock.
      group.naive.flatMap { naive in
        (try? PairedRatio(numerators: samples(arm), denominators: samples(naive)))
          .map { RunRecord.Ratio($0) }
      }
    }
    self.init(
      name: "\(group.picture) \(group.peek.name) \(group.state.rawValue) \(arm.source)",
      cpuToControl: ratio(\.cpuNanoseconds), wallToControl: ratio(\.wallNanoseconds),
      counters: arm.counters(seed: seed),
      cpuNanoseconds: [arm.cpuNanoseconds], wallNanoseconds: [arm.wallNanoseconds])
  }
}

extension BenchReport.Arm {
  /// The counts of all rounds together; their names say which rounds, so that only counts of the
  /// same touches meet.
  func counters(seed: UInt64) -> [String: Int] {
    let rounds = "in \(wallNanoseconds.count) rounds of seed \(seed)"
    let counts: [(String, Int?)] = [
      ("bytes read", work.bytesRead), ("units decoded", work.unitsDecoded),
      ("pixels decoded", work.pixelsDecoded),
    ]
    return Dictionary(
      uniqueKeysWithValues: counts.compactMap { name, count in
        count.map { ("\(name) \(rounds)", $0) }
      })
  }
}
