import Measurement
import Testing

@Suite struct SeededRandomTests {
  /// Seeds with few and with many bits, including both extremes.
  static let seeds: [UInt64] = [0, 1, 2, 1_234_567, 0x8000_0000_0000_0000, .max]

  /// The published outputs of `splitmix64.c` (Vigna) for these seeds.
  @Test(
    arguments: [
      (
        0,
        [
          0xE220_A839_7B1D_CDAF, 0x6E78_9E6A_A1B9_65F4, 0x06C4_5D18_8009_454F,
          0xF88B_B8A8_724C_81EC, 0x1B39_896A_51A8_749B,
        ]
      ),
      (
        1_234_567,
        [
          6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
          4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
        ]
      ),
    ] as [(UInt64, [UInt64])])
  func `the numbers are those of SplitMix64`(seed: UInt64, expected: [UInt64]) {
    var random = SeededRandom(seed: seed)
    #expect((0..<5).map { _ in random.next() } == expected)
  }

  @Test(arguments: seeds)
  func `the seed of stream k is output k of the generator seeded with the first output`(
    seed: UInt64
  ) {
    var first = SeededRandom(seed: seed)
    var outputs = SeededRandom(seed: first.next())
    for stream: UInt64 in 0..<100 {
      #expect(SeededRandom.derivedSeed(from: seed, stream: stream) == outputs.next())
    }
  }

  @Test func `a named stream has the number of the name's FNV-1a hash`() {
    // The published hashes of "" and "foobar" (Fowler, Noll and Vo's test vectors).
    for (label, hash) in [("", 0xCBF2_9CE4_8422_2325), ("foobar", 0x8594_4171_F739_67E8)]
      as [(String, UInt64)]
    {
      let named = SeededRandom.derivedSeed(from: 5, label: label)
      #expect(named == SeededRandom.derivedSeed(from: 5, stream: hash))
      #expect(SeededRandom(seed: 5, label: label) == SeededRandom(seed: named))
      #expect(SeededRandom(seed: 5, stream: hash) == SeededRandom(seed: named))
    }
  }

  @Test(arguments: seeds)
  func `unit numbers lie in the half-open interval and fill it`(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var cells: Set<Int> = []
    for _ in 0..<1000 {
      let number = random.unit()
      #expect((0..<1).contains(number))
      cells.insert(Int(number * 16))
    }
    // The chance of an empty cell is 16 (15/16)^1000 < 2e-27.
    #expect(cells.count == 16)
  }

  @Test(arguments: [1, 2, 3, 5, 6, 7, 64, 100])
  func `each index below a bound is drawn equally often`(bound: Int) {
    var random = SeededRandom(seed: 11, stream: UInt64(bound))
    let draws = 600 * bound
    var counts = [Int](repeating: 0, count: bound)
    for _ in 0..<draws { counts[random.index(below: bound)] += 1 }
    // Each count is binomial with mean 600 and deviation below √600 = 24.5; six deviations.
    for count in counts { #expect(abs(count - 600) <= 147) }
  }

  @Test func `a bound that divides the draws unevenly leaves no bias`() {
    // There are 8/3 draws for each index: without rejection, two of three indices would get
    // three draws, and every third index two.
    let bound = 3 << 61
    var random = SeededRandom(seed: 12)
    var thirds = [0, 0, 0]
    for _ in 0..<6000 { thirds[random.index(below: bound) % 3] += 1 }
    // Mean 2000, deviation √(6000 · 1/3 · 2/3) = 36.5; six deviations.
    for count in thirds { #expect(abs(count - 2000) <= 219) }
  }

  @Test(arguments: [0, 1, 2, 3, 4, 17, 100])
  func `a permutation has each index once`(count: Int) {
    var random = SeededRandom(seed: 13)
    for _ in 0..<20 {
      #expect(random.permutation(of: count).sorted() == Array(0..<count))
    }
  }

  @Test func `each of the 24 orders of four things is drawn equally often`() {
    var random = SeededRandom(seed: 14)
    var counts: [[Int]: Int] = [:]
    for _ in 0..<24_000 { counts[random.permutation(of: 4), default: 0] += 1 }
    #expect(counts.count == 24)
    // Mean 1000, deviation below √1000 = 31.6; six deviations.
    for (order, count) in counts { #expect(abs(count - 1000) <= 190, "\(order)") }
  }
}
