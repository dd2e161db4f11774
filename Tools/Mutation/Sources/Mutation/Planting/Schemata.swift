/// A source with all its mutants, one of which is chosen when the program starts.
///
/// Each body stands in it once for each mutant, once with notes of what is reached, and once as it
/// was:
///
///     func end() -> Int {
///       switch MutationRuntime.active(in: 7) {
///       case 17:
///       return origin - length
///       default:
///       return origin + length
///       }
///     }
///
/// so that every variant is compiled as if it stood alone: what one mutant infers, throws or
/// initialises is no matter of another's, and an error names a line of the variant it comes from.
public struct Schemata: Sendable {
  /// What a stretch of lines of the text was made for.
  public enum Variant: Sendable, Hashable {
    /// A mutant, by its number.
    case mutant(Int)
    /// A body with notes of what is reached in it, by its block.
    case notes(block: Int)
    /// A body as it was, by its block; also what stands around its variants.
    case unchanged(block: Int)
  }

  /// The mutants, in the order of the source, whether they are in the text or not.
  public let mutants: [Mutant]
  /// The text to be compiled in the source's place.
  public let text: String
  /// The stretches of lines, counted from 1, in order.
  let stretches: [(lines: ClosedRange<Int>, variant: Variant)]
  /// The first number that is free for another file's blocks.
  public let nextBlock: Int

  /// Returns what a line of the text was made for; nil if it is the source's own.
  public func variant(ofLine line: Int) -> Variant? {
    stretches.last { $0.lines.contains(line) }?.variant
  }
  /// Returns the lines of the text that were made for a mutant; nil if it is not in the text.
  func lines(of mutant: Int) -> ClosedRange<Int>? {
    stretches.first { $0.variant == .mutant(mutant) }?.lines
  }
}
