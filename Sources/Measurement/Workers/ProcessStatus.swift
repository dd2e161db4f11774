#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

package struct ProcessStatus {
  package let parent: Int32
  /// The start time, which distinguishes it from a later process with the same number.
  package let start: UInt64
  package let isZombie: Bool
  /// The CPU time of its awaited children, in nanoseconds, to a hundredth of a second.
  let waited: UInt64

  /// Whether the process exists and is not a zombie; false without /proc.
  package static func isRunning(_ process: Int32) -> Bool {
    ProcessStatus(of: process).map { !$0.isZombie } ?? false
  }

  /// Reads the description; nil if there is no such process, or no /proc.
  package init?(of process: Int32) {
    // The name, in parentheses, may contain any character.
    guard let text = SystemText.contents(ofFile: "/proc/\(process)/stat", limit: 4096),
      let end = text.lastIndex(of: ")")
    else { return nil }
    let fields = text[end...].dropFirst().split(separator: " ")
    guard fields.count > 19, let parent = Int32(fields[1]), let user = UInt64(fields[13]),
      let system = UInt64(fields[14]), let start = UInt64(fields[19])
    else { return nil }
    (self.parent, self.start, isZombie) = (parent, start, fields[0] == "Z")
    waited = (user + system) * (1_000_000_000 / UInt64(max(1, sysconf(Int32(_SC_CLK_TCK)))))
  }
}
