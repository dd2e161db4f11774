/// How to start one worker.
package struct WorkerCommand: Sendable, Hashable {
  /// What messages call the worker: "base", "candidate".
  package var label: String
  /// A path, or a name to look for in PATH.
  package var executable: String
  package var arguments: [String]
  /// Variables set besides those of this process, such as VIPS_CONCURRENCY.
  package var environment: [String: String]
  /// How long one request may take.
  package var timeLimitSeconds: Double
  /// The processor core it is kept on; nil for any.
  package var core: Int?

  /// Puts a command together.
  ///
  /// - Parameters:
  ///   - label: What messages call the worker.
  ///   - executable: A path, or a name to look for in PATH.
  ///   - arguments: What follows the name of the program.
  ///   - environment: Variables set besides those of this process.
  ///   - timeLimitSeconds: How long one request may take; a minute is a thousand times a usual
  ///     sample, and short enough for a build server.
  ///   - core: The processor core it is kept on; nil for any.
  package init(
    label: String, executable: String, arguments: [String] = [],
    environment: [String: String] = [:], timeLimitSeconds: Double = 60,
    core: Int? = nil
  ) {
    self.label = label
    self.executable = executable
    self.arguments = arguments
    self.environment = environment
    self.timeLimitSeconds = timeLimitSeconds
    self.core = core
  }

  /// The command as a shell would take it, for messages.
  package var description: String {
    ([executable] + arguments).map(Self.quoted).joined(separator: " ")
  }

  private static func quoted(_ word: String) -> String {
    let isPlain = word.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "a")...UInt8(ascii: "z"):
        true
      default: "-_./=:,+@%".utf8.contains(byte)
      }
    }
    if isPlain, !word.isEmpty { return word }
    let parts = word.split(separator: "'", omittingEmptySubsequences: false)
    return "'" + parts.joined(separator: "'\\''") + "'"
  }
}
