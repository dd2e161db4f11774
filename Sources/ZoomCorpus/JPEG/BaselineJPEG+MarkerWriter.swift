extension BaselineJPEG {
  /// Collects markers and marker segments (T.81 B.1.1).
  struct MarkerWriter {
    private(set) var bytes: [UInt8] = []
    let fillBytes: Int

    init(fillBytes: Int) {
      self.fillBytes = fillBytes
    }

    /// A marker without parameters.
    ///
    /// SOI gets no fill bytes: a file must start with FF D8.
    mutating func marker(_ code: UInt8) {
      if code != 0xD8 {
        bytes.append(contentsOf: repeatElement(0xFF, count: fillBytes))
      }
      bytes.append(0xFF)
      bytes.append(code)
    }

    /// A marker with its length and parameters; at most 65533 bytes of them.
    mutating func segment(_ code: UInt8, _ payload: [UInt8]) {
      marker(code)
      bytes.append(contentsOf: Self.word(payload.count + 2))
      bytes.append(contentsOf: payload)
    }

    /// A 16-bit big-endian number.
    static func word(_ value: Int) -> [UInt8] {
      precondition((0...0xFFFF).contains(value), "a 16-bit field cannot hold \(value)")
      return [UInt8(value >> 8), UInt8(value & 0xFF)]
    }
  }
}
