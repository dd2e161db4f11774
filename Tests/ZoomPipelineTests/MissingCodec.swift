import Foundation
import Testing

/// Reports that a test tries less because libvips lacks a codec.
///
/// It is a failure if ci/setup has installed libvips, so that no test is weakened unnoticed;
/// elsewhere it is a warning.
func reportMissingCodec(_ name: String, sourceLocation: SourceLocation = #_sourceLocation) {
  let isFailure = ProcessInfo.processInfo.environment["ZOOMBENCH_CI"] != nil
  Issue.record(
    "libvips has no codec for \(name) here", severity: isFailure ? .error : .warning,
    sourceLocation: sourceLocation)
}
