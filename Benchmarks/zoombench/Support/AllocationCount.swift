internal import CAllocations

/// The heap allocations of a piece of work, on platforms that can count them.
package struct AllocationCount: Hashable {
  package let blocks: Int
  let bytes: Int
  /// Blocks large enough for rows of pixels; their count does not depend on the order of threads.
  let largeBlocks: Int
  let largeBytes: Int

  /// Runs the body and counts what all threads allocate meanwhile.
  ///
  /// - Returns: the body's value, and the count; nil on platforms that cannot count.
  package static func during<Value>(
    _ body: () throws -> Value
  ) rethrows -> (Value, AllocationCount?) {
    guard callocations_available() == 1 else { return (try body(), nil) }
    callocations_start()
    do {
      let value = try body()
      let count = callocations_stop()
      return (
        value,
        AllocationCount(
          blocks: Int(count.blocks), bytes: Int(count.bytes), largeBlocks: Int(count.large_blocks),
          largeBytes: Int(count.large_bytes))
      )
    } catch {
      _ = callocations_stop()
      throw error
    }
  }
}
