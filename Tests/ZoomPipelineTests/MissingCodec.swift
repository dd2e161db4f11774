import Foundation
import Testing

/// Reports that a test tries less because libvips lacks a codec.
///
/// With the libvips that ci/setup installs it is a failure, so that no test is weakened unnoticed.
func reportMissingCodec(_ name: String, sourceLocation: SourceLocation = #_sourceLocation) {
  let isFailure = ProcessInfo.processInfo.environment["ZOOMBENCH_CI"] != nil
  Issue.record(
    "libvips has no codec for \(name) here", severity: isFailure ? .error : .warning,
    sourceLocation: sourceLocation)
}
