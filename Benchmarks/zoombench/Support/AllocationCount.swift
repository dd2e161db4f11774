internal import CAllocations

/// The heap allocations of a piece of work, counted where the platform can.
struct AllocationCount: Hashable {
  let blocks: Int
  let bytes: Int
  /// Blocks large enough for rows of pixels, whose count does not depend on threads' order.
  let largeBlocks: Int
  let largeBytes: Int

  /// Runs the body and counts what all threads ask for meanwhile.
  ///
  /// - Returns: the body's value, and nil for the count where the platform cannot count.
  static func during<Value>(_ body: () throws -> Value) rethrows -> (Value, AllocationCount?) {
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
