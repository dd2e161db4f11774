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
  public enum Role: String, Sendable, Hashable, CaseIterable {
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
