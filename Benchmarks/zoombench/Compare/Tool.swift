internal import Foundation
internal import Subprocess
internal import SystemPackage

/// Another program that zoombench needs for a while: git, swift, valgrind.
struct Tool {
  let name: String
  /// The way to install it, for the message when it is missing.
  let advice: String

  static let git = Tool(name: "git", advice: "install it: apt-get install git")
  static let swift = Tool(name: "swift", advice: "install it from https://swift.org/install")
  static let strip = Tool(name: "strip", advice: "install it: apt-get install binutils")
  static let tar = Tool(name: "tar", advice: "install it: apt-get install tar")
  static let valgrind = Tool(name: "valgrind", advice: "install it: apt-get install valgrind")

  /// For git: times in UTC, and no lock that is in the way of the user's own git; under valgrind:
  /// Swift's dictionaries in the same order each time.
  private static let environment: [Environment.Key: String?] = [
    "TZ": "UTC0", "GIT_OPTIONAL_LOCKS": "0", "SWIFT_DETERMINISTIC_HASHING": "1",
  ]

  /// The result of a run of the tool.
  struct Answer {
    let isSuccess: Bool
    let output: String
    let errors: String

    /// The last line that says something, which is mostly the reason.
    var lastWords: String {
      let lines = (errors + "\n" + output).split(whereSeparator: \.isNewline)
      let reason = lines.last { $0.contains("error") || $0.contains("fatal") } ?? lines.last
      return reason.map(String.init) ?? "it says nothing"
    }
  }

  /// Runs it to the end.
  ///
  /// - Parameters:
  ///   - arguments: without the tool's name.
  ///   - folder: where to run it; nil for this process's.
  ///   - input: what it reads from its stdin.
  /// - Returns: its output, and whether its exit status is 0.
  /// - Throws: `Failure` of code 69 when it is not installed.
  func run(
    _ arguments: [String], in folder: FilePath? = nil, input: String = ""
  ) async throws -> Answer {
    do {
      // A build says a line a file: 16 MB are some hundred thousand.
      let result = try await Subprocess.run(
        name.contains("/") ? .path(FilePath(name)) : .name(name), arguments: Arguments(arguments),
        environment: .inherit.updating(Self.environment), workingDirectory: folder,
        input: .string(input), output: .string(limit: 16 << 20), error: .string(limit: 16 << 20)
      ) { RunningTools.insert($0.processIdentifier.value) }
      result.closureResult.end()
      // Its failure means nothing if a signal ended it.
      Interruption.yieldToSignal()
      return Answer(
        isSuccess: result.terminationStatus.isSuccess, output: result.standardOutput,
        errors: result.standardError)
    } catch let error as SubprocessError where error.code == .executableNotFound {
      throw Failure(.unavailable, "\(name) is not installed (\(advice))")
    }
  }
}
