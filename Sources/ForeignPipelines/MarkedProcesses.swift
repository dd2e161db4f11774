internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Finds processes that a program has started and that have left its process group, as `setsid` lets them.
///
/// Each program is given a mark in an environment variable, which its descendants inherit. Linux shows the environment of
/// a user's processes in /proc. A process that clears its environment is not found, nor is any on other systems.
package struct MarkedProcesses: Sendable {
  static let variable = "ZOOMBENCH_PROGRAM"
  /// Tells the marks of this process from those of any other.
  private static let run = "\(String(UInt64.random(in: .min ... .max), radix: 36))."
  private static let count = Atomic<Int>(0)

  /// A mark of its own, such as "3w5e11264sgsf.7;".
  private let mark: String

  init() { mark = "\(Self.run)\(Self.count.add(1, ordering: .relaxed).newValue);" }

  /// The variable with the mark behind those that this process itself was given.
  var environment: [String: String] {
    [Self.variable: (getenv(Self.variable).map { String(cString: $0) } ?? "") + mark]
  }

  /// Ends every process that has the mark.
  func end() { Self.end(mark) }

  /// Ends every process that this one has marked; for an interrupted run.
  package static func endAll() { end(run) }

  private static func end(_ mark: String) {
    // A process may start others while it is looked for; what starts others for ever is not ended by looking for ever.
    for _ in 0..<16 {
      let found = identifiers(of: mark)
      guard !found.isEmpty else { return }
      for identifier in found { kill(identifier, SIGKILL) }
      usleep(1000)
    }
  }

  /// The processes whose environment holds a mark.
  private static func identifiers(of mark: String) -> [Int32] {
    #if os(Linux)
      guard let folder = opendir("/proc") else { return [] }
      defer { closedir(folder) }
      let wanted = Array(mark.utf8)
      var found: [Int32] = []
      while let entry = readdir(folder) {
        let name = withUnsafeBytes(of: entry.pointee.d_name) {
          String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
        guard let identifier = Int32(name), identifier != getpid(),
          environment(of: identifier).contains(wanted)
        else { continue }
        found.append(identifier)
      }
      return found
    #else
      return []
    #endif
  }

  /// The environment of a process; empty where it has ended or is another user's.
  private static func environment(of identifier: Int32) -> [UInt8] {
    guard let file = fopen("/proc/\(identifier)/environ", "re") else { return [] }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    // Linux allows some megabytes.
    while bytes.count < 8 << 20 {
      let count = fread(&chunk, 1, chunk.count, file)
      guard count > 0 else { break }
      bytes += chunk[..<count]
    }
    return bytes
  }
}
