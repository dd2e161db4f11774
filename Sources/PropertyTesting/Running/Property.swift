/// Runs properties and makes demands in them; the names stand here so that they clash with none of
/// a user's own.
public enum Property {
  /// Runs a property: asks for a value for which it does not hold, and makes that value simple.
  ///
  /// - Parameters:
  ///   - name: of the property; failures are stored under it.
  ///   - generator: makes the values.
  ///   - examples: values that are tried first.
  ///   - settings: how to run it.
  ///   - codec: writes and reads values, so that stored failures outlive a change of the generator.
  ///   - describe: writes a value for people.
  ///   - body: throws when the property does not hold for a value; `Property.require` does. It throws
  ///     `Discarded` for a value that is no test of the property.
  /// - Returns: What was found. Nothing is thrown: whatever goes wrong is in the report.
  public static func check<Value: Sendable>(
    _ name: String, _ generator: Gen<Value>, examples: [Value] = [],
    settings: PropertySettings = PropertySettings(), codec: ValueCodec<Value>? = nil,
    describe: @escaping @Sendable (Value) -> String = { "\($0)" },
    _ body: @escaping @Sendable (Value, inout TestCase) async throws -> Void
  ) async -> PropertyReport<Value> {
    if let problem = settings.problem {
      var report = PropertyReport<Value>(name: name, seed: settings.seed ?? 0)
      report.verdict = .gaveUp(.invalidSettings(problem))
      return report
    }
    let run = PropertyRun(name, generator, examples, settings, codec, describe, body)
    return await run.report()
  }

  /// Throws a `PropertyFailure` unless a condition holds.
  ///
  /// - Parameters:
  ///   - condition: what the property demands.
  ///   - message: what does not hold; made only when needed.
  ///   - fileID: the file of the demand.
  ///   - line: the line of the demand.
  /// - Throws: `PropertyFailure`, or what the condition itself throws.
  @inline(__always)
  public static func require(
    _ condition: @autoclosure () throws -> Bool,
    _ message: @autoclosure () -> String = "the requirement does not hold",
    fileID: StaticString = #fileID, line: Int = #line
  ) throws {
    guard try condition() else {
      throw PropertyFailure(message(), fileID: "\(fileID)", line: line)
    }
  }

  /// Checks that a subject does what its model says, whatever is done to it in whatever order.
  ///
  /// A failure names the step at which subject and model part, and its counterexample is the
  /// shortest sequence found, one command a line, with what the subject answered as notes.
  ///
  /// - Parameters:
  ///   - name: of the property; failures are stored under it.
  ///   - machine: says what can be done and what holds.
  ///   - steps: how many commands a sequence has; from 0.
  ///   - settings: how to run it.
  ///   - makeSubject: makes a subject in the state of the model at the beginning; every case gets a
  ///     subject of its own.
  /// - Returns: What was found.
  public static func checkConforms<Subject, Model>(
    _ name: String, _ machine: StateMachine<Subject, Model>, steps: ClosedRange<Int> = 1...50,
    settings: PropertySettings = PropertySettings(),
    makeSubject: @escaping @Sendable (Model) async throws -> Subject
  ) async -> PropertyReport<CommandSequence<Subject, Model>> {
    await check(name, .commands(of: machine, count: steps), settings: settings) {
      sequence, testCase in
      try await machine.run(sequence, noting: &testCase, makeSubject: makeSubject)
    }
  }
}
