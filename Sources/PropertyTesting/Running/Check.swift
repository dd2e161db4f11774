/// Runs a property: asks for a value for which it does not hold, and makes that value simple.
///
/// - Parameters:
///   - name: of the property; failures are stored under it.
///   - generator: makes the values.
///   - examples: values that are tried first.
///   - settings: how to run it.
///   - codec: writes and reads values, so that stored failures outlive a change of the generator.
///   - describe: writes a value for people.
///   - body: throws when the property does not hold for a value; `require` does. It throws
///     `Discarded` for a value that is no test of the property.
/// - Returns: What was found. Nothing is thrown: whatever goes wrong is in the report.
public func check<Value: Sendable>(
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
