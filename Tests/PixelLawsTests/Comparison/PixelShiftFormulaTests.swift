import PropertyTesting
import TestSupport
import Testing
import ZoomGeometry
import ZoomPipeline
import ZoomLaws

@testable import PixelLaws

/// Compares `PixelShift` with a second, plain implementation of its formulas.
@Suite struct PixelShiftFormulaTests {
  /// The samples of one band, by column and row.
  private typealias Samples = (_ x: Int, _ y: Int) -> Double

  private static func pixels(
    _ width: Int, _ height: Int, bands: Int = 1, format: SampleFormat = .float64,
    _ sample: (_ x: Int, _ y: Int, _ channel: Int) -> Double
  ) -> Pixels {
    let channels = format == .complex64 || format == .complex128 ? bands * 2 : bands
    var bytes: [UInt8] = []
    for place in 0..<width * height {
      for channel in 0..<channels {
        let number = sample(place % width, place / width, channel)
        switch format {
        case .uint8: bytes.append(UInt8(number))
        case .float32, .complex64: withUnsafeBytes(of: Float(number)) { bytes += Array($0) }
        default: withUnsafeBytes(of: number) { bytes += Array($0) }
        }
      }
    }
    return Pixels(
      size: size(width, height), bands: bands, format: format, interpretation: .grey, bytes: bytes)
  }

  /// Returns white noise from 0 to 1, which depends on the place only.
  private static func noise(_ seed: UInt64, _ x: Int, _ y: Int) -> Double {
    var generator = SplitMix64(seed: seed &+ UInt64((y + 64) * 4096 + x + 64))
    return Double(generator.next() >> 11) * 0x1p-53
  }

  // MARK: The formulas

  /// Returns the 3x3 binomial of samples, scaled so that a sample of 1 counts 255 levels.
  private static func smoothed(_ width: Int, _ height: Int, _ sample: Samples) -> [[Double]] {
    let weights = [0.25, 0.5, 0.25]
    return (0..<height - 2).map { y in
      (0..<width - 2).map { x in
        var sum = 0.0
        for (down, weight) in weights.enumerated() {
          for (right, other) in weights.enumerated() {
            sum += 255 * weight * other * sample(x + right, y + down)
          }
        }
        return sum
      }
    }
  }

  private static func squaredDifference(
    _ one: [[Double]], _ other: [[Double]], _ dx: Int, _ dy: Int
  ) -> Double {
    let (width, height) = (one[0].count, one.count)
    let columns = (0..<width).filter { (0..<width).contains($0 + dx) }
    let rows = (0..<height).filter { (0..<height).contains($0 + dy) }
    var step = 1
    while (step + 1) * (step + 1) * 4096 <= columns.count * rows.count { step += 1 }
    var differences: [Double] = []
    for row in stride(from: 0, to: rows.count, by: step) {
      for column in stride(from: 0, to: columns.count, by: step) {
        let (x, y) = (columns[column], rows[row])
        differences.append(one[y + dy][x + dx] - other[y][x])
      }
    }
    return differences.reduce(0) { $0 + $1 * $1 } / Double(differences.count)
  }

  private static func shift(
    _ one: [[Double]], _ other: [[Double]], reach: Int
  ) -> (x: Double, y: Double, explained: Double) {
    var best = (0, 0)
    for dy in -reach...reach {
      for dx in -reach...reach
      where squaredDifference(one, other, dx, dy) < squaredDifference(one, other, best.0, best.1) {
        best = (dx, dy)
      }
    }
    let (dx, dy) = best
    let (width, height) = (one[0].count, one.count)
    func gradient(_ plane: [[Double]], _ x: Int, _ y: Int) -> (Double, Double) {
      let across = plane[y][x - 2] - plane[y][x + 2] + 8 * (plane[y][x + 1] - plane[y][x - 1])
      let down = plane[y - 2][x] - plane[y + 2][x] + 8 * (plane[y + 1][x] - plane[y - 1][x])
      return (across / 12, down / 12)
    }
    func isInside(_ x: Int, _ y: Int) -> Bool {
      (2..<width - 2).contains(x) && (2..<height - 2).contains(y)
    }
    var terms: [(x: Double, y: Double, difference: Double)] = []
    for y in 0..<height {
      for x in 0..<width where isInside(x, y) && isInside(x + dx, y + dy) {
        let (there, here) = (gradient(one, x + dx, y + dy), gradient(other, x, y))
        terms.append(
          ((there.0 + here.0) / 2, (there.1 + here.1) / 2, one[y + dy][x + dx] - other[y][x]))
      }
    }
    func sum(_ term: ((x: Double, y: Double, difference: Double)) -> Double) -> Double {
      terms.reduce(0) { $0 + term($1) }
    }
    // Cramer's rule for the normal equations of difference = -(gradient, s).
    let (xx, xy, yy) = (sum { $0.x * $0.x }, sum { $0.x * $0.y }, sum { $0.y * $0.y })
    let (xd, yd) = (sum { -$0.x * $0.difference }, sum { -$0.y * $0.difference })
    let determinant = xx * yy - xy * xy
    let (x, y) = ((xd * yy - yd * xy) / determinant, (yd * xx - xd * xy) / determinant)
    let left = sum { term in
      let rest = term.difference + x * term.x + y * term.y
      return rest * rest
    }
    let before = squaredDifference(one, other, 0, 0)
    let share = 1 - left / Double(terms.count) / before
    return (Double(dx) + x, Double(dy) + y, share < 0 ? 0 : share)
  }

  /// Compares `PixelShift` with the formulas for noise and a shifted copy of it with added noise.
  private static func check(
    _ width: Int, _ height: Int, moved: (x: Int, y: Int), own: Double, within range: Int, reach: Int
  ) throws {
    let still: Samples = { noise(1, $0, $1) }
    let other: Samples = { x, y in noise(1, x - moved.x, y - moved.y) + own * noise(2, x, y) }
    let wanted = shift(smoothed(width, height, other), smoothed(width, height, still), reach: reach)
    let seen = try #require(
      PixelShift(
        pixels(width, height) { x, y, _ in other(x, y) },
        expected: pixels(width, height) { x, y, _ in still(x, y) }, within: range))
    // Both add several thousand numbers of about a hundred, with a rounding error of 2^-53 each.
    let slack = 1e-8
    #expect(abs(seen.x - wanted.x) < slack && abs(seen.y - wanted.y) < slack, "\(seen) \(wanted)")
    #expect(abs(seen.explained - wanted.explained) < slack, "\(seen) \(wanted)")
    #expect(seen.length == [abs(seen.x), abs(seen.y)].max())
  }

  @Test func `shifts are those of the formulas, whole and in part`() throws {
    for (x, y) in [(0, 0), (1, 0), (0, -1), (-2, 3), (3, -3), (-3, -2)] {
      for own in [0.1, 0.6] {
        try Self.check(17, 13, moved: (x, y), own: own, within: 3, reach: 3)
        try Self.check(12, 19, moved: (x, y), own: own, within: 3, reach: 3)
      }
    }
  }

  @Test func `whole pixels are tried up to a third of the shorter side and no farther`() throws {
    try Self.check(24, 31, moved: (8, 0), own: 0.1, within: 20, reach: 8)
    try Self.check(24, 31, moved: (9, 0), own: 0.1, within: 20, reach: 8)
    try Self.check(31, 24, moved: (0, 9), own: 0.1, within: 20, reach: 8)
    try Self.check(24, 24, moved: (4, 0), own: 0.1, within: 3, reach: 3)
    try Self.check(12, 12, moved: (1, 1), own: 0.1, within: 0, reach: 0)
    try Self.check(12, 12, moved: (1, 1), own: 0.1, within: -3, reach: 0)
  }

  @Test(arguments: [7, 8, 9])
  func `unless told otherwise eight whole pixels are tried`(moved: Int) throws {
    let still = Self.pixels(30, 28) { x, y, _ in Self.noise(1, x, y) }
    let other = Self.pixels(30, 28) { x, y, _ in Self.noise(1, x - moved, y) }
    let seen = try #require(PixelShift(other, expected: still))
    #expect(seen == PixelShift(other, expected: still, within: 8))
    // A third of the shorter side would allow nine pixels.
    #expect((seen == PixelShift(other, expected: still, within: 9)) == (moved < 9))
    #expect((seen == PixelShift(other, expected: still, within: 7)) == (moved < 8))
  }

  @Test func `of large pictures some thousand places are looked at`() throws {
    // Planes of 126x130 and of 128x128 samples, just below and at four times 4096. The last two
    // pictures are so narrow that the square of either side would give another number of samples.
    for (width, height) in [(128, 132), (130, 130), (194, 194), (300, 60), (60, 300)] {
      try Self.check(width, height, moved: (0, 0), own: 0.5, within: 0, reach: 0)
    }
  }

  @Test func `bands are averaged, and what is no number counts as zero`() throws {
    func sample(_ x: Int, _ y: Int, _ seed: UInt64) -> Double { Self.noise(seed, x, y) }
    let grey = Self.pixels(15, 11) { x, y, _ in (sample(x, y, 3) + sample(x, y, 4)) / 2 }
    let other = Self.pixels(15, 11) { x, y, _ in (sample(x, y, 4) + sample(x, y, 5)) / 2 }
    let wanted = try #require(PixelShift(grey, expected: other))
    for format in [SampleFormat.float64, .complex128] {
      let bands = format == .float64 ? 2 : 1
      let seen = try #require(
        PixelShift(
          Self.pixels(15, 11, bands: bands, format: format) { sample($0, $1, $2 == 0 ? 3 : 4) },
          expected: Self.pixels(15, 11, bands: bands, format: format) {
            sample($0, $1, $2 == 0 ? 4 : 5)
          }))
      #expect(abs(seen.x - wanted.x) < 1e-9 && abs(seen.y - wanted.y) < 1e-9)
    }
    let holes = [0.0, .nan, .infinity].map { hole in
      Self.pixels(15, 11) { x, y, _ in x == 6 && y == 5 ? hole : sample(x, y, 3) }
    }
    let shifts = holes.map { PixelShift($0, expected: other) }
    #expect(shifts[0] != nil && shifts[1] == shifts[0] && shifts[2] == shifts[0])
  }

  @Test func `equal pictures are explained wholly, and worse than nothing is not at all`() throws {
    let still = Self.pixels(20, 20) { x, y, _ in Self.noise(1, x, y) }
    let same = try #require(PixelShift(still, expected: still))
    #expect(same == PixelShift(x: 0, y: 0, explained: 1))
    // Only the inside differs, so that the inside has a larger mean difference than the whole.
    let other = Self.pixels(20, 20) { x, y, _ in
      let isInside = (4..<16).contains(x) && (4..<16).contains(y)
      return Self.noise(1, x, y) + (isInside ? 0.2 * Self.noise(2, x, y) : 0)
    }
    #expect(try #require(PixelShift(other, expected: still, within: 0)).explained == 0)
  }

  @Test func `also of differences below a level it is told how much a shift explains`() throws {
    // Smoothed noise of 0.001 * 255 levels differs by about 0.03 levels, squared 0.001.
    for own in [0.001, 0.004] {
      try Self.check(17, 13, moved: (0, 0), own: own, within: 3, reach: 3)
    }
  }

  /// Both smoothed pictures are infinite in one place, which must not count as a shift.
  @Test func `a number too large to be scaled does not shift a picture beside itself`() throws {
    for (width, height) in [(15, 12), (12, 15)] {
      let still = Self.pixels(width, height) { x, y, _ in
        x == 0 && y == 0 ? .greatestFiniteMagnitude : Self.noise(1, x, y)
      }
      let shift = try #require(PixelShift(still, expected: still))
      #expect(shift == PixelShift(x: 0, y: 0, explained: 1))
    }
  }

  /// A shifted paraboloid differs from itself by exactly the shift times the mean gradient.
  ///
  /// So only rounding errors remain, half of them negative.
  @Test func `no shift explains more than all`() throws {
    func bowl(_ x: Double, _ y: Double) -> Double { 0.001 * x * x + 0.0013 * y * y }
    let still = Self.pixels(20, 17) { x, y, _ in bowl(Double(x), Double(y)) }
    for step in 1..<60 {
      let (dx, dy) = (Double(step) / 130, Double(-step) / 170)
      let moved = Self.pixels(20, 17) { x, y, _ in bowl(Double(x) - dx, Double(y) - dy) }
      let shift = try #require(PixelShift(moved, expected: still, within: 0))
      #expect(shift.explained <= 1 && shift.explained > 1 - 1e-9)
      #expect(abs(shift.x - dx) < 1e-9 && abs(shift.y - dy) < 1e-9)
    }
  }

  /// Content that repeats every 4 pixels in both directions.
  ///
  /// A shift by 1 fits as well as one by -3 or 5, and half a period fits in either direction.
  @Test(arguments: [
    (1, 0, 1), (-1, 0, 1), (0, 1, 1), (0, -1, 1), (1, -1, 1), (-1, 1, 1), (2, 0, -1), (0, 2, -1),
    (2, 2, -1),
  ]) func `of equally good shifts the shortest is taken, of those the first from the top left`(
    x: Int, y: Int, sign: Int
  ) throws {
    func tiles(_ x: Int, _ y: Int) -> Pixels {
      Self.pixels(24, 24, format: .uint8) { column, row, _ in
        Double([0, 40, 200, 90][(column - x) & 3] >> ((row - y) & 3))
      }
    }
    let shift = try #require(PixelShift(tiles(x, y), expected: tiles(0, 0)))
    #expect(shift.x == Double(sign * x) && shift.y == Double(sign * y), "\(shift)")
  }

  // MARK: Limits

  /// A picture whose weaker direction has a structure of exactly 12 squared levels if `edge` is 96.
  ///
  /// It has 3x3 places with a gradient: 96 / 4 / 12 = 2 across in the first column, and 144 / 4 /
  /// 12 = 3 down and up in the first and last row. The sums are 3 * 2^2 = 12 across and 3 * 2 * 3^2
  /// = 54 down, and the products of both cancel out.
  private static func faint(
    _ edge: Double, bands: Int = 1, format: SampleFormat = .uint8
  ) -> Pixels {
    pixels(9, 9, bands: bands, format: format) { x, y, _ in
      let level = (x == 0 ? edge : 0) + (y == 0 || y == 8 ? 144 : 0)
      return format == .uint8 ? level : level / 255
    }
  }

  @Test func `twelve squared levels tell a shift, less do not`() {
    #expect(PixelShift(Self.faint(96), expected: Self.faint(96)) != nil)
    #expect(PixelShift(Self.faint(95), expected: Self.faint(95)) == nil)
    for format in [SampleFormat.float32, .float64, .complex64, .complex128] {
      for bands in [1, 2, 3] {
        let above = Self.faint(96.01, bands: bands, format: format)
        let below = Self.faint(95.99, bands: bands, format: format)
        #expect(PixelShift(above, expected: above) != nil, "\(bands) of \(format)")
        #expect(PixelShift(below, expected: below) == nil, "\(bands) of \(format)")
      }
    }
  }

  @Test func `pictures of seven pixels a side can be told, smaller ones not`() {
    for (width, height) in [(7, 30), (30, 7)] {
      let noise = Self.pixels(width, height) { x, y, _ in Self.noise(6, x, y) }
      #expect(PixelShift(noise, expected: noise) != nil)
    }
    for (width, height) in [(6, 30), (30, 6), (2, 30), (30, 2), (1, 30), (30, 1), (1, 1)] {
      let noise = Self.pixels(width, height) { x, y, _ in Self.noise(6, x, y) }
      #expect(PixelShift(noise, expected: noise) == nil)
    }
  }
}
