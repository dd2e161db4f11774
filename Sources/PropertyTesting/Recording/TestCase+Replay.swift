extension TestCase {
  /// The next of the replayed list; nil at its end or when there are too many choices.
  mutating func nextReplayed() -> Choice? {
    let place = choices.count
    guard place < replayed.count, place < Self.mostChoices else {
      if tail == .overrun || place >= Self.mostChoices { isOverrun = true }
      return nil
    }
    return replayed[place]
  }

  /// Marks what a body draws as one span.
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

  /// Writes down a span that ends here.
  @inline(__always)
  mutating func endSpan(_ kind: Span.Kind, start: Int) {
    guard choices.count > start else { return }
    spans.append(Span(kind: kind, start: start, end: choices.count, depth: depth))
  }

  /// What a case wrote down, to be taken from one task to another.
  struct Record: Sendable {
    var choices: [Choice]
    var spans: [Span]
    var labels: [Label]
    var collected: [Collected]
    var scores: [Score]
    var notes: [String]
    var isOverrun: Bool
    var isMisaligned: Bool
  }

  /// What was written down so far; setting it makes this case the one that wrote it.
  var record: Record {
    get {
      Record(
        choices: choices, spans: spans, labels: labels, collected: collected, scores: scores,
        notes: notes, isOverrun: isOverrun, isMisaligned: isMisaligned)
    }
    set {
      (choices, spans, labels) = (newValue.choices, newValue.spans, newValue.labels)
      collected = newValue.collected
      (scores, notes) = (newValue.scores, newValue.notes)
      (isOverrun, isMisaligned) = (newValue.isOverrun, newValue.isMisaligned)
    }
  }
}
