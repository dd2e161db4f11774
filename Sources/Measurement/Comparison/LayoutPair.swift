/// The memory layouts of two builds, sampled launch by launch.
///
/// The speed of a build depends on the order of its functions in memory, on the size of its environment and
/// on the address of its stack, which commits do not mean to change (Mytkowicz et al., "Producing wrong
/// data without doing anything obviously wrong!", ASPLOS 2009). One binary is one sample of these. If each
/// launch takes a new sample, an interval over launches is about the code (Curtsinger and Berger,
/// "Stabilizer", ASPLOS 2013, sample repeatedly while a program runs).
package struct LayoutPair: Sendable {
  /// Returns an executable of a build whose functions have the order of a number.
  package typealias Link = @Sendable (_ number: Int) throws(LayoutError) -> String

  /// The functions that link the base and the candidate again; nil to run them as they are.
  package var base: Link?
  package var candidate: Link?

  /// Creates a pair; both builds are run as they are unless both can be linked again.
  package init(base: Link? = nil, candidate: Link? = nil) {
    (self.base, self.candidate) = base != nil && candidate != nil ? (base, candidate) : (nil, nil)
  }

  /// The base on both sides, in the same order, for a check of one build.
  var ofBase: LayoutPair { LayoutPair(base: base, candidate: base) }

  /// Returns the commands of a launch, with this launch's order of functions and environments of random size.
  ///
  /// - Throws: `ComparisonRunError.notLinked`.
  func commands(
    _ mine: WorkerCommand, _ theirs: WorkerCommand, number: Int, _ random: inout SeededRandom
  ) throws(ComparisonRunError) -> (base: WorkerCommand, candidate: WorkerCommand, layout: Int?) {
    var (mine, theirs) = (mine.padded(&random), theirs.padded(&random))
    guard let base, let candidate else { return (mine, theirs, nil) }
    do {
      mine.executable = try base(number)
      theirs.executable = try candidate(number)
    } catch {
      throw .notLinked("\(error)")
    }
    return (mine, theirs, number)
  }
}

/// The reason that a build could not be linked in another order.
package struct LayoutError: Error, Sendable, Hashable, CustomStringConvertible {
  /// One sentence for people, without a full stop.
  package let description: String

  package init(_ description: String) { self.description = description }
}

extension WorkerCommand {
  /// The environment variable whose length moves the stack; no program reads it.
  static let padding = "ZOOMBENCH_PADDING"

  /// Returns the same command with an environment that is larger by up to a page.
  ///
  /// The stack begins below the environment, so this randomises its position within a page; address
  /// randomisation of the system moves it by whole multiples of 16 bytes anyway.
  fileprivate func padded(_ random: inout SeededRandom) -> WorkerCommand {
    var result = self
    result.environment[Self.padding] = String(repeating: "x", count: random.index(below: 4096))
    return result
  }
}
