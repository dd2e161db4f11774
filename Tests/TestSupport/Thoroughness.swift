internal import Foundation

/// The extent of slow tests.
package enum Thoroughness {
  /// Whether ZOOMBENCH_THOROUGH is set, as by ci/nightly: then slow tests try everything.
  package static let isFull = ProcessInfo.processInfo.environment["ZOOMBENCH_THOROUGH"] != nil

  /// Returns the first value, or the second in a full run.
  package static func pick<Value>(_ usual: Value, full: Value) -> Value { isFull ? full : usual }
}
