package import ZoomLaws

/// A mistake that is built into a subject on purpose, to see whether the laws find it.
package struct SeededFault<Subject: LawSubject>: Sendable {
  /// A short name, unique among the faults of a kind of subject.
  package let name: String
  /// What goes wrong, in one sentence.
  package let summary: String
  /// The real bug it follows, as `owner/project#number`, or nil for one of our own making.
  package let origin: String?
  /// Why no input can tell the faulty subject from the sound one; nil where some can.
  package let equivalence: String?
  private let change: @Sendable (_ faulty: inout Subject, _ sound: Subject) -> Void

  /// A fault that changes a copy of the sound subject.
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

  /// The faulty subject made of a sound one, under the same name.
  package func planted(in sound: Subject) -> Subject {
    var faulty = sound
    change(&faulty, sound)
    return faulty
  }
}

// One for each number of inputs: a closure with an inout parameter before a parameter pack is not
// inferred (Swift 6.3).
extension SeededFault {
  /// A function of a subject, which a fault replaces.
  typealias Part<Function> = any WritableKeyPath<Subject, Function> & Sendable

  /// A fault that changes what a function of one input answers.
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

  /// A fault that changes what a function of two inputs answers.
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

  /// A fault that gives a function of one input another input.
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
