import Measurement
import Testing

@Suite struct StratifiedPointsTests {
  static let seeds: [UInt64] = [0, 1, 7, 0xDEAD_BEEF, .max]

  @Test(arguments: seeds)
  func `every block of 2^k points has one in each box of each grid of 2^k boxes`(seed: UInt64) {
    let points = StratifiedPoints(seed: seed)
    for k in 0...10 {
      let count = 1 << k
      // The prefix, the block after it, and two later blocks.
      for block in [0, 1, 5, 1023] {
        let members = (0..<count).map { points.point(at: block * count + $0) }
        for columnsLog in 0...k {
          let (columns, rows) = (1 << columnsLog, 1 << (k - columnsLog))
          // Products with a power of two are exact, so no tolerance is needed.
          let boxes = Set(
            members.map { Int($0.x * Double(columns)) * rows + Int($0.y * Double(rows)) })
          #expect(
            boxes.count == count, "\(columns) by \(rows) boxes, block \(block), seed \(seed)")
        }
      }
    }
  }

  @Test func `without a shift the sequence is van der Corput's and Sobol's`() {
    // In eighths; Sobol's second dimension as tabulated by Joe and Kuo (natural order).
    let expected: [(Double, Double)] = [
      (0, 0), (4, 4), (2, 6), (6, 2), (1, 5), (5, 1), (3, 3), (7, 7),
    ]
    for (index, (x, y)) in expected.enumerated() {
      let point = StratifiedPoints(shiftX: 0, shiftY: 0).point(at: index)
      #expect(point == (x / 8, y / 8))
    }
  }

  @Test func `even with all bits flipped a coordinate stays below one`() {
    let points = StratifiedPoints(shiftX: .max, shiftY: .max)
    #expect(points.point(at: 0) == (1 - 0x1p-53, 1 - 0x1p-53))
    #expect(points.point(at: .max).x >= 0 && points.point(at: .max).y < 1)
  }

  @Test(arguments: [0, 1, 2, 1000])
  func `each single point is uniform over seeds`(index: Int) {
    var cells = [Int](repeating: 0, count: 16)
    for seed: UInt64 in 0..<4096 {
      let point = StratifiedPoints(seed: seed).point(at: index)
      cells[Int(point.x * 4) * 4 + Int(point.y * 4)] += 1
    }
    // Mean 256, deviation √(4096 · 1/16 · 15/16) = 15.5; six deviations.
    for count in cells { #expect(abs(count - 256) <= 93) }
  }
}
