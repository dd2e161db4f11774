extension TestCase {
  /// Draws elements until a choice ends the list; `draw` returns nil for a duplicate.
  ///
  /// A span covers each element and the choice to continue, so deleting the span deletes the element.
  fileprivate mutating func elements<Element>(
    _ count: ClosedRange<Int>, _ draw: (inout TestCase) throws(Discarded) -> Element?
  ) throws(Discarded) -> [Element] {
    precondition(count.lowerBound >= 0, "a collection needs a count of at least 0")
    var drawn: [Element] = []
    let (least, most) = (count.lowerBound, count.upperBound)
    // The mean length is that of Hypothesis, a compromise between speed and interesting lists.
    let mean = min(max(2 * Double(least), Double(least) + 5), (Double(least) + Double(most)) / 2)
    let more = 1 - 1 / (1 + mean - Double(least))
    var rejections = 0
    while drawn.count < most {
      let start = choices.count
      depth += 1
      if drawn.count >= least {
        let another = index(through: 1) { $0.nextUnit() < more ? 1 : 0 }
        guard another == 1 else {
          depth -= 1
          break
        }
      }
      let element = try draw(&self)
      depth -= 1
      if let element {
        endSpan(.element, start: start)
        drawn.append(element)
      } else {
        endSpan(.rejected, start: start)
        rejections += 1
        // This many rejections suggest that hardly any new values are left.
        guard rejections <= max(3, 2 * least) else {
          guard drawn.count >= least else { throw Discarded() }
          break
        }
      }
    }
    return drawn
  }
}

extension Gen {
  /// Returns a generator of arrays whose length is in `count`; shorter arrays are simpler.
  public static func array<Element>(
    of element: Gen<Element>, count: ClosedRange<Int> = 0...32
  ) -> Gen where Value == [Element] {
    Gen { testCase throws(Discarded) in
      try testCase.elements(count) { (testCase) throws(Discarded) -> Element? in
        try element.body(&testCase)
      }
    }
  }

  /// Returns a generator of sets; smaller sets are simpler.
  ///
  /// If fewer distinct elements than the least count are found, the case is discarded.
  public static func set<Element: Hashable & SendableMetatype>(
    of element: Gen<Element>, count: ClosedRange<Int> = 0...32
  ) -> Gen where Value == Set<Element> {
    Gen { testCase throws(Discarded) in
      var seen: Set<Element> = []
      _ = try testCase.elements(count) { (testCase) throws(Discarded) -> Element? in
        let drawn = try element.body(&testCase)
        return seen.insert(drawn).inserted ? drawn : nil
      }
      return seen
    }
  }

  /// Returns a generator of dictionaries; smaller dictionaries are simpler.
  ///
  /// If fewer distinct keys than the least count are found, the case is discarded.
  public static func dictionary<Key: Hashable & SendableMetatype, Item>(
    of key: Gen<Key>, to value: Gen<Item>, count: ClosedRange<Int> = 0...32
  ) -> Gen where Value == [Key: Item] {
    Gen { testCase throws(Discarded) in
      var made: [Key: Item] = [:]
      _ = try testCase.elements(count) { (testCase) throws(Discarded) -> Bool? in
        let name = try key.body(&testCase)
        guard made[name] == nil else { return nil }
        made[name] = try value.body(&testCase)
        return true
      }
      return made
    }
  }

  /// Returns a generator of optional values; nil is the simplest.
  public static func optional<Wrapped>(of wrapped: Gen<Wrapped>) -> Gen
  where Value == Wrapped? {
    Gen { testCase throws(Discarded) in
      try testCase.span(.alternative) { testCase throws(Discarded) in
        // A quarter of the values are nil.
        let isThere = testCase.index(through: 1) { $0.next() >> 62 == 0 ? 0 : 1 }
        return isThere == 1 ? try wrapped.body(&testCase) : nil
      }
    }
  }

  /// Returns a generator of permutations; the given order is the simplest.
  public static func permutation<Element: Sendable>(of elements: [Element]) -> Gen
  where Value == [Element] {
    Gen { testCase throws(Discarded) in
      var order = elements
      for place in order.indices.dropLast() {
        let rest = UInt64(order.count - 1 - place)
        let jump = testCase.index(through: rest) { $0.next(through: rest) }
        order.swapAt(place, place + Int(jump))
      }
      return order
    }
  }
}

extension Gen where Value == Unicode.Scalar {
  /// A generator of Unicode scalars: mostly printable ASCII, often scalars that programs mishandle.
  fileprivate static var anyScalar: Gen {
    let printable = Gen<UInt8>.integer(in: 0x20...0x7E, shrinkingTowards: 0x61)
    let any = Gen<UInt32>.integer(in: 0...0x10FFFF, shrinkingTowards: 0x61)
    return .weighted([
      (8, printable.map { Unicode.Scalar($0) }),
      (2, .element(of: awkward)),
      (2, any.compactMap { Unicode.Scalar($0) }),
    ])
  }

  /// Scalars that programs often mishandle: controls, separators, joiners, combining marks, right-to-left text, the
  /// byte order mark, the last scalars of planes.
  private static var awkward: [Unicode.Scalar] {
    [
      "\u{0}", "\t", "\n", "\r", "\"", "\\", "\u{7F}", "\u{85}", "\u{A0}", "\u{DF}", "\u{130}",
      "\u{301}", "\u{5D0}", "\u{200B}", "\u{200D}", "\u{202E}", "\u{2028}", "\u{FE0F}",
      "\u{FEFF}", "\u{FFFD}", "\u{FFFF}", "\u{1F600}", "\u{1F1E6}", "\u{10FFFF}",
    ]
  }
}

extension Gen where Value == Character {
  /// Returns a generator of the characters of a text that is not empty; earlier characters are simpler.
  public static func character(of text: String) -> Gen { .element(of: Array(text)) }
}

extension Gen where Value == String {
  /// Returns a generator of strings of given characters; shorter strings are simpler.
  public static func string(
    of character: Gen<Character>, count: ClosedRange<Int> = 0...32
  ) -> Gen {
    Gen<[Character]>.array(of: character, count: count).map { String($0) }
  }

  /// Returns a generator of strings of any Unicode scalars; `count` limits the number of scalars.
  public static func anyString(count: ClosedRange<Int> = 0...32) -> Gen {
    Gen<[Unicode.Scalar]>.array(of: .anyScalar, count: count).map { scalars in
      var text = String.UnicodeScalarView()
      text.append(contentsOf: scalars)
      return String(text)
    }
  }
}
