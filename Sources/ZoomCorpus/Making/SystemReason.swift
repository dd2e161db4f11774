internal import Foundation
internal import SystemPackage

extension Error {
  /// Why the system refused something, in its own words.
  ///
  /// Foundation's descriptions are sentences for a dialogue, such as "The operation could not be
  /// completed. You don't have permission.", which neither say what failed nor fit into a line.
  package var systemReason: String {
    if let code = self as? Errno { return "\(code)" }
    if let error = self as? POSIXError { return "\(Errno(rawValue: CInt(error.code.rawValue)))" }
    if let cause = (self as? CocoaError)?.underlying { return cause.systemReason }
    return localizedDescription
  }
}
