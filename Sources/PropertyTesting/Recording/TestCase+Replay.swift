extension TestCase {
  /// Returns the next choice of the replayed list; nil at its end or at `mostChoices`.
  mutating func nextReplayed() -> Choice? {
    let place = choices.count
    guard place < replayed.count, place < Self.mostChoices else {
      if tail == .overrun || place >= Self.mostChoices { isOverrun = true }
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
    spans.append(Span(kind: kind, start: start, end: choices.count, depth: depth))
  }

  /// The recorded state of a case, for transfer between tasks.
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

  /// The state recorded so far; assigning it replaces the state of this case.
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
