/// A forest of the spans of a case.
struct SpanLayout {
  /// The spans, each after those that contain it.
  let spans: [Span]
  /// The parent of each span, which is the innermost span that contains it.
  let parents: [Int?]
  /// The depth of each span in the forest.
  let levels: [Int]
  /// The families: spans of one kind with the same parent, from left to right.
  let families: [[Int]]
  /// The family of each span, and its index in the family.
  let places: [(family: Int, index: Int)]

  /// The key of a family.
  private struct FamilyName: Hashable {
    let parent: Int?
    let kind: Span.Kind
  }

  init(_ attempt: Attempt) {
    spans = attempt.spans.sorted { left, right in
      (left.start, -left.end, left.depth) < (right.start, -right.end, right.depth)
    }
    var parents: [Int?] = []
    var levels: [Int] = []
    var open: [Int] = []
    var families: [[Int]] = []
    var names: [FamilyName: Int] = [:]
    var places: [(family: Int, index: Int)] = []
    for (number, span) in spans.enumerated() {
      while let last = open.last, spans[last].end <= span.start { open.removeLast() }
      let name = FamilyName(parent: open.last, kind: span.kind)
      parents.append(open.last)
      levels.append(open.count)
      open.append(number)
      let family = names[name] ?? families.count
      if family == families.count {
        names[name] = family
        families.append([])
      }
      places.append((family, families[family].count))
      families[family].append(number)
    }
    (self.parents, self.levels, self.families, self.places) = (parents, levels, families, places)
  }

  /// Returns the last removable span of a level that starts before an index.
  func lastRemovable(level: Int, before place: Int) -> Int? {
    spans.indices.last { number in
      levels[number] == level && spans[number].start < place && spans[number].kind.isRemovable
    }
  }

  /// The number of levels.
  var levelCount: Int { (levels.max() ?? -1) + 1 }
}

extension Span.Kind {
  /// Whether a generator may work without such a span.
  var isRemovable: Bool {
    switch self {
    case .element, .rejected, .draw: true
    case .argument, .dependent, .alternative: false
    }
  }
}

extension [Choice] {
  /// Returns the list without a range.
  func removing(_ stretch: Range<Int>) -> [Choice] {
    var list = self
    list.removeSubrange(stretch)
    return list
  }

  /// Returns the list with a range replaced.
  func replacing(_ stretch: Range<Int>, with choices: some Collection<Choice>) -> [Choice] {
    var list = self
    list.replaceSubrange(stretch, with: choices)
    return list
  }

  /// Returns the list with one choice replaced.
  func replacing(_ index: Int, with choice: Choice) -> [Choice] {
    var list = self
    list[index] = choice
    return list
  }
}
