internal import ZoomCorpus

/// A small JPEG with a few random changes, which follow from its number.
package struct JPEGMutant: Sendable {
  /// By which it can be made again.
  package let number: UInt64
  package let bytes: [UInt8]
  /// How many changes were made to a valid file.
  package let changeCount: Int
  /// Chooses the region to be read.
  package let regionSeed: UInt64
}

/// Makes mutants; neighbours in number are of one picture, which is made once.
package struct JPEGMutants {
  private static let perPicture: UInt64 = 64
  private var picture: (number: UInt64, jpeg: JPEGBytes)?

  package init() {}

  /// Makes a mutant.
  /// - Parameter number: any.
  /// - Returns: always the same for a number.
  /// - Throws: what the encoder does, which is a fault of the options here.
  package mutating func mutant(_ number: UInt64) throws -> JPEGMutant {
    let source = number / Self.perPicture
    let jpeg: JPEGBytes
    if let picture, picture.number == source {
      jpeg = picture.jpeg
    } else {
      jpeg = try Self.picture(source)
      picture = (source, jpeg)
    }
    var random = SplitMix64(seed: number)
    // One in eight stays as it is: what is valid has to be answered.
    let changeCount = max(0, Int.random(in: -1...6, using: &random))
    var changed = jpeg
    let headerCount = jpeg.codedStart
    for _ in 0..<changeCount { changed.mutate(headerCount, &random) }
    return JPEGMutant(
      number: number, bytes: changed.bytes, changeCount: changeCount, regionSeed: random.next())
  }

  /// A valid file of a random kind.
  private static func picture(_ number: UInt64) throws -> JPEGBytes {
    var random = SplitMix64(seed: ~number)
    func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }
    // Half of all are YCbCr, the others of any kind.
    let colour =
      chance(2) ? .yCbCr : BaselineJPEG.Colour.allCases.randomElement(using: &random) ?? .gray
    var options = BaselineJPEG.Options(
      colour: colour,
      sampling: colour == .yCbCr ? samplings.randomElement(using: &random) : nil,
      quality: Int.random(in: 5...97, using: &random))
    switch Int.random(in: 0..<5, using: &random) {
    case 0: options.restart = .rows(Int.random(in: 1...3, using: &random))
    case 1: options.restart = .mcus(Int.random(in: 1...20, using: &random))
    default: break
    }
    if chance(3) { options.huffman = .optimised }
    options.isExtendedSequential = chance(8)
    options.isOneScanPerComponent = chance(8)
    if chance(6) { options.fillBytes = Int.random(in: 1...3, using: &random) }
    if chance(6) { options.trailer.count = Int.random(in: 1...50, using: &random) }
    if chance(4) { options.metadata.orientation = Int.random(in: 1...8, using: &random) }
    // One in 32 is longer than any piece in which decoders read, so that how they go on is seen, too.
    let isLarge = number % 32 == 31
    return try JPEGBytes(
      Int.random(in: isLarge ? 700...1200 : 1...160, using: &random),
      Int.random(in: isLarge ? 500...850 : 1...100, using: &random), options, seed: number)
  }

  private static let samplings = [
    BaselineJPEG.Sampling.yCbCr444, BaselineJPEG.Sampling.yCbCr422,
    BaselineJPEG.Sampling.yCbCr440, BaselineJPEG.Sampling.yCbCr420,
    BaselineJPEG.Sampling.yCbCr411, BaselineJPEG.Sampling.yCbCr410,
    [BaselineJPEG.Sampling(1, 1), BaselineJPEG.Sampling(2, 2), BaselineJPEG.Sampling(1, 2)],
  ]
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
