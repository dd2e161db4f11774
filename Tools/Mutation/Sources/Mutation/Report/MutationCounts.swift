/// How many mutants came to which end.
public struct MutationCounts: Sendable, Hashable {
  /// Noticed by a failing test or a crash.
  public private(set) var killed = 0
  /// Noticed because the tests did not end.
  public private(set) var timedOut = 0
  /// Not noticed.
  public private(set) var survived = 0
  /// Reached by no test.
  public private(set) var notCovered = 0
  /// Listed as no mistakes.
  public private(set) var equivalent = 0
  /// Not compiled.
  public private(set) var unviable = 0

  /// Counts results.
  public init(_ results: some Sequence<MutantResult>) {
    for result in results {
      switch result.state {
      case .killed: killed += 1
      case .timedOut: timedOut += 1
      case .survived: survived += 1
      case .notCovered: notCovered += 1
      case .equivalent: equivalent += 1
      case .unviable: unviable += 1
      }
    }
  }

  /// All of them.
  public var all: Int { valid + equivalent + unviable }

  /// Those that are mistakes and compile.
  public var valid: Int { killed + timedOut + survived + notCovered }

  /// The percentage of the valid ones that are noticed; nil if there are none.
  public var score: Double? {
    valid == 0 ? nil : 100 * Double(killed + timedOut) / Double(valid)
  }
}
