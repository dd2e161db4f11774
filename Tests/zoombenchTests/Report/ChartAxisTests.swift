import Measurement
import Testing

@testable import zoombench

@Suite struct ChartAxisTests {
  private func axes(seed: UInt64) -> [ChartAxis] {
    var random = SeededRandom(seed: seed, label: "axes")
    return (0..<100).flatMap { _ -> [ChartAxis] in
      let scale = Double(sign: .plus, exponent: random.index(below: 60) - 20, significand: 1)
      let values = (0..<1 + random.index(below: 4)).map { _ in scale * (0.001 + random.unit()) }
      return [
        ChartAxis(over: values), ChartAxis(over: values.map { 1 - $0 }),
        ChartAxis(over: values, isLogarithmic: true),
        ChartAxis(over: values, isLogarithmic: true).padded(0.05),
        ChartAxis(over: values).padded(0.05),
      ]
    }
  }

  @Test(arguments: 1...5 as ClosedRange<UInt64>)
  func `ticks lie within the axis, rise, and are no more than asked for`(seed: UInt64) {
    for axis in axes(seed: seed) {
      for count in [2, 5, 8] {
        let ticks = axis.ticks(atMost: count) { Format.significant($0) }.map(\.value)
        #expect(!ticks.isEmpty && ticks.count <= count)
        // The tolerance is a tenth of a unit, the precision of drawing.
        let room = (axis.high - axis.low) * 1e-4
        #expect(ticks.allSatisfy { $0 >= axis.low - room && $0 <= axis.high + room })
        #expect(zip(ticks, ticks.dropFirst()).allSatisfy { $0 < $1 })
      }
    }
  }

  @Test(arguments: 1...5 as ClosedRange<UInt64>)
  func `shares rise from zero to one and stop there`(seed: UInt64) {
    for axis in axes(seed: seed) {
      #expect(axis.share(of: axis.low) < 1e-9 && axis.share(of: axis.high) > 1 - 1e-9)
      let middle = axis.share(of: (axis.low + axis.high) / 2)
      #expect(middle > 0 && middle < 1)
      for value in [-Double.infinity, .infinity, .nan, -1e300, 1e300] {
        #expect((0...1).contains(axis.share(of: value)))
      }
    }
  }

  @Test func `an axis over nothing or over one number has a length`() {
    for values in [[], [0], [5], [.nan], [-3, .infinity]] as [[Double]] {
      for isLogarithmic in [false, true] {
        let axis = ChartAxis(over: values, isLogarithmic: isLogarithmic)
        #expect(axis.low < axis.high)
      }
    }
  }

  @Test func `numbers of a vertical axis are not clipped at the left`() {
    let label = { (ratio: Double) in Format.changeTick(ratio) }
    for highest in [1.2, 3, 30] {
      let frame = ChartFrame(
        title: "a", summary: "b", horizontal: ChartAxis(over: [0, 1]),
        vertical: ChartAxis(over: [0.5, highest]), horizontalName: "c",
        horizontalLabel: { Format.trimmed($0) }, verticalLabel: label)
      let ticks = ChartAxis(over: [0.5, highest]).ticks(atMost: 6, label: label)
      let widest = ticks.map { SVGDrawing.width(of: $0.label) }.max() ?? 0
      #expect(frame.left - 5 >= widest)
    }
  }

  @Test func `ticks are round`() {
    let linear = ChartAxis(over: [0, 1]).ticks(atMost: 6) { Format.trimmed($0) }
    #expect(linear.map(\.label) == ["0", "0.2", "0.4", "0.6", "0.8", "1"])
    let logarithmic = ChartAxis(over: [1e3, 1e6], isLogarithmic: true)
    #expect(
      logarithmic.ticks(atMost: 4) { Format.durationTick($0) }.map(\.label)
        == ["1 µs", "10 µs", "100 µs", "1 ms"])
  }
}
