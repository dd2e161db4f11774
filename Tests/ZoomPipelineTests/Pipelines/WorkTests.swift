import Testing

@testable import ZoomPipeline

struct WorkTests {
  private let one = Work(
    bytesRead: 10, unitsDecoded: 3, unit: .mcu, pixelsDecoded: 100, pixelsDelivered: 25)

  @Test func `a count that is not known stays unknown`() {
    let unknown = Work(bytesRead: nil, pixelsDecoded: nil, pixelsDelivered: 1)
    for sum in [one + unknown, unknown + one] {
      #expect(sum.bytesRead == nil)
      #expect(sum.pixelsDecoded == nil)
      #expect(sum.decodedPerDelivered == nil)
    }
    #expect((one + unknown).unitsDecoded == 3)
  }

  @Test func `decoded per delivered is a ratio that is safe for nothing delivered`() {
    #expect(one.decodedPerDelivered == 4)
    #expect(Work.fromMemory(delivering: 9).decodedPerDelivered == 0)
    #expect(Work(bytesRead: 0, pixelsDecoded: 6, pixelsDelivered: 0).decodedPerDelivered == 6)
  }
}
