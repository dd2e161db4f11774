/// A case in progress, which hands out choices and records them.
///
/// Choices come from a pseudo-random sequence or from a replayed list. A generator cannot see the difference.
public struct TestCase: ~Copyable {
  /// The source of choices after the end of a replayed list.
  ///
  /// Choices are the simplest or random; in `nearSimplest`, three of four are near the simplest. `overrun` yields the
  /// simplest and sets `isOverrun`.
  package enum Tail: Sendable { case overrun, simplest, random, nearSimplest }

  /// The recorded state of a case, for transfer between tasks.
  struct Record: Sendable {
    var choices: [Choice] = []
    /// The finished spans; inner spans precede the spans that contain them.
    var spans: [Span] = []
    /// The classes that `classify` named, whether the case belongs to them, and their required shares.
    var labels: [(name: String, holds: Bool, share: Double?)] = []
    /// The values collected for tables of the report.
    var collected: [(table: String, value: String)] = []
    /// The numbers that the run tries to increase.
    var scores: [(name: String, value: Double)] = []
    /// The notes and hand-drawn values of the body, recorded only if `keepsNotes` is set.
    var notes: [String] = []
    var isOverrun = false
  }

  /// The greatest number of choices, as in Hypothesis; a larger case is too large to read or shrink and is abandoned.
  package static let mostChoices = 8192

  var record = Record()
  var keepsNotes = false
  var replayed: [Choice] = []
  /// A fuzzer's bytes, which are replayed instead of the list; see `begin(decoding:)`.
  var words: UnsafeRawBufferPointer?
  var tail = Tail.random
  var random = SplitMix64(seed: 0)
  var depth = 0
  /// The probability that a number is an edge of its range, in units of 2^-64.
  var edgeShare: UInt64 = 0

  @inline(__always)
  package var choices: [Choice] { record.choices }
  package var spans: [Span] { record.spans }
  /// Whether the generator asked for more choices than the replayed list or `mostChoices` allows.
  @inline(__always)
  package var isOverrun: Bool { record.isOverrun }

  @inline(__always)
  var isDrawing: Bool {
    (tail == .random || tail == .nearSimplest) && choices.count >= replayed.count
      && choices.count < Self.mostChoices
  }

  /// Decides whether the next choice is drawn near the simplest, as three of four are in the tail `nearSimplest`.
  @inline(__always)
  mutating func takesSimple() -> Bool { tail == .nearSimplest && random.next() >> 62 != 0 }

  @inline(__always)
  mutating func takesEdge() -> Bool { random.next() <= edgeShare }

  /// Creates a case without choices; call a `begin` function before drawing.
  package init() {}

  package mutating func begin(seed: UInt64, index: UInt64) {
    replayed.removeAll(keepingCapacity: true)
    begin(.random, SplitMix64(seed: seed, index: index))
  }

  /// Begins a case that replays a list of choices and then takes choices from a tail with a seed.
  ///
  /// A choice that violates the requested limits is replaced with the simplest one.
  package mutating func begin(replaying list: [Choice], tail: Tail, seed: UInt64 = 0) {
    replayed = list
    begin(tail, SplitMix64(seed: seed))
  }

  /// Begins a case with an empty record, which reuses its storage.
  private mutating func begin(_ tail: Tail, _ random: SplitMix64) {
    record.choices.removeAll(keepingCapacity: true)
    record.spans.removeAll(keepingCapacity: true)
    record.labels.removeAll(keepingCapacity: true)
    record.collected.removeAll(keepingCapacity: true)
    record.scores.removeAll(keepingCapacity: true)
    record.notes.removeAll(keepingCapacity: true)
    (record.isOverrun, depth, words) = (false, 0, nil)
    (self.tail, self.random) = (tail, random)
    // Of eight cases, five have an edge share of 1/32, two of 1/2, and one of 1. So edges of several arguments also
    // occur together.
    switch self.random.next() >> 61 {
    case 0: edgeShare = .max
    case 1, 2: edgeShare = 1 << 63
    default: edgeShare = 1 << 59
    }
  }

  /// Returns the next choice of the replayed list; nil at its end or at `mostChoices`.
  mutating func nextReplayed() -> Choice? {
    let place = choices.count
    guard place < replayed.count, place < Self.mostChoices else {
      if tail == .overrun || place >= Self.mostChoices { record.isOverrun = true }
      return nil
    }
    return replayed[place]
  }

  /// Records the choices that a body draws as one span.
  package mutating func span<Value, E: Error>(
    _ kind: Span.Kind, _ body: (inout TestCase) throws(E) -> Value
  ) throws(E) -> Value {
    let start = choices.count
    depth += 1
    let value = try body(&self)
    depth -= 1
    endSpan(kind, start: start)
    return value
  }

  /// Records a span that ends at the last choice.
  @inline(__always)
  mutating func endSpan(_ kind: Span.Kind, start: Int) {
    guard choices.count > start else { return }
    record.spans.append(Span(kind: kind, start: start, end: choices.count, depth: depth))
  }
}

/// A range of choices that belong together, such as one element of a list.
///
/// The shrinker deletes or replaces the choices of a span as a unit.
package struct Span: Hashable, Sendable {
  package enum Kind: UInt8, Sendable {
    /// An argument of the property, or a value drawn by hand.
    case argument, draw
    /// One element of a collection, with the choice to add it, or a value that a filter rejected.
    case element, rejected
    /// A value whose generator depends on the value drawn before it.
    case dependent
    /// One of several alternatives, with the choice between them.
    case alternative
  }

  package let kind: Kind
  /// The index of the first choice, and the index after the last choice.
  package let start, end: Int
  /// The number of spans that contain this span.
  package let depth: Int
}

/// The error that discards a case, which a filter or an assumption rejected.
public struct Discarded: Error, Sendable {
  /// Creates the error.
  public init() {}
}

/// An error that may discard the case that throws it, as `Discarded` does.
package protocol DiscardingError: Error {
  var discardsCase: Bool { get }
}

extension Error {
  var isDiscard: Bool { self is Discarded || (self as? any DiscardingError)?.discardsCase == true }
}

extension TestCase {
  /// Draws a value inside the body of a property; a counterexample shows it with its label.
  public mutating func draw<Value>(
    _ generator: Gen<Value>, as label: StaticString? = nil
  ) throws(Discarded) -> Value {
    let value = try span(.draw, generator.body)
    note(label.map { "\($0) = \(value)" } ?? "\(value)")
    return value
  }

  /// Records a line to be shown with the counterexample.
  public mutating func note(_ text: @autoclosure () -> String) {
    if keepsNotes { record.notes.append(text()) }
  }

  /// Discards the case unless a condition holds.
  public func assume(_ condition: Bool) throws(Discarded) {
    guard condition else { throw Discarded() }
  }

  /// Counts the case in a class if a condition holds.
  ///
  /// `share` is the required share of cases in the class, above 0 and at most 1. A sequential test decides whether the
  /// requirement is met; the run passes only if it is.
  public mutating func classify(
    _ condition: Bool, as name: String, atLeast share: Double? = nil
  ) {
    record.labels.append((name, condition, share))
  }

  /// Counts the case in a table of the report, in the row of a value.
  public mutating func collect(_ value: some Sendable, as table: String) {
    let entry = (table: table, value: "\(value)")
    if !record.collected.contains(where: { $0 == entry }) { record.collected.append(entry) }
  }

  /// Asks the run to search for cases in which a finite number is high; a property may have several named scores.
  public mutating func target(_ score: Double, as name: String = "score") {
    if score.isFinite { record.scores.append((name, score)) }
  }
}
