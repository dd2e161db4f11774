internal import PropertyTesting
package import ZoomCorpus

/// A valid JPEG of a random kind, determined by its number.
package struct RandomJPEG: Sendable {
  /// The place of the height.
  package enum Height: Sendable, Hashable {
    /// In the frame header, as in nearly every file.
    case early
    /// Only in a DNL segment after the scan, which libjpeg does not read.
    case late
    /// In both places.
    case twice
  }

  package let options: JPEGEncoding
  package let height: Height
  package let jpeg: JPEGBytes

  /// Makes a JPEG; seven of eight are sequential.
  /// - Throws: the errors of the encoders, which mean that the options here are wrong.
  package init(_ number: UInt64) throws {
    var random = SplitMix64(seed: ~number)
    func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }
    switch number % 32 {
    case 5, 21, 29:
      let colours: [JPEGEncoding.Colour] = [.gray, .yCbCr, .yCbCr, .cmyk]
      let colour = colours.randomElement(using: &random) ?? .gray
      options = JPEGEncoding(
        colour: colour,
        sampling: colour == .yCbCr && chance(2) ? JPEGEncoding.Sampling.yCbCr444 : nil,
        quality: Int.random(in: 5...97, using: &random)
      ).with(\.coding, .progressive)
    case 13:
      options = JPEGEncoding(quality: Int.random(in: 5...97, using: &random))
        .with(\.coding, .arithmetic)
    default: options = Self.sequential(&random)
    }
    // One in 32 is longer than any block in which decoders read, to test how they continue.
    let isLarge = number % 32 == 31
    // If allowed, one side in four is at most 18 pixels, about an MCU.
    func side(_ range: ClosedRange<Int>) -> Int {
      let isSmall = range.contains(18) && chance(4)
      return Int.random(in: isSmall ? range.lowerBound...18 : range, using: &random)
    }
    let width = side(isLarge ? 700...1200 : 1...160)
    let height = side(isLarge ? 500...850 : 1...100)
    var made = try JPEGBytes(width, height, options, seed: number)
    var heightPlace = Height.early
    if [.huffman, .optimised].contains(options.coding) {
      if chance(8) { made = made.extended() }
      if chance(16) {
        made = made.withLateHeight()
        heightPlace = chance(2) ? .twice : .late
        if heightPlace == .twice { made = made.withHeight(height) }
      }
      if chance(6) { made = made.filled(Int.random(in: 1...3, using: &random)) }
    }
    self.height = heightPlace
    jpeg = made
  }

  /// Whether all components are in one sequential scan, which supports entry points.
  package var isOneScan: Bool {
    // With one component there is one scan in either case.
    [.huffman, .optimised].contains(options.coding)
      && (!options.isOneScanPerComponent || options.colour == .gray)
  }

  private static func sequential(_ random: inout SplitMix64) -> JPEGEncoding {
    func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }
    // Half of the pictures are YCbCr, the others of any kind.
    let colour =
      chance(2) ? .yCbCr : JPEGEncoding.Colour.allCases.randomElement(using: &random) ?? .gray
    var options = JPEGEncoding(
      colour: colour,
      sampling: colour == .yCbCr ? samplings.randomElement(using: &random) : nil,
      quality: Int.random(in: 5...97, using: &random))
    switch Int.random(in: 0..<5, using: &random) {
    case 0: options.restart = .rows(Int.random(in: 1...3, using: &random))
    // A marker after each MCU is as frequent as all other intervals together.
    case 1: options.restart = .mcus(chance(2) ? 1 : Int.random(in: 2...20, using: &random))
    default: break
    }
    if chance(3) { options.coding = .optimised }
    options.isOneScanPerComponent = chance(8)
    if chance(6) { options.trailingBytes = Int.random(in: 1...50, using: &random) }
    if chance(4) { options.metadata.orientation = Int.random(in: 1...8, using: &random) }
    return options
  }

  private static let samplings = [
    JPEGEncoding.Sampling.yCbCr444, JPEGEncoding.Sampling.yCbCr422,
    JPEGEncoding.Sampling.yCbCr440, JPEGEncoding.Sampling.yCbCr420,
    JPEGEncoding.Sampling.yCbCr411, JPEGEncoding.Sampling.yCbCr410,
    [JPEGEncoding.Sampling(1, 1), JPEGEncoding.Sampling(2, 2), JPEGEncoding.Sampling(1, 2)],
  ]
}
