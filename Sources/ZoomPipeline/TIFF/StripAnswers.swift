internal import Synchronization

/// Answers about a picture's strips that take a decode or many reads to find, kept for later peeks.
final class StripAnswers: Sendable {
  private let known = Mutex<[Int: Bool]>([:])

  /// The most answers that are kept, to bound the memory.
  private static let most = 1 << 16

  /// Whether the answer for each number is known to be true.
  func areTrue(_ numbers: Range<Int>) -> Bool {
    known.withLock { known in numbers.allSatisfy { known[$0] == true } }
  }

  func set(_ number: Int, to answer: Bool) {
    known.withLock { known in
      if known.count >= Self.most { known.removeAll() }
      known[number] = answer
    }
  }

  /// Returns the answer for a number, which is found at the first call.
  ///
  /// False is not kept: a decode may have failed for want of memory, and the next one may succeed.
  func answer(
    for number: Int, _ find: () throws(PipelineError) -> Bool
  ) throws(PipelineError) -> Bool {
    if let answer = known.withLock({ $0[number] }) { return answer }
    let answer = try find()
    if answer { set(number, to: true) }
    return answer
  }
}
