package import ZoomCorpus

/// A valid JPEG of a random kind, which follows from its number.
///
/// What libvips writes, the progressive ones, follows from its version, too.
package struct RandomJPEG: Sendable {
  /// How the coefficients are coded.
  package enum Coding: Sendable, Hashable {
    /// With Huffman codes, block by block.
    case sequential(BaselineJPEG.Options)
    /// In several scans, by libvips.
    case progressive
    /// A file from elsewhere, always the same.
    case arithmetic
  }

  /// Where the height is told.
  package enum Height: Sendable, Hashable {
    /// In the frame's header, as nearly everywhere.
    case early
    /// Behind the scan alone (DNL), which libjpeg does not read.
    case late
    /// In both places.
    case twice
  }

  package let coding: Coding
  package let height: Height
  package let jpeg: JPEGBytes

  /// Makes one; seven of eight are sequential.
  /// - Throws: what the encoders do, which is a fault of the options here.
  package init(_ number: UInt64) throws {
    var random = SplitMix64(seed: ~number)
    switch number % 32 {
    case 5, 21, 29:
      coding = .progressive
      height = .early
      let (width, height) = Self.sides(width: 1...160, height: 1...100, &random)
      jpeg = try .progressive(
        width, height, bands: [1, 3, 3, 4].randomElement(using: &random) ?? 3,
        subsampled: Bool.random(using: &random), quality: Int.random(in: 5...97, using: &random),
        seed: number)
    case 13:
      coding = .arithmetic
      height = .early
      jpeg = JPEGBytes(try ArithmeticJPEG.bytes())
    default:
      let options = Self.options(&random)
      coding = .sequential(options)
      // One in 32 is longer than any piece in which decoders read, so that how they go on is seen.
      let isLarge = number % 32 == 31
      let (width, height) = Self.sides(
        width: isLarge ? 700...1200 : 1...160, height: isLarge ? 500...850 : 1...100, &random)
      var made = try JPEGBytes(width, height, options, seed: number)
      if options.definesHeightLate, Bool.random(using: &random) {
        made.setFrameHeight(height)
        self.height = .twice
      } else {
        self.height = options.definesHeightLate ? .late : .early
      }
      jpeg = made
    }
  }

  /// Whether all components come in one sequential scan, which can be entered as it stands.
  package var isOneScan: Bool {
    guard case .sequential(let options) = coding else { return false }
    // One component is one scan either way.
    return !options.isOneScanPerComponent || options.colour == .gray
  }

  /// Width and height, each of at most 18 pixels, about an MCU, as one in four where that is allowed.
  private static func sides(
    width: ClosedRange<Int>, height: ClosedRange<Int>, _ random: inout SplitMix64
  ) -> (width: Int, height: Int) {
    func side(_ range: ClosedRange<Int>) -> Int {
      let isSmall = range.contains(18) && Int.random(in: 0..<4, using: &random) == 0
      return Int.random(in: isSmall ? range.lowerBound...18 : range, using: &random)
    }
    return (side(width), side(height))
  }

  private static func options(_ random: inout SplitMix64) -> BaselineJPEG.Options {
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
    // As often every MCU as in any other number.
    case 1: options.restart = .mcus(chance(2) ? 1 : Int.random(in: 2...20, using: &random))
    default: break
    }
    if chance(3) { options.huffman = .optimised }
    options.isExtendedSequential = chance(8)
    options.isOneScanPerComponent = chance(8)
    options.definesHeightLate = chance(16)
    if chance(6) { options.fillBytes = Int.random(in: 1...3, using: &random) }
    if chance(6) { options.trailer.count = Int.random(in: 1...50, using: &random) }
    if chance(4) { options.metadata.orientation = Int.random(in: 1...8, using: &random) }
    return options
  }

  private static let samplings = [
    BaselineJPEG.Sampling.yCbCr444, BaselineJPEG.Sampling.yCbCr422,
    BaselineJPEG.Sampling.yCbCr440, BaselineJPEG.Sampling.yCbCr420,
    BaselineJPEG.Sampling.yCbCr411, BaselineJPEG.Sampling.yCbCr410,
    [BaselineJPEG.Sampling(1, 1), BaselineJPEG.Sampling(2, 2), BaselineJPEG.Sampling(1, 2)],
  ]
}

extension JPEGBytes {
  /// Writes a height into the header of a sequential frame.
  fileprivate mutating func setFrameHeight(_ height: Int) {
    guard let frame = (places(of: 0xC0) + places(of: 0xC1)).first else { return }
    // Behind the marker, two bytes of length and one of precision.
    bytes[frame + 4] = UInt8(height >> 8)
    bytes[frame + 5] = UInt8(height & 0xFF)
  }
}
