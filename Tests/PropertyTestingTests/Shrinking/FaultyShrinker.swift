import PropertyTesting

/// A small shrinker with an optional fault, to test the laws.
enum FaultyShrinker: CaseIterable {
  case acceptsPassing
  case dropsOrigin
  case acceptsLarger
  case ignoresLimits
  case asksTwice
  case miscounts
  case invents
  case stopsEarly
  case reportsTheSameAsSlip

  /// The law that the fault violates.
  var breaks: ShrinkLaw {
    switch self {
    case .acceptsPassing, .dropsOrigin: .resultFails
    case .acceptsLarger: .notLarger
    case .ignoresLimits: .withinLimits
    case .asksTwice: .noRepetition
    case .miscounts: .honestCounts
    case .invents: .resultWasRun
    case .stopsEarly: .stable
    case .reportsTheSameAsSlip: .slipsAreOthers
    }
  }

  /// Returns a shrinker that deletes and simplifies single choices, with or without a fault.
  static func function(_ fault: FaultyShrinker?) -> ShrinkFunction {
    { start, limits, onSlip, evaluate in
      var best = start
      var asked: Set<[Choice]> = []
      var (runs, calls, improvements) = (0, 0, 0)
      func improves(_ list: [Choice]) async -> Bool {
        guard fault == .asksTwice || (asked.insert(list).inserted && list != start.choices) else {
          return false
        }
        guard runs < limits.evaluations || fault == .ignoresLimits else { return false }
        let attempt = await evaluate(list)
        calls += 1
        if attempt.outcome != .overrun { runs += 1 }
        if case .failed = attempt.outcome,
          attempt.outcome != start.outcome || fault == .reportsTheSameAsSlip
        {
          onSlip?(attempt)
        }
        let isAccepted: Bool =
          switch attempt.outcome {
          case .failed: attempt.outcome == start.outcome || fault == .dropsOrigin
          case .passed: fault == .acceptsPassing
          case .discarded, .overrun: false
          }
        guard isAccepted else { return false }
        guard fault == .acceptsLarger || attempt.choices.isSimpler(than: best.choices) else {
          return false
        }
        best = attempt
        improvements += 1
        return true
      }
      var before = -1
      while before < improvements, improvements < 1000 {
        before = improvements
        for index in best.choices.indices.reversed() where index < best.choices.count {
          if fault == .stopsEarly, improvements > 0 { break }
          var list = best.choices
          if fault == .acceptsLarger, case .integer(let choice) = list[index],
            let higher = choice.at(choice.distance + 1)
          {
            list[index] = .integer(higher)
          } else {
            list.remove(at: index)
          }
          if await improves(list) { continue }
          _ = await improves(
            best.choices.enumerated().map { $0 == index ? $1.simplest : $1 })
        }
        if fault == .stopsEarly { break }
      }
      if fault == .invents {
        let invented =
          best.choices.dropLast() + [.integer(IntegerChoice(magnitude: 0, below: 0, above: 99))]
        best = Attempt(choices: Array(invented), spans: [], outcome: best.outcome)
      }
      return ShrinkResult(
        smallest: best, evaluations: fault == .miscounts ? runs + 1 : runs, attempts: calls,
        reason: runs < limits.evaluations ? .finished : .evaluations)
    }
  }
}
