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
}
