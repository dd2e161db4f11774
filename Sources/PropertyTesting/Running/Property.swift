/// A namespace for running properties and stating requirements, so that the names do not clash with a user's.
public enum Property {
  /// Searches for a value that violates a property, and shrinks it.
  ///
  /// - Parameters:
  ///   - name: the name of the property, under which failures are stored.
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
    return await PropertyRun(name, generator, examples, settings, codec, describe, body).run()
  }

  /// Throws a `PropertyFailure` unless a condition holds.
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
}

/// The error of a property that does not hold for a case.
public struct PropertyFailure: PlacedError, CustomStringConvertible {
  /// The violated requirement, as text.
  public let message: String
  /// The file, in the form of `#fileID`.
  public let fileID: String
  /// The line, from 1.
  public let line: Int

  /// Creates a failure at a source position, which distinguishes it from failures elsewhere.
  public init(_ message: String, fileID: String = #fileID, line: Int = #line) {
    self.message = message
    self.fileID = fileID
    self.line = line
  }

  package var failurePlace: String? { "\(fileID):\(line)" }

  /// The source position and the message.
  public var description: String { "\(fileID):\(line): \(message)" }
}

/// The error of a case that exceeds its time limit.
public struct CaseTimedOut: Error, Hashable, Sendable, CustomStringConvertible {
  /// The time limit.
  public let limit: Duration

  /// The error, as text.
  public var description: String { "the case did not end within \(limit)" }
}

/// An error with a source position, which distinguishes it from other errors of its type.
package protocol PlacedError: Error {
  var failurePlace: String? { get }
}

/// The identity of a bug: two failures with equal origins count as one bug.
public struct FailureOrigin: Hashable, Sendable {
  /// The type of the thrown error or of the recorded issue.
  public let errorType: String
  /// The position in the source, if known.
  public let place: String?

  package init(errorType: String, place: String? = nil) {
    self.errorType = errorType
    self.place = place
  }

  package init(_ error: any Error) {
    self.init(
      errorType: String(reflecting: type(of: error)),
      place: (error as? any PlacedError)?.failurePlace)
  }
}
