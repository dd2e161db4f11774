internal import Dispatch
internal import Synchronization

/// Returns the results of `body` for each number below `count`, called on several threads at once.
/// - Throws: The error of the lowest number for which `body` throws.
package func concurrently<Value: Sendable, Failure: Error>(
  _ count: Int, _ body: @Sendable (_ number: Int) throws(Failure) -> Value
) throws(Failure) -> [Value] {
  if count == 1 { return [try body(0)] }
  let results = Mutex([Result<Value, Failure>?](repeating: nil, count: count))
  DispatchQueue.concurrentPerform(iterations: count) { number in
    let result = Result { () throws(Failure) in try body(number) }
    results.withLock { $0[number] = result }
  }
  var values: [Value] = []
  for case .some(let result) in results.withLock({ $0 }) { values.append(try result.get()) }
  return values
}

/// The turn of a large read: two run at once, and the others wait.
///
/// Large reads of a JPEG decode their bands on all cores, so more reads would be no faster, and each holds the coded data of its
/// region: 64 readers of a gigapixel JPEG took two gigabytes. Small reads do not wait: they take little memory, and a peek
/// must not wait for a large read.
struct ReadTurn {
  /// The most pixels of a small read; the coded data of a JPEG of as many takes about 1 MB.
  private static let mostPixelsOfSmall = 1 << 22
  private static let turns = DispatchSemaphore(value: 2)

  private let isLarge: Bool

  /// Waits for the turn of a read of so many pixels, which must not wait for another large read before its end.
  static func begin(pixels: Int) -> ReadTurn {
    let isLarge = pixels > mostPixelsOfSmall
    if isLarge { turns.wait() }
    return ReadTurn(isLarge: isLarge)
  }

  func end() {
    if isLarge { Self.turns.signal() }
  }
}
