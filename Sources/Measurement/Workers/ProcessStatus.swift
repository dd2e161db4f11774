#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The description of a process in /proc.
package struct ProcessStatus {
  package let parent: Int32
  /// Distinguishes it from a later process of the same number.
  package let start: UInt64
  package let isZombie: Bool
  /// The CPU time of the processes that it has waited for, in nanoseconds, to a hundredth of a second.
  let waited: UInt64

  /// Whether there is such a process, and it is not a zombie; false without /proc.
  package static func isRunning(_ process: Int32) -> Bool {
    ProcessStatus(of: process).map { !$0.isZombie } ?? false
  }

  /// Nil if there is no such process, or no /proc.
  package init?(of process: Int32) {
    guard let file = fopen("/proc/\(process)/stat", "re") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = fread(&bytes, 1, bytes.count, file)
    // The name, in parentheses, may have any character.
    guard let end = bytes[..<count].lastIndex(of: UInt8(ascii: ")")) else { return nil }
    let fields = String(decoding: bytes[(end + 1)..<count], as: UTF8.self).split(separator: " ")
    guard fields.count > 19, let parent = Int32(fields[1]), let user = UInt64(fields[13]),
      let system = UInt64(fields[14]), let start = UInt64(fields[19])
    else { return nil }
    (self.parent, self.start, isZombie) = (parent, start, fields[0] == "Z")
    waited = (user + system) * (1_000_000_000 / UInt64(max(1, sysconf(Int32(_SC_CLK_TCK)))))
  }
}
