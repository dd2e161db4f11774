package import ZoomLaws

/// A fault that is planted in a subject to test whether the laws find it.
package struct SeededFault<Subject: LawSubject>: Sendable {
  /// A short name, unique among the faults of a kind of subject.
  package let name: String
  /// The effect of the fault, in one sentence.
  package let summary: String
  /// The real bug that it follows, as `owner/project#number`; nil if it is invented.
  package let origin: String?
  /// The argument why no input distinguishes the faulty subject from the sound one; nil if some input does.
  package let equivalence: String?
  private let change: @Sendable (_ faulty: inout Subject, _ sound: Subject) -> Void

  /// Creates a fault that changes a copy of the sound subject.
  package init(
    _ name: String, _ summary: String, origin: String? = nil, equivalence: String? = nil,
    plant change: @escaping @Sendable (_ faulty: inout Subject, _ sound: Subject) -> Void
  ) {
    self.name = name
    self.summary = summary
    self.origin = origin
    self.equivalence = equivalence
    self.change = change
  }

  /// Returns the faulty subject of a sound one, with the same name.
  package func planted(in sound: Subject) -> Subject {
    var faulty = sound
    change(&faulty, sound)
    return faulty
  }
}

// One initialiser per number of inputs, because Swift 6.3 cannot infer a closure with an inout parameter before a
// parameter pack.
extension SeededFault {
  /// A function of a subject, which a fault replaces.
  typealias Part<Function> = any WritableKeyPath<Subject, Function> & Sendable

  /// Creates a fault that changes the result of a function with one input.
  init<Input, Output>(
    _ name: String, _ summary: String, origin: String? = nil, equivalence: String? = nil,
    in part: Part<@Sendable (Input) throws -> Output>,
    _ change: @escaping @Sendable (inout Output, Input) throws -> Void
  ) {
    self.init(name, summary, origin: origin, equivalence: equivalence) { faulty, sound in
      let answer = sound[keyPath: part]
      faulty[keyPath: part] = { input in
        var output = try answer(input)
        try change(&output, input)
        return output
      }
    }
  }

  /// Creates a fault that changes the result of a function with two inputs.
  init<Input, More, Output>(
    _ name: String, _ summary: String, origin: String? = nil, equivalence: String? = nil,
    in part: Part<@Sendable (Input, More) throws -> Output>,
    _ change: @escaping @Sendable (inout Output, Input, More) throws -> Void
  ) {
    self.init(name, summary, origin: origin, equivalence: equivalence) { faulty, sound in
      let answer = sound[keyPath: part]
      faulty[keyPath: part] = { input, more in
        var output = try answer(input, more)
        try change(&output, input, more)
        return output
      }
    }
  }

  /// Creates a fault that changes the input of a function with one input.
  init<Input, Output>(
    _ name: String, _ summary: String, origin: String? = nil, equivalence: String? = nil,
    before part: Part<@Sendable (Input) throws -> Output>,
    _ change: @escaping @Sendable (inout Input) -> Void
  ) {
    self.init(name, summary, origin: origin, equivalence: equivalence) { faulty, sound in
      let answer = sound[keyPath: part]
      faulty[keyPath: part] = { input in
        var input = input
        change(&input)
        return try answer(input)
      }
    }
  }
}
