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
    serve(tool: tool, cases: cases, stopwatch: Stopwatch(), memory: { .current() })
  }

  /// The same for cases whose work is done elsewhere: with other clocks, and without this process's memory.
  package static func serve(
    tool: String, cases: [WorkerCase], stopwatch: Stopwatch,
    memory: @escaping () -> ProcessMemory = { .unknown }
  ) {
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

/// What a case of a benchmark worker measures: an opened file, a warmed cache, an array to sort.
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
/// Each round stands for an input. Both builds are given the same rounds in the same order, so
/// the input must depend on the number of the round and on nothing else.
public protocol WorkerSubject {
  /// What a run gives back.
  associatedtype Answer

  /// Makes the input of a round ready, outside of the timed part.
  ///
  /// - Parameter round: The number of the input, not negative.
  /// - Throws: Anything; the comparison ends with its description.
  mutating func prepare(round: Int) throws

  /// Does the work once, inside the timed part, on the input prepared last.
  ///
  /// The answer is kept until the clock has stopped, and the compiler cannot tell that nobody
  /// needs it. With several repeats, only the answer before is freed inside the timed part.
  ///
  /// - Parameters:
  ///   - round: The number of the input.
  ///   - extra: How much more work to do, in thousandths: 50 is five per cent. It is zero but for
  ///     canaries and planted slow-downs, and must not change the digest. A case that cannot do a
  ///     little more work may ignore it; then it cannot be slowed down on purpose.
  /// - Returns: What the work is done for.
  /// - Throws: Anything; the comparison ends with its description.
  mutating func run(round: Int, extra: Int) throws -> Answer

  /// Returns hexadecimal digits that tell one answer from another, outside of the timed part.
  ///
  /// - Parameter answer: What the last run gave back.
  /// - Returns: Up to 128 digits, as from `AnswerDigest`, or nil to have no answers compared.
  /// - Throws: Anything; the comparison ends with its description.
  func digest(of answer: Answer) throws -> String?

  /// Counts what a run takes that no clock is needed for, such as bytes read or rows decoded.
  ///
  /// The peak of the process' resident memory is added as "peak memory", in bytes, where the
  /// platform tells it.
  ///
  /// - Parameter round: The number of the input.
  /// - Returns: The counts by name, none negative; they should be the same each time.
  /// - Throws: Anything; the comparison ends with its description.
  mutating func counters(round: Int) throws -> [String: Int]
}

extension WorkerSubject {
  /// Needs no preparation.
  public mutating func prepare(round: Int) {}

  /// Has no answers compared.
  public func digest(of answer: Answer) -> String? { nil }

  /// Counts nothing.
  public mutating func counters(round: Int) -> [String: Int] { [:] }
}

/// One case of a benchmark worker.
public struct WorkerCase {
  /// What a case is for.
  public enum Role: String, Sendable, Hashable, CaseIterable, Codable {
    /// Code under test: it may fail the comparison.
    case gated
    /// Code that is the same in every build and shows whether the machine can be trusted.
    case control
    /// Code that does as much more work as it is told to, and shows that a slow-down is seen.
    case canary
  }

  /// The name, unique in the worker, by which builds are matched.
  public let name: String

  /// What the case is for.
  public let role: Role

  let open: () throws -> any WorkerSubject

  /// Names a case and says how it is opened.
  ///
  /// - Parameters:
  ///   - name: Up to 200 bytes without control characters, unique in the worker.
  ///   - role: What the case is for.
  ///   - open: Makes the subject, once a process; what it takes is part of the first sample.
  public init(name: String, role: Role = .gated, open: @escaping () throws -> any WorkerSubject) {
    self.name = name
    self.role = role
    self.open = open
  }
}

/// A digest of an answer for `WorkerSubject.digest(of:)`: 64-bit FNV-1a, as hexadecimal digits.
///
/// It tells answers apart that differ by mistake; it is no protection against malice.
public struct AnswerDigest: Sendable, Hashable {
  private(set) var state: UInt64 = 0xCBF2_9CE4_8422_2325

  /// Starts the digest of nothing.
  public init() {}

  /// Adds one byte.
  public mutating func add(_ byte: UInt8) {
    state = (state ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
  }

  /// Adds bytes in their order.
  public mutating func add(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { add(byte) }
  }

  /// Adds the eight bytes of a number, the least significant first.
  public mutating func add(_ number: UInt64) {
    for shift in stride(from: 0, to: 64, by: 8) { add(UInt8(truncatingIfNeeded: number >> shift)) }
  }

  /// The digest of what was added so far, sixteen digits.
  public var hexadecimal: String {
    let digits = String(state, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
