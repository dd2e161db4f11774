/// A small JPEG with a few random changes, which follow from its number.
package struct JPEGMutant: Sendable {
  /// By which it can be made again.
  package let number: UInt64
  /// The valid file that was changed.
  package let original: RandomJPEG
  package let bytes: [UInt8]
  /// How many changes were made to it.
  package let changeCount: Int
  /// Chooses the region to be read.
  package let regionSeed: UInt64
}

/// Makes mutants; neighbours in number are of one picture, which is made once.
package struct JPEGMutants {
  private static let perPicture: UInt64 = 64
  private var picture: (number: UInt64, made: RandomJPEG)?

  package init() {}

  /// Makes a mutant.
  /// - Parameter number: any.
  /// - Returns: always the same for a number.
  /// - Throws: what the encoders do, which is a fault of the options there.
  package mutating func mutant(_ number: UInt64) throws -> JPEGMutant {
    let source = number / Self.perPicture
    let original: RandomJPEG
    if let picture, picture.number == source {
      original = picture.made
    } else {
      original = try RandomJPEG(source)
      picture = (source, original)
    }
    var random = SplitMix64(seed: number)
    // One in eight stays as it is: what is valid has to be answered. The more changes, the fewer files
    // that decoders take at all.
    let changeCount = [0, 1, 1, 1, 2, 2, 3, 6].randomElement(using: &random) ?? 0
    var changed = original.jpeg
    let headerCount = changed.codedStart
    for _ in 0..<changeCount { changed.mutate(headerCount, &random) }
    return JPEGMutant(
      number: number, original: original, bytes: changed.bytes, changeCount: changeCount,
      regionSeed: random.next())
  }
}

extension JPEGBytes {
  /// Bytes that mean something somewhere in a JPEG.
  private static let telling: [UInt8] = [
    0, 1, 2, 0x11, 0x22, 0x7F, 0x80, 0xC0, 0xC1, 0xC2, 0xC4, 0xC9, 0xD0, 0xD3, 0xD7, 0xD8, 0xD9,
    0xDA, 0xDB, 0xDC, 0xDD, 0xE0, 0xEE, 0xFE, 0xFF,
  ]

  /// Makes one change, to the first `headerCount` bytes as likely as to all.
  fileprivate mutating func mutate(_ headerCount: Int, _ random: inout SplitMix64) {
    guard !bytes.isEmpty else { return }
    let any = Int.random(in: 0..<bytes.count, using: &random)
    // Headers are a small part of a file, and the part with most to break.
    let header = Int.random(in: 0..<min(bytes.count, headerCount), using: &random)
    let byte = Self.telling.randomElement(using: &random) ?? 0
    switch Int.random(in: 0..<12, using: &random) {
    case 0, 1: bytes[any] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    case 2: bytes[header] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    case 3: bytes[any] = UInt8.random(in: .min ... .max, using: &random)
    case 4: bytes[any] = byte
    case 5: bytes[header] = byte
    case 6:
      let place = Bool.random(using: &random) ? any : header
      bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...8, using: &random)))
    case 7:
      let more = (0..<Int.random(in: 1...8, using: &random)).map { _ in
        UInt8.random(in: .min ... .max, using: &random)
      }
      bytes.insert(contentsOf: more, at: Bool.random(using: &random) ? any : header)
    case 8: bytes.insert(contentsOf: [0xFF, byte], at: any)
    case 9:
      // A run of bytes once more, elsewhere: segments and restart segments among them.
      let run = bytes[any..<min(bytes.count, any + Int.random(in: 1...80, using: &random))]
      bytes.insert(contentsOf: run, at: Int.random(in: 0..<bytes.count, using: &random))
    case 10:
      guard let marker = markers.randomElement(using: &random) else { return }
      bytes[marker.at] = Bool.random(using: &random) ? byte : marker.code ^ 1
    default:
      bytes.removeSubrange(any...)
      if Bool.random(using: &random) { bytes += [0xFF, 0xD9] }
    }
  }
}
