/// Where the code of two builds lies in memory, sampled launch by launch.
///
/// How fast a build runs depends on where the linker put its functions, on how much its environment
/// holds and on where its stack begins, none of which a commit means to change (Mytkowicz et al.,
/// "Producing wrong data without doing anything obviously wrong!", ASPLOS 2009). One binary is one
/// draw of these. Where each launch draws anew, an interval over launches speaks of the code
/// (Curtsinger and Berger, "Stabilizer", ASPLOS 2013, draw anew while a program runs).
package struct LayoutPair: Sendable {
  /// Gives an executable of a build whose functions lie in the order of a number.
  package typealias Link = @Sendable (_ number: Int) throws(LayoutError) -> String

  /// How to link the base again, and the candidate; nil for running it as it is.
  package var base: Link?
  package var candidate: Link?

  /// Takes two ways to link; both builds are run as they are unless both can be linked again.
  package init(base: Link? = nil, candidate: Link? = nil) {
    (self.base, self.candidate) = base != nil && candidate != nil ? (base, candidate) : (nil, nil)
  }

  /// The base on both sides, in the same order: what a check of one build is run with.
  var ofBase: LayoutPair { LayoutPair(base: base, candidate: base) }

  /// Returns the commands of a launch: each build in the order of this launch, and each with an
  /// environment of its own size.
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

/// Why a build could not be linked in another order.
package struct LayoutError: Error, Sendable, Hashable, CustomStringConvertible {
  /// One sentence for people, without a full stop.
  package let description: String

  /// Takes the sentence.
  package init(_ description: String) { self.description = description }
}

extension WorkerCommand {
  /// The variable whose length moves the stack; nobody reads it.
  static let padding = "ZOOMBENCH_PADDING"

  /// The same command with an environment that is larger by up to a page.
  ///
  /// The stack begins below the environment, so its place within a page is drawn, too; a system
  /// that randomises addresses moves it by whole multiples of 16 bytes in any case.
  fileprivate func padded(_ random: inout SeededRandom) -> WorkerCommand {
    var result = self
    result.environment[Self.padding] = String(repeating: "x", count: random.index(below: 4096))
    return result
  }
}
