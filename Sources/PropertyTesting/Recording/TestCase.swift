/// A case in progress, which hands out choices and records them.
///
/// Choices come from a pseudo-random sequence or from a replayed list. A generator cannot see the difference.
public struct TestCase: ~Copyable {
  /// The behaviour at the end of a replayed list.
  package enum Tail: Sendable {
    /// The case is abandoned: `isOverrun` is set, and all further choices are the simplest.
    case overrun
    /// Further choices are the simplest.
    case simplest
    /// Further choices are random.
    case random
    /// Further choices are random, most of them near the simplest.
    case nearSimplest
  }

  /// The greatest number of choices; a larger case is too large to read or shrink and is abandoned.
  ///
  /// Hypothesis has the same limit of 8192 units.
  package static let mostChoices = 8192

  /// The choices made so far.
  package internal(set) var choices: [Choice] = []
  /// The finished spans; inner spans precede the spans that contain them.
  package internal(set) var spans: [Span] = []
  /// Whether the generator asked for more choices than the replayed list or `mostChoices` allows.
  package internal(set) var isOverrun = false
  /// Whether a replayed choice violated the limits that the generator asked for.
  package internal(set) var isMisaligned = false
  /// The classes that the body named; see `classify`.
  package internal(set) var labels: [Label] = []
  /// The values that the body collected; see `collect`.
  package internal(set) var collected: [Collected] = []
  /// The scores that the body reported; see `target`.
  package internal(set) var scores: [Score] = []
  /// The notes and hand-drawn values of the body, recorded only if `keepsNotes` is set.
  package internal(set) var notes: [String] = []
  /// Whether notes are recorded.
  package var keepsNotes = false

  var replayed: [Choice] = []
  /// A fuzzer's bytes, which are replayed instead of the list; see `begin(decoding:)`.
  var words: UnsafeRawBufferPointer?
  var tail = Tail.random
  var random = SplitMix64(seed: 0)
  var depth = 0
  /// Whether the next choice is drawn instead of replayed.
  @inline(__always)
  var isDrawing: Bool {
    (tail == .random || tail == .nearSimplest) && choices.count >= replayed.count
      && choices.count < Self.mostChoices
  }
  /// Decides whether a drawn choice is near the simplest; three of four are, in the tail `nearSimplest`.
  @inline(__always)
  mutating func takesSimple() -> Bool { tail == .nearSimplest && random.next() >> 62 != 0 }
  /// The probability that a number is an edge of its range, in units of 2^-64.
  var edgeShare: UInt64 = 0

  /// A class that a case may belong to.
  package struct Label: Hashable, Sendable {
    package let name: String
    package let holds: Bool
    /// The required share of cases in the class, if any.
    package let share: Double?
  }

  /// A value that a case collected for a table of the report.
  package struct Collected: Hashable, Sendable {
    package let table: String
    package let value: String
  }

  /// A number that the run tries to increase.
  package struct Score: Hashable, Sendable {
    package let name: String
    package let value: Double
  }

  /// Creates a case without choices; call a `begin` function before drawing.
  package init() {}

  /// Begins the random case with an index in the run with a seed.
  ///
  /// The storage of the previous case is reused.
  package mutating func begin(seed: UInt64, index: UInt64) {
    reset()
    replayed.removeAll(keepingCapacity: true)
    tail = .random
    random = SplitMix64(seed: seed, index: index)
    chooseEdgeShare()
  }

  /// Begins a case that replays a list of choices.
  ///
  /// - Parameters:
  ///   - list: the choices; a choice that violates the requested limits is replaced with the simplest one.
  ///   - tail: the behaviour at the end of the list.
  ///   - seed: the seed of a random tail.
  package mutating func begin(replaying list: [Choice], tail: Tail, seed: UInt64 = 0) {
    reset()
    replayed = list
    self.tail = tail
    random = SplitMix64(seed: seed)
    chooseEdgeShare()
  }

  private mutating func reset() {
    choices.removeAll(keepingCapacity: true)
    spans.removeAll(keepingCapacity: true)
    labels.removeAll(keepingCapacity: true)
    collected.removeAll(keepingCapacity: true)
    scores.removeAll(keepingCapacity: true)
    notes.removeAll(keepingCapacity: true)
    (isOverrun, isMisaligned, depth, words) = (false, false, 0, nil)
  }

  /// Chooses the share of edges for the case: 1/32 in five cases of eight, 1/2 in two, and all in one, so that edges of
  /// several arguments also occur together.
  private mutating func chooseEdgeShare() {
    switch random.next() >> 61 {
    case 0: edgeShare = .max
    case 1, 2: edgeShare = 1 << 63
    default: edgeShare = 1 << 59
    }
  }

  @inline(__always)
  mutating func takesEdge() -> Bool { random.next() <= edgeShare }
}

/// A range of choices that belong together, such as one element of a list.
///
/// The shrinker deletes or replaces the choices of a span as a unit.
package struct Span: Hashable, Sendable {
  /// The kind of value that a span covers.
  package enum Kind: UInt8, Sendable {
    /// An argument of the property.
    case argument
    /// One element of a collection, with the choice to add it.
    case element
    /// A value whose generator depends on the value drawn before it.
    case dependent
    /// One of several alternatives, with the choice between them.
    case alternative
    /// A value that a filter rejected.
    case rejected
    /// A value drawn by hand.
    case draw
  }

  package let kind: Kind
  /// The index of its first choice.
  package let start: Int
  /// The index after its last choice.
  package let end: Int
  /// The number of spans that contain it.
  package let depth: Int
}

/// The error that discards a case, which a filter or an assumption rejected.
public struct Discarded: Error, Sendable {
  /// Creates the error.
  public init() {}
}

/// An error that may discard the case that throws it, as `Discarded` does.
package protocol DiscardingError: Error {
  /// Whether the error discards the case.
  var discardsCase: Bool { get }
}

extension Error {
  /// Whether the error discards the case that throws it.
  var isDiscard: Bool { self is Discarded || (self as? any DiscardingError)?.discardsCase == true }
}
