/// One case while it is drawn: hands out choices and writes them down.
///
/// Choices come from a pseudo-random sequence, or from a list that is replayed. A generator never
/// sees the difference.
public struct TestCase: ~Copyable {
  /// What follows when a replayed list is at its end.
  package enum Tail: Sendable {
    /// The case is given up: `isOverrun` says so, and what is drawn from then on is the simplest.
    case overrun
    /// The rest is drawn as simply as possible.
    case simplest
    /// The rest is drawn at random.
    case random
    /// The rest is drawn at random, the simplest values most often.
    case nearSimplest
  }

  /// More choices than this make a case too large to be read or shrunk, so it is given up.
  ///
  /// Hypothesis draws the same line at 8192 units.
  package static let mostChoices = 8192

  /// What has been chosen.
  package internal(set) var choices: [Choice] = []
  /// The stretches that have ended, inner ones before those around them.
  package internal(set) var spans: [Span] = []
  /// Whether the replayed list or `mostChoices` was too short for the generator.
  package internal(set) var isOverrun = false
  /// Whether a replayed choice did not fit where the generator asked for it.
  package internal(set) var isMisaligned = false
  /// What the body said of the case; see `classify`.
  package internal(set) var labels: [Label] = []
  /// What the body counts by its value; see `collect`.
  package internal(set) var collected: [Collected] = []
  /// What the body wants to be high; see `target`.
  package internal(set) var scores: [Score] = []
  /// What the body drew by hand or noted, kept only where `keepsNotes`.
  package internal(set) var notes: [String] = []
  /// Whether this is the run whose notes are read.
  package var keepsNotes = false

  var replayed: [Choice] = []
  /// A fuzzer's bytes, which are replayed instead of the list; see `begin(decoding:)`.
  var words: UnsafeRawBufferPointer?
  var tail = Tail.random
  var random = SplitMix64(seed: 0)
  var depth = 0
  /// Whether the next choice is drawn, not replayed.
  @inline(__always)
  var isDrawing: Bool {
    (tail == .random || tail == .nearSimplest) && choices.count >= replayed.count
      && choices.count < Self.mostChoices
  }
  /// Whether a choice that is drawn is one of the simplest: three of four are.
  @inline(__always)
  mutating func takesSimple() -> Bool { tail == .nearSimplest && random.next() >> 62 != 0 }
  /// How often a number is taken from the edges of its range, in 2^-64.
  var edgeShare: UInt64 = 0

  /// A class that a case may belong to.
  package struct Label: Hashable, Sendable {
    package let name: String
    package let holds: Bool
    /// The share of cases that must belong to it, if any.
    package let share: Double?
  }

  /// A value of a case, as a table of the report shows it.
  package struct Collected: Hashable, Sendable {
    package let table: String
    package let value: String
  }

  /// A number to be made as high as possible.
  package struct Score: Hashable, Sendable {
    package let name: String
    package let value: Double
  }

  /// A case that draws nothing yet; `begin` it.
  package init() {}

  /// Begins a case at random: the case of a number in the run of a seed.
  ///
  /// Storage of the case before is used again.
  package mutating func begin(seed: UInt64, index: UInt64) {
    reset()
    replayed.removeAll(keepingCapacity: true)
    tail = .random
    random = SplitMix64(seed: seed, index: index)
    chooseEdgeShare()
  }

  /// Begins a case that repeats a list of choices.
  ///
  /// - Parameters:
  ///   - list: the choices; one that does not fit where it is asked for is made the simplest.
  ///   - tail: what follows the list.
  ///   - seed: of the random tail.
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

  /// Five cases of eight take an edge now and then, two often and one always, so that edges of
  /// several arguments also come together.
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

/// Says that a case is no test of the property: a filter or an assumption turned it away.
public struct Discarded: Error, Sendable {
  /// A case to be thrown away and counted as such.
  public init() {}
}

/// An error that may say nothing about the property: the case is then thrown away as by `Discarded`.
package protocol DiscardingError: Error {
  /// Whether it says nothing.
  var discardsCase: Bool { get }
}

extension Error {
  /// Whether a case that throws it is thrown away.
  var isDiscard: Bool { self is Discarded || (self as? any DiscardingError)?.discardsCase == true }
}
