import Testing

@testable import ZoomCorpus

@Suite struct ScratchBufferTests {
  @Test func `every element starts with the value, and an empty buffer still has memory`() {
    let buffer = ScratchBuffer<Int32>(count: 5, repeating: -7)
    #expect((0..<5).map { buffer.base[$0] } == [-7, -7, -7, -7, -7])
    let empty = ScratchBuffer<Int32>(count: 0, repeating: 3)
    #expect(empty.count == 0)
    #expect(empty.base[0] == 3)
  }
}
