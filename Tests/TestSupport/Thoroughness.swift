internal import Foundation

/// How much of what the slow tests could try they do try.
package enum Thoroughness {
  /// Whether the environment asks for everything by ZOOMBENCH_THOROUGH, as ci/nightly does.
  package static let isFull = ProcessInfo.processInfo.environment["ZOOMBENCH_THOROUGH"] != nil

  /// The first of both values as a rule, the second in a full run.
  package static func pick<Value>(_ usual: Value, full: Value) -> Value { isFull ? full : usual }
}
