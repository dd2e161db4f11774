/// The error of a property that does not hold for a case.
public struct PropertyFailure: Error, Sendable, CustomStringConvertible {
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
  /// The file and the line, if known.
  var failurePlace: String? { get }
}

extension PropertyFailure: PlacedError {
  package var failurePlace: String? { "\(fileID):\(line)" }
}

extension FailureOrigin {
  /// Creates the origin of an error from its type and, if known, its source position.
  package init(_ error: any Error) {
    let cause = (error as? StepFailure)?.underlying ?? error
    self.init(
      errorType: String(reflecting: type(of: cause)),
      place: (cause as? any PlacedError)?.failurePlace)
  }
}
