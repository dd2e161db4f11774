internal import ArgumentParser
internal import Measurement

/// The worker of `zoombench compare` for shell commands; internal.
struct ShellWorkerCommand: ParsableCommand {
  static let name = "shell-worker"
  static let configuration = CommandConfiguration(
    commandName: name, abstract: "Time a shell command as standard input asks.",
    shouldDisplay: false)

  @Argument var caseName: String
  /// The contender as the user described it.
  @Argument var title: String
  @Argument var command: String

  func run() {
    let subject = ShellSubject(command: command)
    BenchmarkWorker.serve(
      tool: "zoombench \(ToolVersion.number) with \(title)",
      cases: [WorkerCase(name: caseName) { subject }],
      stopwatch: Stopwatch(cpu: { LiveWorkers.processorTime() ?? Timestamps.monotonic() }))
  }
}

/// A shell command as the work of a case: each run starts it and waits for its end.
struct ShellSubject: WorkerSubject {
  struct Failed: Error, CustomStringConvertible {
    let description: String
  }

  let command: String

  /// Runs the command without input; its output is discarded, and its messages are kept for an error.
  ///
  /// - Throws: `Failed` unless it exits with 0.
  func run(round: Int, extra: Int) throws {
    let shell = WorkerCommand(
      label: "shell", executable: "/bin/sh",
      arguments: ["-c", "exec </dev/null >/dev/null\n\(command)"])
    let (ending, _, messages) = try ChildProcess.run(shell, limit: ChildProcess.logLimit)
    let what: String? =
      switch ending {
      case .exited(status: 0): nil
      case .exited(let status): "ended with status \(status)"
      case .killed(let signal): "was ended by signal \(signal)"
      case .unknown: "ended in an unknown way"
      }
    if let what { throw Failed(description: "the command \(what)\(LastLines.phrase(messages))") }
  }
}
