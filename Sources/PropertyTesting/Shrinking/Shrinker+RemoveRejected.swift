extension Shrinker {
  /// Leaves out what filters turned away, all of it at once: nothing was made of it.
  nonisolated(nonsending) func removeRejected(_ evaluate: Evaluate) async {
    var list = best.choices
    var end = list.count
    for span in best.spans.reversed() where span.kind == .rejected && span.end <= end {
      list.removeSubrange(span.start..<span.end)
      end = span.start
    }
    if list.count < best.choices.count { _ = await attempt(list, evaluate) }
  }
}
