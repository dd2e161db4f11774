/// A namespace for running properties and stating requirements, so that the names do not clash with a user's.
public enum Property {
  /// Searches for a value that violates a property, and shrinks it.
  ///
  /// - Parameters:
  ///   - name: the name of the property; failures are stored under it.
  ///   - generator: generates the values.
  ///   - examples: values to try first.
  ///   - settings: the settings of the run.
  ///   - codec: encodes and decodes values, so that stored failures survive a change of the generator.
  ///   - describe: returns a readable text for a value.
  ///   - body: throws if the property does not hold for a value, for example by `Property.require`. It throws
  ///     `Discarded` for a value to which the property does not apply.
  /// - Returns: The report. This function does not throw; the report contains all errors.
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
  ///   - condition: the requirement.
  ///   - message: describes the violation; evaluated only on failure.
  ///   - fileID: the file of the requirement.
  ///   - line: the line of the requirement.
  /// - Throws: `PropertyFailure`, or an error of the condition.
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

  /// Checks that a subject behaves like its model under any sequence of commands.
  ///
  /// A failure names the step at which subject and model differ. The counterexample is the shortest sequence found,
  /// with one command per line and the responses of the subject as notes.
  ///
  /// - Parameters:
  ///   - name: the name of the property; failures are stored under it.
  ///   - machine: defines the commands and the invariants.
  ///   - steps: the allowed numbers of commands in a sequence; from 0.
  ///   - settings: the settings of the run.
  ///   - makeSubject: creates a subject in the initial state of the model, once per run of a case.
  /// - Returns: The report.
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
