internal import Foundation
internal import SystemPackage

extension Error {
  /// The system's own reason for an error.
  ///
  /// Foundation's descriptions are written for dialogues: "The operation could not be completed.
  /// You don't have permission." They do not say what failed, and do not fit into a line.
  package var systemReason: String {
    if let code = self as? Errno { return "\(code)" }
    if let error = self as? POSIXError { return "\(Errno(rawValue: CInt(error.code.rawValue)))" }
    if let cause = (self as? CocoaError)?.underlying { return cause.systemReason }
    return localizedDescription
  }
}
