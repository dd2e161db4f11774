internal import Foundation
internal import Measurement
internal import SystemPackage

/// An external tool that zoombench runs: git, swift, tar.
struct Tool {
  let name: String
  /// Advice on installation, for the message when it is missing.
  let advice: String

  static let git = Tool(name: "git", advice: "install it: apt-get install git")
  static let swift = Tool(name: "swift", advice: "install it from https://swift.org/install")
  static let tar = Tool(name: "tar", advice: "install it: apt-get install tar")

  /// The environment of all tools.
  ///
  /// git writes times in UTC and takes no locks that would block the user's own git.
  private static let environment = ["TZ": "UTC0", "GIT_OPTIONAL_LOCKS": "0"]

  struct Answer {
    let isSuccess: Bool
    let output: String
    let errors: String

    /// The last line with an error, or else the last line; it usually is the reason.
    var lastWords: String {
      let lines = (errors + "\n" + output).split(whereSeparator: \.isNewline)
      let reason = lines.last { $0.contains("error") || $0.contains("fatal") } ?? lines.last
      return reason.map(String.init) ?? "it says nothing"
    }
  }

  /// Runs the tool until it ends, by default in the working folder of this process.
  ///
  /// - Throws: `Failure` of code 69 when it is not installed.
  func run(_ arguments: [String], in folder: FilePath? = nil) throws -> Answer {
    var command = WorkerCommand(
      label: name, executable: name, arguments: arguments, environment: Self.environment)
    command.folder = folder?.string
    // If a signal is pending, it caused the failure of the tool.
    defer { Interruption.yieldToSignal() }
    do throws(ChildProcess.Failure) {
      // A build prints one line per file; 16 MB hold some hundred thousand lines.
      let (ending, output, errors) = try ChildProcess.run(command)
      return Answer(
        isSuccess: ending == .exited(status: 0), output: String(decoding: output, as: UTF8.self),
        errors: errors)
    } catch {
      let hasFolder = folder.map { FilePath.isFolder($0.string) } ?? true
      guard error == .cannotStart(code: ENOENT), hasFolder else {
        throw Failure(.fault, "\(name): \(error)")
      }
      throw Failure(.unavailable, "\(name) is not installed (\(advice))")
    }
  }
}
