import Testing

@testable import zoombench

/// Other tests allocate concurrently, so these tests check bounds, not exact counts.
@Suite struct AllocationCountTests {
  @Test func `a large copy is counted as one`() throws {
    let (array, count) = AllocationCount.during { [UInt8](repeating: 1, count: 1 << 20) }
    #expect(array.count == 1 << 20)
    guard let count else { return }
    #expect(count.blocks >= 1 && count.largeBlocks >= 1)
    #expect(count.largeBytes >= 1 << 20 && count.bytes >= count.largeBytes)
  }

  @Test func `an error of the work comes through`() {
    struct Expected: Error {}
    #expect(throws: Expected.self) {
      _ = try AllocationCount.during { throw Expected() }
    }
  }
}
