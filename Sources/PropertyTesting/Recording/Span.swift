/// A stretch of choices that belong together, such as one element of a list.
///
/// Spans tell the shrinker what may be left out or replaced in one piece.
package struct Span: Hashable, Sendable {
  /// What a span stands for.
  package enum Kind: UInt8, Sendable {
    /// An argument of the property.
    case argument
    /// One element of a collection, with the choice that there is one.
    case element
    /// What was built from the value drawn before it.
    case dependent
    /// One of several alternatives, with the choice between them.
    case alternative
    /// A value that a filter turned away.
    case rejected
    /// A value drawn by hand.
    case draw
  }

  package let kind: Kind
  /// The number of its first choice.
  package let start: Int
  /// The number after its last choice.
  package let end: Int
  /// How many spans stand around it.
  package let depth: Int
}
