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
