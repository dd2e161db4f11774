/// The spans of a case as a forest.
struct SpanLayout {
  /// The spans, each after those around it.
  let spans: [Span]
  /// For each span the one around it.
  let parents: [Int?]
  /// For each span how many are around it.
  let levels: [Int]
  /// Spans of one kind with one parent, from left to right.
  let families: [[Int]]
  /// For each span its family, and its place there.
  let places: [(family: Int, index: Int)]

  /// One child of a family is found by its kind and what is around it.
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

  /// The last span of a level that starts before a place and may be left out.
  func lastRemovable(level: Int, before place: Int) -> Int? {
    spans.indices.last { number in
      levels[number] == level && spans[number].start < place && spans[number].kind.isRemovable
    }
  }

  /// How deep the spans lie in each other.
  var levelCount: Int { (levels.max() ?? -1) + 1 }
}

extension Span.Kind {
  /// Whether a generator may do without such a span.
  var isRemovable: Bool {
    switch self {
    case .element, .rejected, .draw: true
    case .argument, .dependent, .alternative: false
    }
  }
}

extension [Choice] {
  /// The list without a stretch.
  func removing(_ stretch: Range<Int>) -> [Choice] {
    var list = self
    list.removeSubrange(stretch)
    return list
  }

  /// The list with a stretch replaced.
  func replacing(_ stretch: Range<Int>, with choices: some Collection<Choice>) -> [Choice] {
    var list = self
    list.replaceSubrange(stretch, with: choices)
    return list
  }

  /// The list with one choice replaced.
  func replacing(_ index: Int, with choice: Choice) -> [Choice] {
    var list = self
    list[index] = choice
    return list
  }
}
