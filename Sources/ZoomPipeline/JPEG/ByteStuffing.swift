#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The zero byte after each 0xFF in coded data, which keeps it apart from a marker.
enum ByteStuffing {
  /// The data without stuffing, with `padding` zeros behind.
  static func removed(from coded: ArraySlice<UInt8>, padding: Int) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: coded.count + padding) { target, count in
      unsafe coded.withUnsafeBytes { source in
        guard let from = source.baseAddress, let to = target.baseAddress else { return }
        var position = 0
        while position < source.count {
          // Up to and with the next FF, which memchr finds many bytes at a time.
          let found = unsafe memchr(from + position, 0xFF, source.count - position)
          let end =
            unsafe found.map { unsafe UnsafeRawPointer($0) - from + 1 } ?? source.count
          unsafe memcpy(to + count, from + position, end - position)
          count += end - position
          position = end
          guard unsafe found != nil else { break }
          // Decoders pass over any number of fill bytes: FF FF 00 is one coded FF, and an FF that no
          // zero follows fills the space before a marker (T.81, B.1.1.5 and B.1.1.2).
          while position < source.count, unsafe source[position] == 0xFF { position += 1 }
          if position < source.count, unsafe source[position] == 0 {
            position += 1
          } else {
            count -= 1
          }
        }
      }
      if let base = target.baseAddress {
        unsafe (base + count).update(repeating: 0, count: padding)
      }
      count += padding
    }
  }

  /// Appends data to coded data, stuffing it.
  static func append(_ clean: [UInt8], to coded: inout [UInt8]) {
    for byte in clean {
      coded.append(byte)
      if byte == 0xFF { coded.append(0) }
    }
  }
}
