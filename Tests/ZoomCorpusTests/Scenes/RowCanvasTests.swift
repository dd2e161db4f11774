import Testing

@testable import ZoomCorpus

@Suite struct RowCanvasTests {
  private func components(_ tint: Tint) -> [Int32] { [tint.red, tint.green, tint.blue] }

  @Test func `a canvas keeps extreme light inside 16 bits`() {
    let canvas = RowCanvas(width: 2)
    canvas[1] = Tint(red: 1_000_000, green: -1_000_000, blue: 5)
    #expect(components(canvas[1]) == [32640, -16320, 5])
    #expect(components(canvas[0]) == [0, 0, 0])
  }

  @Test func `spans are cut to the canvas and may be empty`() {
    let canvas = RowCanvas(width: 10)
    #expect(canvas.clipped(-5, 4) == 0..<4)
    #expect(canvas.clipped(8, 40) == 8..<10)
    #expect(canvas.clipped(20, 30).isEmpty)
    #expect(canvas.clipped(-9, -3).isEmpty)
    #expect(canvas.clipped(6, 2).isEmpty)
  }

  @Test func `a ramp meets its stops and clamps beyond them`() {
    let ramp = Ramp([(0, 0x000000), (100, 0x640000), (255, 0xFFFFFF)])
    #expect(components(ramp[0]) == [0, 0, 0])
    #expect(components(ramp[100]) == [6400, 0, 0])
    #expect(components(ramp[50]) == [3200, 0, 0])
    #expect(components(ramp[999]) == components(ramp[255]))
    #expect(components(ramp[-4]) == components(ramp[0]))
  }
}
