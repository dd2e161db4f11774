extension TestCase {
  /// Draws elements one after the other until a choice says that there are no more.
  ///
  /// Each element is one span together with the choice that brought it, so that leaving out the
  /// span leaves out the element.
  mutating func elements<Element>(
    _ count: ClosedRange<Int>, _ draw: (inout TestCase) throws(Discarded) -> Element?
  ) throws(Discarded) -> [Element] {
    var drawn: [Element] = []
    let (least, most) = (count.lowerBound, count.upperBound)
    // Mean lengths as in Hypothesis: short enough to be quick, long enough to be interesting.
    let mean = min(max(2 * Double(least), Double(least) + 5), (Double(least) + Double(most)) / 2)
    let more = 1 - 1 / (1 + mean - Double(least))
    var rejections = 0
    while drawn.count < most {
      let start = choices.count
      depth += 1
      if drawn.count >= least {
        let another = index(upTo: 1) { $0.nextUnit() < more ? 1 : 0 }
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
        // As many rejections as elements wanted, and a few, mean that there are hardly any left.
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
  /// A list; the shorter is the simpler.
  ///
  /// - Parameters:
  ///   - element: what makes each element.
  ///   - count: how many there may be; from 0.
  /// - Returns: Such a generator.
  public static func array<Element>(
    of element: Gen<Element>, count: ClosedRange<Int> = 0...32
  ) -> Gen where Value == [Element] {
    precondition(count.lowerBound >= 0, "array(of:count:) needs a count of at least 0")
    return Gen { testCase throws(Discarded) in
      try testCase.elements(count) { (testCase) throws(Discarded) -> Element? in
        try element.body(&testCase)
      }
    }
  }

  /// A set; the smaller is the simpler.
  ///
  /// - Parameters:
  ///   - element: what makes each element; one drawn twice counts once.
  ///   - count: how many there may be; from 0. The case is discarded when too few are found.
  /// - Returns: Such a generator.
  public static func set<Element: Hashable & SendableMetatype>(
    of element: Gen<Element>, count: ClosedRange<Int> = 0...32
  ) -> Gen where Value == Set<Element> {
    precondition(count.lowerBound >= 0, "set(of:count:) needs a count of at least 0")
    return Gen { testCase throws(Discarded) in
      var seen: Set<Element> = []
      _ = try testCase.elements(count) { (testCase) throws(Discarded) -> Element? in
        let drawn = try element.body(&testCase)
        return seen.insert(drawn).inserted ? drawn : nil
      }
      return seen
    }
  }

  /// A dictionary; the smaller is the simpler.
  ///
  /// - Parameters:
  ///   - key: what makes each key; one drawn twice counts once.
  ///   - value: what makes each value.
  ///   - count: how many pairs there may be; from 0.
  /// - Returns: Such a generator.
  public static func dictionary<Key: Hashable & SendableMetatype, Item>(
    of key: Gen<Key>, to value: Gen<Item>, count: ClosedRange<Int> = 0...32
  ) -> Gen where Value == [Key: Item] {
    precondition(count.lowerBound >= 0, "dictionary(of:to:count:) needs a count of at least 0")
    return Gen { testCase throws(Discarded) in
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

  /// A value or nil; nil is the simpler.
  public static func optional<Wrapped>(of wrapped: Gen<Wrapped>) -> Gen
  where Value == Wrapped? {
    Gen { testCase throws(Discarded) in
      try testCase.span(.alternative) { testCase throws(Discarded) in
        // One of four is nil.
        let isThere = testCase.index(upTo: 1) { $0.next() >> 62 == 0 ? 0 : 1 }
        return isThere == 1 ? try wrapped.body(&testCase) : nil
      }
    }
  }

  /// Some elements in another order; the order given is the simplest.
  public static func permutation<Element: Sendable>(of elements: [Element]) -> Gen
  where Value == [Element] {
    Gen { testCase throws(Discarded) in
      var order = elements
      for place in order.indices.dropLast() {
        let rest = UInt64(order.count - 1 - place)
        let jump = testCase.index(upTo: rest) { $0.next(upTo: rest) }
        order.swapAt(place, place + Int(jump))
      }
      return order
    }
  }
}
