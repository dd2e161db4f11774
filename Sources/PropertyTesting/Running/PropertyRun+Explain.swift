extension PropertyRun {
  /// How many other values of an argument are tried.
  ///
  /// If 32 in a row fail, at least 91 % of all do with 95 % certainty (0.91^32 < 0.05).
  private static var trials: Int { 32 }
  /// Fewer trials that came to anything say too little: 8 in a row fail one time in 256 when
  /// half of the values do.
  private static var fewestTrials: Int { 8 }

  /// Which arguments of a failing case matter.
  ///
  /// - Parameters:
  ///   - smallest: the case.
  ///   - origin: of its failure.
  /// - Returns: One for each argument that draws something and of which enough other values could
  ///   be tried, in their order.
  func explain(_ smallest: Attempt, _ origin: FailureOrigin) async -> [Explanation] {
    var explanations: [Explanation] = []
    for (number, argument) in smallest.arguments.enumerated() {
      var (tried, matters) = (0, false)
      for trial in 0..<Self.trials where !matters && !Task.isCancelled {
        guard let varied = await vary(argument, number, of: smallest, trial) else { continue }
        switch await evaluate(varied).outcome {
        case .failed(origin): tried += 1
        case .failed, .passed:
          tried += 1
          matters = true
        // It is no other case of the property.
        case .discarded, .overrun: break
        }
      }
      if matters || tried >= Self.fewestTrials {
        explanations.append(Explanation(argument: number, matters: matters, trials: tried))
      }
    }
    return explanations
  }

  /// The case with another value of one argument, or nil when that could not be drawn.
  private func vary(
    _ argument: Span, _ number: Int, of attempt: Attempt, _ trial: Int
  ) async -> [Choice]? {
    let before = Array(attempt.choices[..<argument.start])
    let start = CaseStart.replay(before, tail: .random, seed: seed &+ UInt64(trial))
    guard let record = await runner.draw(start)?.record else { return nil }
    let drawn = Attempt(choices: record.choices, spans: record.spans, outcome: .passed)
    guard number < drawn.arguments.count else { return nil }
    let other = drawn.arguments[number]
    guard other.start == argument.start else { return nil }
    let value = drawn.choices[other.start..<other.end]
    guard value != attempt.choices[argument.start..<argument.end] else { return nil }
    return before + value + attempt.choices[argument.end...]
  }
}

extension Attempt {
  /// The outermost arguments, in their order.
  fileprivate var arguments: [Span] {
    var outermost: [Span] = []
    // Spans around others end after them, so the last is looked at first.
    for span in spans.reversed() where span.kind == .argument {
      if let next = outermost.last, span.start >= next.start { continue }
      outermost.append(span)
    }
    return outermost.reversed()
  }
}
