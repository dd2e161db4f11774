/// The CRC-32 of IEEE 802.3, as in gzip (RFC 1952, section 8).
///
/// It finds every change that lies within 32 bits, and others but for one in four thousand million.
enum CyclicChecksum {
  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { state, _ in
      state & 1 == 1 ? 0xEDB8_8320 ^ (state >> 1) : state >> 1
    }
  }

  static func of(_ bytes: some Sequence<UInt8>) -> UInt32 {
    ~bytes.reduce(~UInt32(0)) { state, byte in
      table[Int(UInt8(truncatingIfNeeded: state) ^ byte)] ^ (state >> 8)
    }
  }
}
