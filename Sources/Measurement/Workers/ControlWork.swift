/// Frozen work that is the same in every build, for the control and the canary.
///
/// It resembles decoding without being the code under test: an inverse 8x8 transform of
/// synthetic coefficients, block after block, written into a plane of bytes. What it computes,
/// and how, must never change: a control that moved with a commit would hide what it is there to
/// show. A better one is a new type with a new name.
///
/// The transform is that of Walsh and Hadamard: additions only, so it is exact everywhere.
package struct ControlWork: WorkerSubject {
  /// Rows of blocks in each run: a multiple of 20, so that five per cent more is exact.
  package static let rows = 40
  /// Blocks in each row: 400 KiB of pixels, more than first-level caches hold, in 2 to 3 ms.
  package static let columns = 160

  private var plane = [UInt8](repeating: 0, count: rows * columns * 64)

  /// Allocates the plane.
  package init() {}

  /// Transforms `rows` rows of blocks, and as many more as asked for.
  ///
  /// - Returns: How many rows were done.
  package mutating func run(round: Int, extra: Int) -> Int {
    let rows = Self.rows + Self.rows * extra / 1000
    let needed = rows * Self.columns * 64
    if plane.count < needed { plane += [UInt8](repeating: 0, count: needed - plane.count) }
    plane.withUnsafeMutableBufferPointer { plane in
      for row in 0..<rows { Self.transform(row: row, round: round, into: plane) }
    }
    return rows
  }

  /// The digest of the rows that every run does, whatever its extra work.
  package func digest(of rows: Int) -> String? {
    var digest = AnswerDigest()
    digest.add(plane.prefix(Self.rows * Self.columns * 64))
    return digest.hexadecimal
  }

  /// Counts the rows of blocks.
  package mutating func counters(round: Int) -> [String: Int] { ["rows": Self.rows] }

  @inline(never)
  private static func transform(
    row: Int, round: Int, into plane: UnsafeMutableBufferPointer<UInt8>
  ) {
    let stride = columns * 8
    var state = UInt64(truncatingIfNeeded: round) &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(row)
    withUnsafeTemporaryAllocation(of: Int32.self, capacity: 64) { block in
      for column in 0..<columns {
        for index in 0..<64 {
          // Knuth's multiplier (MMIX): the low frequencies are given the greater coefficients.
          state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
          block[index] = Int32(truncatingIfNeeded: state >> 32) >> Int32(20 + (index >> 4))
        }
        for line in 0..<8 { butterfly(block, start: line * 8, step: 1) }
        for line in 0..<8 { butterfly(block, start: line, step: 8) }
        let corner = row * 8 * stride + column * 8
        for index in 0..<64 {
          let level = (block[index] >> 6) &+ 128
          plane[corner + (index >> 3) * stride + (index & 7)] = UInt8(clamping: level)
        }
      }
    }
  }

  @inline(__always)
  private static func butterfly(
    _ block: UnsafeMutableBufferPointer<Int32>, start: Int, step: Int
  ) {
    var half = 4
    while half > 0 {
      for pair in 0..<4 {
        let low = (pair / half) * half * 2 + pair % half
        let (a, b) = (start + low * step, start + (low + half) * step)
        (block[a], block[b]) = (block[a] &+ block[b], block[a] &- block[b])
      }
      half >>= 1
    }
  }
}
