import Testing

@testable import zoombench

@Suite struct AllocationCountTests {
  /// Other tests allocate concurrently, so this one checks bounds, not exact counts.
  @Test func `a large copy is counted as one`() throws {
    let (array, count) = AllocationCount.during { [UInt8](repeating: 1, count: 1 << 20) }
    #expect(array.count == 1 << 20)
    guard let count else { return }
    #expect(count.blocks >= 1 && count.largeBlocks >= 1)
    #expect(count.largeBytes >= 1 << 20 && count.bytes >= count.largeBytes)
  }
}
