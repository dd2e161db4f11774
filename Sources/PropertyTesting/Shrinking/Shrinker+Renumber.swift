extension Shrinker {
  /// Leaves out one element and lowers the numbers that may count elements beyond it.
  ///
  /// Where elements are known by their index, leaving one out renames those after it; without
  /// this a list whose elements name each other stays as long as it was found.
  nonisolated(nonsending) func renumber(_ evaluate: Evaluate) async {
    var level = 0
    while level < layout.levelCount {
      var place = Int.max
      while !isStopped, let number = layout.lastRemovable(level: level, before: place) {
        let span = layout.spans[number]
        let index = UInt64(layout.places[number].index)
        var list = best.choices
        for place in list.indices where !(span.start..<span.end).contains(place) {
          guard case .integer(let choice) = list[place], choice.above > 1, !choice.isNegative,
            choice.magnitude > index, let lower = choice.at(choice.distance - 1)
          else { continue }
          list[place] = .integer(lower)
        }
        _ = await attempt(list.removing(span.start..<span.end), evaluate)
        place = span.start
      }
      level += 1
    }
  }
}
