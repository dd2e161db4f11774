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

/// Says that a case did not end in time.
public struct CaseTimedOut: Error, Hashable, Sendable, CustomStringConvertible {
  /// What it was given.
  public let limit: Duration

  /// What happened.
  public var description: String { "the case did not end within \(limit)" }
}

/// An error that knows where it comes from, which tells it from others of its type.
package protocol PlacedError: Error {
  /// The file and the line.
  var failurePlace: String? { get }
}

extension PropertyFailure: PlacedError {
  package var failurePlace: String? { "\(fileID):\(line)" }
}

extension FailureOrigin {
  /// What tells an error from others: its type and, where it knows it, its place.
  package init(_ error: any Error) {
    let cause = (error as? StepFailure)?.underlying ?? error
    self.init(
      errorType: String(reflecting: type(of: cause)),
      place: (cause as? any PlacedError)?.failurePlace)
  }
}
