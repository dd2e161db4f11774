internal import ArgumentParser
internal import Foundation
internal import Measurement
internal import Sharding
internal import SystemPackage
internal import ZoomCorpus
internal import ZoomGeometry
internal import ZoomPipeline
internal import ZoomViewers

/// An exit code, following BSD's sysexits where possible; Documentation/Results.md lists them all.
package enum ExitStatus: Int32, CaseIterable {
  case success = 0
  case finding = 1
  case inconclusive = 2
  case usage = 64
  case badInput = 65
  case noInput = 66
  case unavailable = 69
  case fault = 70
  case cannotCreate = 73
  case outputFailed = 74
  case tryAgain = 75
}

/// A failure that zoombench reports itself, with one line and an exit code.
package struct Failure: Error, CustomStringConvertible {
  package let status: ExitStatus
  package let description: String

  package init(_ status: ExitStatus, _ description: String) {
    self.status = status
    self.description = description
  }
}

/// Turns errors into one line on stderr and an exit code.
package enum Diagnostics {
  /// Ends the process with the message and exit code of the error; `root` explains wrong usage.
  static func exit(with error: any Error, root: any ParsableCommand.Type) -> Never {
    Interruption.yieldToSignal()
    if let (status, line) = diagnosis(of: error) {
      if !line.isEmpty { say(line) }
      Foundation.exit(status.rawValue)
    }
    // Help, version and usage errors: ArgumentParser has the text and the code.
    let code = root.exitCode(for: error)
    guard code == .validationFailure else { root.exit(withError: error) }
    let help = help(for: CommandLine.arguments.dropFirst(), root: root)
    let message = root.message(for: error)
    // A message that ends with advice in parentheses is already complete.
    let sentence = message.hasSuffix(".") ? String(message.dropLast()) : message
    say(message.hasSuffix(")") ? message : "\(sentence) (see \(help))")
    Foundation.exit(code.rawValue)
  }

  /// Returns the help command for the command at the start of these arguments.
  private static func help(
    for arguments: some Sequence<String>, root: any ParsableCommand.Type
  ) -> String {
    var command = root
    var words: [String] = []
    for argument in arguments {
      let found = command.configuration.subcommands.first {
        $0.configuration.shouldDisplay && $0.configuration.commandName == argument
      }
      guard let found else { break }
      command = found
      words.append(argument)
    }
    let name = root.configuration.commandName ?? "zoombench"
    return words.isEmpty ? "\(name) --help" : "\(name) help \(words.joined(separator: " "))"
  }

  /// Writes one line to stderr with the prefix "zoombench: ".
  package static func say(_ line: String) {
    let oneLine = line.split(whereSeparator: \.isNewline).joined(separator: " ")
    _ = try? FileDescriptor.standardError.writeAll(
      Array("zoombench: \(Format.oneLine(oneLine))\n".utf8))
  }

  /// Returns the exit code and line of an error of ours; nil for one that ArgumentParser must explain.
  static func diagnosis(of error: any Error) -> (status: ExitStatus, line: String)? {
    switch error {
    case let failure as Failure:
      (failure.status, failure.description)
    case let failure as PipelineError:
      (status(of: failure.code), failure.description)
    case let failure as GeometryError:
      (.usage, "\(failure)")
    case let failure as ViewerFailure:
      diagnosis(of: Failure(failure))
    case let failure as CorpusError:
      (.badInput, failure.description)
    case let failure as ComparisonRunError:
      comparisonDiagnosis(failure)
    case let failure as WorkerError:
      programsFault(failure) ?? (.badInput, "compare: \(failure)")
    case let failure as ShardError:
      (status(of: failure), failure.description)
    case is CancellationError:
      (.fault, "cancelled")
    case is ValidationError, is CleanExit, is ExitCode:
      nil
    case let failure where String(reflecting: type(of: failure)).hasPrefix("ArgumentParser."):
      nil
    default:
      (.fault, "\(error)")
    }
  }

  private static func comparisonDiagnosis(
    _ error: ComparisonRunError
  ) -> (status: ExitStatus, line: String) {
    if case .worker(let failed, case: _) = error, let found = programsFault(failed) { return found }
    return (status(of: error), "compare: \(error)")
  }

  /// Returns the diagnosis if the program that a worker runs (`--pipeline`) failed; otherwise nil.
  private static func programsFault(_ error: WorkerError) -> (status: ExitStatus, line: String)? {
    let words = error.command.arguments
    guard case .refused(let text) = error.problem, let option = words.firstIndex(of: "--pipeline"),
      option + 1 < words.count
    else { return nil }
    return (.finding, "compare: \(error.command.label) \(words[option + 1]): \(text)")
  }

  private static func status(of error: ShardError) -> ExitStatus {
    switch error {
    case .usage: .usage
    case .damaged: .badInput
    case .missing: .noInput
    case .conflict: .finding
    case .unwritable: .outputFailed
    }
  }

  private static func status(of error: ComparisonRunError) -> ExitStatus {
    switch error {
    case .unknownCases, .invalidSettings: .usage
    case .cancelled: .fault
    default: .badInput
    }
  }

  private static func status(of code: PipelineError.Code) -> ExitStatus {
    switch code {
    case .noSuchFile, .unreadable: .noInput
    case .notAPicture, .damaged, .changed, .unsupported, .overBudget: .badInput
    case .outside: .usage
    case .unwritable: .cannotCreate
    case .misbehaved: .finding
    case .notInstalled: .unavailable
    case .outOfTime: .inconclusive
    default: .fault
    }
  }
}
