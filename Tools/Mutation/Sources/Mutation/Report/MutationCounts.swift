/// The numbers of mutants by state.
public struct MutationCounts: Sendable, Hashable {
  /// Mutants noticed by a failing test or a crash.
  public private(set) var killed = 0
  /// Mutants noticed because the tests did not end.
  public private(set) var timedOut = 0
  /// Mutants that tests reach but do not notice.
  public private(set) var survived = 0
  /// Mutants that no test reaches.
  public private(set) var notCovered = 0
  /// Mutants listed as equivalent.
  public private(set) var equivalent = 0
  /// Mutants that do not compile.
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

  /// The number of all mutants.
  public var all: Int { valid + equivalent + unviable }

  /// The number of mutants that compile and are not equivalent.
  public var valid: Int { killed + timedOut + survived + notCovered }

  /// The percentage of valid mutants that are noticed; nil without valid mutants.
  public var score: Double? {
    valid == 0 ? nil : 100 * Double(killed + timedOut) / Double(valid)
  }
}
