/// Says that a property does not hold for a case.
public struct PropertyFailure: Error, Sendable, CustomStringConvertible {
  /// What does not hold.
  public let message: String
  /// The file, as `#fileID` names it.
  public let fileID: String
  /// The line, from 1.
  public let line: Int

  /// A failure at a place of the source, which tells it from failures elsewhere.
  public init(_ message: String, fileID: String = #fileID, line: Int = #line) {
    self.message = message
    self.fileID = fileID
    self.line = line
  }

  /// The place and the message.
  public var description: String { "\(fileID):\(line): \(message)" }
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
public func require(
  _ condition: @autoclosure () throws -> Bool,
  _ message: @autoclosure () -> String = "the requirement does not hold",
  fileID: StaticString = #fileID, line: Int = #line
) throws {
  guard try condition() else {
    throw PropertyFailure(message(), fileID: "\(fileID)", line: line)
  }
}

/// Says that a case did not end in time.
public struct CaseTimedOut: Error, Hashable, Sendable, CustomStringConvertible {
  /// What it was given.
  public let limit: Duration

  /// What happened.
  public var description: String { "the case did not end within \(limit)" }
}

extension FailureOrigin {
  /// What tells an error from others: its type and, where it knows it, its place.
  package init(_ error: any Error) {
    let cause = (error as? StepFailure)?.underlying ?? error
    let failure = cause as? PropertyFailure
    self.init(
      errorType: String(reflecting: type(of: cause)),
      place: failure.map { "\($0.fileID):\($0.line)" })
  }
}
