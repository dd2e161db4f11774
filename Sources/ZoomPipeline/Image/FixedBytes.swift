/// Bytes at a fixed address, which libvips reads as long as an image made of them lives.
///
/// Written by whoever makes them, before they are shared, and only read afterwards: hence
/// `@unchecked Sendable`.
@safe final class FixedBytes: @unchecked Sendable {
  let start: UnsafeMutableRawPointer
  let count: Int

  /// Takes memory and leaves it to the caller to write all of it.
  init(uninitializedCount count: Int) {
    self.count = count
    // At least one byte, so that there is an address; 16 suits every vector instruction.
    unsafe start = UnsafeMutableRawPointer.allocate(byteCount: max(count, 1), alignment: 16)
  }

  /// Copies an array, whose own bytes may move.
  convenience init(_ bytes: [UInt8]) {
    self.init(uninitializedCount: bytes.count)
    unsafe bytes.withUnsafeBytes { source in
      if let base = source.baseAddress {
        unsafe start.copyMemory(from: base, byteCount: count)
      }
    }
  }

  deinit { unsafe start.deallocate() }
}
