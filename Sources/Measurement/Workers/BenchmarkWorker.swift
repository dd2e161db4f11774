#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Makes a program a benchmark worker, so that two of its builds can be compared.
///
///     import Measurement
///     BenchmarkWorker.serve(tool: "sorting 1.0", cases: [
///       WorkerCase(name: "sort 20,000 numbers") { Sorting() }
///     ])
///
/// The program speaks the worker protocol on its standard input and output. Output that cases print is
/// redirected to standard error.
public enum BenchmarkWorker {
  /// Answers requests until the parent sends `quit` or ends.
  ///
  /// A control and a canary with code that is the same in every build are added, unless there are
  /// cases of these roles.
  ///
  /// - Parameters:
  ///   - tool: The program's name and version for reports.
  ///   - cases: The cases. Names must be unique; otherwise the parent gets an error.
  public static func serve(tool: String, cases: [WorkerCase]) {
    serve(
      tool: tool, cases: cases, stopwatch: Stopwatch(),
      memory: { ProcessMemory.peakResidentBytes() })
  }

  /// Serves cases with other clocks and another peak of memory, for work that is done in other processes.
  package static func serve(
    tool: String, cases: [WorkerCase], stopwatch: Stopwatch,
    memory: @escaping () -> UInt64? = { nil }
  ) {
    if isatty(STDIN_FILENO) == 1 {
      // For a user who starts it by hand: otherwise it would seem to hang.
      complain("\(tool): a benchmark worker, started by a comparison; type 'hello 1' or 'quit'")
    }
    // The protocol uses separate descriptors, so that a case, or a process that it starts, can read and
    // print without touching requests and answers.
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
    var server = WorkerServer(tool: tool, cases: cases, stopwatch: stopwatch, memory: memory)
    var lines = LineBuffer(limit: WorkerRequest.lineLimit)
    while let line = lines.nextLine(from: input) {
      guard let answer = server.answer(to: line) else { break }
      guard PipeWriting.send(answer.line + "\n", to: output) else { break }
    }
    close(input)
    close(output)
  }

  private static func complain(_ text: String) {
    _ = PipeWriting.send(text + "\n", to: STDERR_FILENO)
  }
}

/// The subject of a case: an opened file, a warmed cache, an array to sort.
///
///     struct Sorting: WorkerSubject {
///       var numbers: [UInt64] = []
///       mutating func prepare(round: Int) {
///         var random = SeededRandom(seed: UInt64(round))
///         numbers = (0..<20_000).map { _ in random.next() }
///       }
///       func run(round: Int, extra: Int) -> [UInt64] { numbers.sorted() }
///     }
///
/// Each round is an input. Both builds get the same rounds in the same order, so
/// the input must depend only on the number of the round.
public protocol WorkerSubject {
  /// The result of a run.
  associatedtype Answer

  /// Prepares the input of a round, outside of the timed part.
  ///
  /// - Parameter round: The number of the input, not negative.
  /// - Throws: Anything; the case fails with its description.
  mutating func prepare(round: Int) throws

  /// Does the work once, inside the timed part, on the input prepared last.
  ///
  /// The answer is kept until the clock has stopped, and the compiler cannot remove it as
  /// unused. With several repeats, only the previous answer is freed inside the timed part.
  ///
  /// - Parameters:
  ///   - round: The number of the input.
  ///   - extra: The additional work, per mille: 50 is five per cent. It is zero except for
  ///     canaries and planted slow-downs, and must not change the digest. A case that cannot do a
  ///     little more work may ignore it; then it cannot be slowed down on purpose.
  /// - Returns: The result of the work.
  /// - Throws: Anything; the case fails with its description.
  mutating func run(round: Int, extra: Int) throws -> Answer

  /// Returns hexadecimal digits that distinguish answers, outside of the timed part.
  ///
  /// - Parameter answer: The result of the last run.
  /// - Returns: Up to 128 digits, for example from `AnswerDigest`, or nil if answers are not to be compared.
  /// - Throws: Anything; the case fails with its description.
  func digest(of answer: Answer) throws -> String?

  /// Counts costs of a run that need no clock, such as bytes read or rows decoded.
  ///
  /// The peak resident memory of the process is added as "peak memory", in bytes, if the
  /// platform reports it.
  ///
  /// - Parameter round: The number of the input.
  /// - Returns: The counts by name, none negative; they should be the same each time.
  /// - Throws: Anything; the case fails with its description.
  mutating func counters(round: Int) throws -> [String: Int]
}

extension WorkerSubject {
  /// Does nothing.
  public mutating func prepare(round: Int) {}

  /// Returns nil, so that answers are not compared.
  public func digest(of answer: Answer) -> String? { nil }

  /// Returns no counts.
  public mutating func counters(round: Int) -> [String: Int] { [:] }
}

/// One case of a benchmark worker.
public struct WorkerCase {
  /// The purpose of a case.
  public enum Role: String, Sendable, Hashable, CaseIterable, Codable {
    /// Code under test: it may fail the comparison.
    case gated
    /// Code that is the same in every build, which shows whether the machine can be trusted.
    case control
    /// Code with adjustable additional work, which shows that a slow-down is detected.
    case canary
  }

  /// The name, unique in the worker, by which builds are matched.
  public let name: String

  /// The purpose of the case.
  public let role: Role

  let open: () throws -> any WorkerSubject

  /// Creates a case.
  ///
  /// - Parameters:
  ///   - name: Up to 200 bytes without control characters, unique in the worker.
  ///   - role: The purpose of the case.
  ///   - open: Creates the subject, once per process; its time is part of the first sample.
  public init(name: String, role: Role = .gated, open: @escaping () throws -> any WorkerSubject) {
    self.name = name
    self.role = role
    self.open = open
  }
}

/// A digest of an answer for `WorkerSubject.digest(of:)`: 64-bit FNV-1a, as hexadecimal digits.
///
/// It distinguishes answers that differ by mistake; it does not protect against forgery.
public struct AnswerDigest: Sendable, Hashable {
  private(set) var state: UInt64 = 0xCBF2_9CE4_8422_2325

  /// Creates the digest of no bytes.
  public init() {}

  /// Adds one byte.
  public mutating func add(_ byte: UInt8) {
    state = (state ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
  }

  /// Adds bytes in their order.
  public mutating func add(_ bytes: some Sequence<UInt8>) {
    // Other modules call this unspecialised, where each step of an iterator costs more than its byte.
    let sum = bytes.withContiguousStorageIfAvailable { bytes in
      var sum = self
      for byte in bytes { sum.add(byte) }
      return sum
    }
    if let sum { self = sum } else { for byte in bytes { add(byte) } }
  }

  /// Adds the eight bytes of a number, the least significant first.
  public mutating func add(_ number: UInt64) {
    for shift in stride(from: 0, to: 64, by: 8) { add(UInt8(truncatingIfNeeded: number >> shift)) }
  }

  /// The digest of all bytes added, in sixteen digits.
  public var hexadecimal: String {
    let digits = String(state, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
