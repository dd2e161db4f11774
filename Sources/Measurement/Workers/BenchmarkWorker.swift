#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Makes a program a benchmark worker, of which two builds can be compared.
///
///     import Measurement
///     BenchmarkWorker.serve(tool: "sorting 1.0", cases: [
///       WorkerCase(name: "sort 20,000 numbers") { Sorting() }
///     ])
///
/// The program speaks the worker protocol on its standard input and output. Cases may print
/// nevertheless: what they print goes to standard error.
public enum BenchmarkWorker {
  /// Answers requests until the parent says `quit` or goes away.
  ///
  /// A control and a canary are added, of code that is the same in every build, unless there are
  /// cases of these roles.
  ///
  /// - Parameters:
  ///   - tool: The program's name and version, as reports show it.
  ///   - cases: What can be measured. Names must be unique; otherwise the parent is told why not.
  public static func serve(tool: String, cases: [WorkerCase]) {
    if isatty(STDIN_FILENO) == 1 {
      // A person started it by hand: without a word, it would seem to hang.
      complain("\(tool): a benchmark worker, started by a comparison; type 'hello 1' or 'quit'")
    }
    // The protocol keeps descriptors of its own, so that a case that reads or prints, itself or by
    // a process that it starts, meets neither requests nor answers.
    let input = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)
    let output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
    let nothing = open("/dev/null", O_RDONLY | O_CLOEXEC)
    guard input >= 0, output >= 0, nothing >= 0, dup2(nothing, STDIN_FILENO) >= 0,
      dup2(STDERR_FILENO, STDOUT_FILENO) >= 0
    else {
      complain("\(tool): standard input, output and error must be open")
      return
    }
    close(nothing)
    var server = WorkerServer(tool: tool, cases: cases)
    var lines = LineBuffer(limit: WorkerRequest.lineLimit)
    while let line = lines.nextLine(from: input) {
      guard let answer = server.answer(to: line) else { break }
      guard PipeWriting.write(answer.line + "\n", to: output) else { break }
    }
    close(input)
    close(output)
  }

  private static func complain(_ text: String) {
    _ = PipeWriting.write(text + "\n", to: STDERR_FILENO)
  }
}
