internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Finds the descendants of a program, including those that left its process group, for example by `setsid`.
///
/// Each program gets a mark in an environment variable, which its descendants inherit; a descendant that
/// marks programs itself appends its own. Linux shows the environment of a user's processes in /proc. A
/// process that clears its environment is not found, and other systems find none.
package struct MarkedProcesses: Sendable {
  /// A variable that SwiftPM leaves out of the keys of its caches.
  ///
  /// Any other one with a new mark would make each run of `swift build` evaluate all manifests again.
  static let uncachedVariable = "HYPERFINE_RANDOMIZED_ENVIRONMENT_OFFSET"
  /// The prefix that distinguishes the marks of this process from those of others.
  private static let run = "\(String(UInt64.random(in: .min ... .max), radix: 36))."
  private static let count = Atomic<Int>(0)

  /// A unique mark, such as "3w5e11264sgsf.7;".
  private let mark: String
  private let variable: String

  package init() { self.init(variable: "ZOOMBENCH_PROGRAM") }

  init(variable: String) {
    self.variable = variable
    mark = "\(Self.run)\(Self.count.add(1, ordering: .relaxed).newValue);"
  }

  var environment: [String: String] {
    [variable: (getenv(variable).map { String(cString: $0) } ?? "") + mark]
  }

  /// Ends every process with the mark except `process`, the first of them.
  package func end(after process: SpawnedProcess? = nil) { Self.end(mark, after: process) }

  /// Returns the processes with the mark except `process`, the first of them.
  package func descendants(of process: SpawnedProcess) -> [Int32] {
    Self.identifiers(of: mark, after: process)
  }

  /// Ends every process that this one has marked, when a run is interrupted.
  package static func endAll() { end(run, after: nil) }

  private static func end(_ mark: String, after process: SpawnedProcess?) {
    // At most sixteen passes, because a process may fork endlessly.
    for _ in 0..<16 {
      let found = identifiers(of: mark, after: process)
      guard !found.isEmpty else { return }
      for identifier in found { kill(identifier, SIGKILL) }
      usleep(1000)
    }
  }

  /// Returns the processes whose environment contains a mark.
  ///
  /// Opening all environments takes milliseconds, so those of processes older than `process` are skipped.
  private static func identifiers(of mark: String, after process: SpawnedProcess?) -> [Int32] {
    #if os(Linux)
      guard let folder = opendir("/proc") else { return [] }
      defer { closedir(folder) }
      let wanted = Array(mark.utf8)
      let first = process?.firstDescendant ?? 0
      var found: [Int32] = []
      while let entry = readdir(folder) {
        let name = withUnsafeBytes(of: entry.pointee.d_name) {
          String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
        guard let identifier = Int32(name), identifier > first, identifier != getpid(),
          identifier != process?.identifier,
          // Linux allows environments of some megabytes. Those of other users cannot be read.
          let environment = SystemText.bytes(
            ofFile: "/proc/\(identifier)/environ", limit: 8 << 20),
          environment.contains(wanted)
        else { continue }
        found.append(identifier)
      }
      return found
    #else
      return []
    #endif
  }
}
