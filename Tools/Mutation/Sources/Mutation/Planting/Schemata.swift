/// A source with all its mutants; the program selects one when it starts.
///
/// Each body occurs once per mutant, once with coverage notes, and once unchanged:
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
/// So every variant compiles independently: what one mutant infers, throws or initialises does not affect another, and
/// the line of an error identifies its variant.
public struct Schemata: Sendable {
  /// The purpose of a range of lines of the text.
  public enum Variant: Sendable, Hashable {
    /// A mutant, by its number.
    case mutant(Int)
    /// A body with coverage notes, by its block.
    case notes(block: Int)
    /// An unchanged body and the code around its variants, by its block.
    case unchanged(block: Int)
  }

  /// The mutants in source order, including those that are not in the text.
  public let mutants: [Mutant]
  /// The text that is compiled instead of the source.
  public let text: String
  /// The ranges of lines, counted from 1, in order.
  let stretches: [(lines: ClosedRange<Int>, variant: Variant)]
  /// The first free block number, for the next file.
  public let nextBlock: Int

  /// Returns the variant of a line of the text; nil for a line copied from the source.
  public func variant(ofLine line: Int) -> Variant? {
    stretches.last { $0.lines.contains(line) }?.variant
  }
  /// Returns the lines of a mutant; nil if it is not in the text.
  func lines(of mutant: Int) -> ClosedRange<Int>? {
    stretches.first { $0.variant == .mutant(mutant) }?.lines
  }
}
