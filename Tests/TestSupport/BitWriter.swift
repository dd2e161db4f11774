/// Writes bits, the most significant first.
struct BitWriter {
  private(set) var finished: [UInt8] = []
  private var count = 0

  mutating func append(_ value: Int, _ length: Int) {
    for place in (0..<length).reversed() {
      if count.isMultiple(of: 8) { finished.append(0) }
      finished[finished.count - 1] |= UInt8(value >> place & 1) << (7 - count % 8)
      count += 1
    }
  }

  mutating func align(_ length: Int) {
    while !count.isMultiple(of: length) { append(0, 1) }
  }
}
