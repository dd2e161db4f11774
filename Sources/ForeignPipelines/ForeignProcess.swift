internal import Measurement
internal import SystemPackage
internal import ZoomPipeline

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A process of another program, whose failures are explained and whose time and memory are observed.
///
/// The owner's lock admits one thread at a time: hence `@unchecked Sendable`.
final class ForeignProcess: @unchecked Sendable {
  /// The most bytes of a line, including its line feed.
  private static let lineLimit = 4096

  private let child: ChildProcess
  private let processor: ProcessorAccount

  /// Starts a program with its arguments and limits.
  ///
  /// A shell sets the memory limit with `ulimit -v`, then executes the program with its arguments unchanged.
  init(_ words: [String], _ session: ForeignSession) throws(AnswerFailure) {
    if let refusal = InstalledProgram.refusal(of: words[0]) {
      throw AnswerFailure(
        "cannot be started: \(refusal.reason)", .notInstalled, advice: refusal.advice)
    }
    var words = words
    if let memory = session.options.memory {
      let limit = "ulimit -v \(max(1, memory / 1024)) && exec \"$@\""
      words = ["/bin/sh", "-c", limit, "sh"] + words
    }
    let observations = session.observations
    processor = observations.processor
    do {
      child = try ChildProcess(
        WorkerCommand(
          label: "foreign", executable: words[0], arguments: Array(words.dropFirst())),
        lineLimit: ForeignProcess.lineLimit, account: observations.processor)
    } catch {
      throw ForeignProcess.explained(error, lastWords: "")
    }
    if observations.watchesMemory {
      child.watch = { [identifier = child.identifier] in
        ForeignProcess.noteMemory(of: identifier, observations)
      }
    }
  }

  /// Writes a line to the program's standard input.
  func send(_ line: String) throws(AnswerFailure) {
    do { try child.send(line + "\n") } catch {
      throw Self.explained(error, lastWords: lastWords)
    }
  }

  func closeInput() { child.closeInput() }

  /// Returns the next line of the output, with invalid UTF-8 replaced.
  func line(until deadline: AnswerDeadline) throws(AnswerFailure) -> String {
    do {
      return String(decoding: try child.line(until: deadline.time), as: UTF8.self)
    } catch {
      throw Self.explained(
        error, deadline, limit: "a line of more than \(Self.lineLimit) bytes", lastWords: lastWords)
    }
  }

  /// Returns the next `count` bytes of the output.
  func take(_ count: Int, until deadline: AnswerDeadline) throws(AnswerFailure) -> [UInt8] {
    do { return try child.take(count, until: deadline.time) } catch {
      let failure = Self.explained(error, deadline, lastWords: lastWords)
      guard case .ended = error else { throw failure }
      throw AnswerFailure("\(failure.reason) after \(child.unreadCount) of \(count) bytes")
    }
  }

  /// Whether there is output that was not requested.
  var hasUnread: Bool { child.hasUnread }

  /// Returns all output until the process ends; throws unless it ends with status 0, whatever it wrote.
  func rest(limit: Int, until deadline: AnswerDeadline) throws(AnswerFailure) -> [UInt8] {
    do throws(ChildProcess.Failure) {
      let (output, ending) = try child.rest(limit: limit, until: deadline.time)
      guard ending == .exited(status: 0) else { throw ChildProcess.Failure.ended(ending) }
      return output
    } catch {
      throw Self.explained(
        error, deadline, limit: "more than \(limit) bytes", lastWords: lastWords)
    }
  }

  /// Counts the CPU time of the processes that the program has started as its own.
  func countDescendants() {
    processor.note(descendants: child.descendants, of: child.identifier)
  }

  /// Ends the process and its descendants at once.
  func end() { child.end() }

  /// Ends the process and returns the failure that made it unusable.
  func broken(_ reason: String) -> AnswerFailure {
    end()
    return AnswerFailure(reason + lastWords)
  }

  /// Notes the peak memory of a process so far.
  ///
  /// The maximum that `wait4` reports is unusable: after `vfork` it includes the memory of this process.
  private static func noteMemory(of identifier: Int32, _ observations: ForeignObservations) {
    #if os(Linux)
      let status = SystemText.contents(ofFile: "/proc/\(identifier)/status") ?? ""
      if let peak = SystemText.bytes(of: "VmHWM", in: status) {
        observations.note(residentBytes: peak)
      }
    #endif
  }

  /// Returns a failure in words; `limit` is what the program may not write.
  private static func explained(
    _ failure: ChildProcess.Failure, _ deadline: AnswerDeadline? = nil, limit: String = "",
    lastWords: String
  ) -> AnswerFailure {
    switch failure {
    case .cannotStart(let code):
      AnswerFailure("cannot be started: \(String(cString: strerror(code)))", .notInstalled)
    case .ended(.exited(let status)):
      AnswerFailure("it ended with status \(status)\(lastWords)")
    case .ended(.killed(let signal)):
      AnswerFailure("it crashed by signal \(signal)\(lastWords)")
    case .ended(.unknown): AnswerFailure("it closed its output\(lastWords)")
    case .overlong: AnswerFailure("it wrote \(limit)\(lastWords)")
    case .late:
      deadline.map {
        AnswerFailure(
          $0.failure.reason + lastWords, $0.failure.code, advice: $0.failure.advice)
      } ?? AnswerFailure("it did not answer in time\(lastWords)")
    }
  }

  private var lastWords: String { LastLines.phrase(child.log) }
}

/// A check whether a program can be run, by the rules of `execvp`.
enum InstalledProgram {
  /// Returns why a program cannot be run and what to do; nil if it can be run.
  ///
  /// A name without a slash is looked up in PATH.
  static func refusal(of name: String) -> (reason: String, advice: String)? {
    let variable = getenv("PATH").map { String(cString: $0) } ?? "/bin:/usr/bin"
    let folders = variable.split(separator: ":", omittingEmptySubsequences: false)
    let paths =
      name.contains("/") ? [name] : folders.map { ($0.isEmpty ? "." : $0) + "/" + name }
    let files = paths.filter { path in
      var status = stat()
      return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }
    guard !files.contains(where: { access($0, X_OK) == 0 }) else { return nil }
    return files.first.map { ("\($0) is not executable", "chmod +x it") }
      ?? ("there is no program \(name)", "install it, or correct its name")
  }
}

/// Removes a file if it exists.
func removeFile(_ path: FilePath) { _ = path.withPlatformString { unlink($0) } }
