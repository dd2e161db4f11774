extension BaselineJPEG {
  /// How components are coded and which markers say so.
  package enum Colour: String, CaseIterable, Sendable {
    /// One component.
    case gray
    /// Components 1, 2, 3 as in JFIF.
    case yCbCr
    /// Uncorrelated red, green, blue, said by the component identifiers "R", "G", "B" alone.
    case rgbIdentifiers
    /// Uncorrelated red, green, blue, said by an Adobe APP14 marker with transform 0.
    case rgbAdobe
    /// Ink amounts stored inverted as Adobe does, APP14 transform 0.
    case cmyk
    /// Ink amounts as YCbCr plus K, stored inverted as Adobe does, APP14 transform 2.
    case ycck

    package var componentCount: Int {
      switch self {
      case .gray: 1
      case .yCbCr, .rgbIdentifiers, .rgbAdobe: 3
      case .cmyk, .ycck: 4
      }
    }

    /// The form of the rows to be encoded.
    package var sourceForm: PixelForm {
      switch self {
      case .gray: .gray8
      case .yCbCr, .rgbIdentifiers, .rgbAdobe: .rgb8
      case .cmyk, .ycck: .cmyk8
      }
    }

    /// The sampling used when nothing else is asked for: 4:2:0 for YCbCr, 2x2 luma and black for
    /// YCCK, no subsampling otherwise.
    package var usualSampling: [Sampling] {
      switch self {
      case .yCbCr: Sampling.yCbCr420
      case .ycck: [Sampling(2, 2), Sampling(1, 1), Sampling(1, 1), Sampling(2, 2)]
      case .gray, .rgbIdentifiers, .rgbAdobe, .cmyk:
        Array(repeating: Sampling(1, 1), count: componentCount)
      }
    }
  }

  /// Relative sampling factors of one component, each 1...4 (T.81 A.1.1).
  package struct Sampling: Hashable, Sendable {
    package var horizontal: Int
    package var vertical: Int

    package init(_ horizontal: Int, _ vertical: Int) {
      self.horizontal = horizontal
      self.vertical = vertical
    }

    package static let yCbCr444 = [Sampling(1, 1), Sampling(1, 1), Sampling(1, 1)]
    package static let yCbCr422 = [Sampling(2, 1), Sampling(1, 1), Sampling(1, 1)]
    package static let yCbCr440 = [Sampling(1, 2), Sampling(1, 1), Sampling(1, 1)]
    package static let yCbCr420 = [Sampling(2, 2), Sampling(1, 1), Sampling(1, 1)]
    package static let yCbCr411 = [Sampling(4, 1), Sampling(1, 1), Sampling(1, 1)]
    package static let yCbCr410 = [Sampling(4, 2), Sampling(1, 1), Sampling(1, 1)]
  }

  /// Where restart markers stand.
  package enum Restart: Hashable, Sendable {
    /// No restart markers and no DRI segment.
    case none
    /// Every so many MCUs, 1...65535, whatever the width.
    case mcus(Int)
    /// Every so many whole rows of MCUs of the scan.
    case rows(Int)
  }

  /// Where the Huffman codes come from.
  package enum HuffmanChoice: String, CaseIterable, Sendable {
    /// The example tables of T.81 Annex K.3, which hold every 8-bit symbol.
    case annexK
    /// The shortest tables for this picture (T.81 K.2). The picture is made twice.
    case optimised
  }

  /// Everything but the pixels that decides the bytes of a file.
  package struct Options: Hashable, Sendable {
    package var colour: Colour
    /// One entry a component.
    package var sampling: [Sampling]
    /// Scales the Annex K.1 tables as libjpeg does, from 1 (worst) to 100 (nearly lossless).
    package var quality: Int
    package var restart = Restart.none
    package var huffman = HuffmanChoice.annexK
    /// Writes SOF1 (extended sequential) instead of SOF0 (baseline) over the same data.
    package var isExtendedSequential = false
    /// One scan per component instead of one interleaved scan.
    package var isOneScanPerComponent = false
    /// Height 0 in the frame header and a DNL segment after the first scan (T.81 B.2.5).
    package var definesHeightLate = false
    /// Number of 0xFF fill bytes before every marker after SOI, 0...255 (T.81 B.1.1.2).
    package var fillBytes = 0
    package var metadata = Metadata()
    package var trailer = Trailer()

    /// Options for a colour with its usual sampling unless another is given.
    package init(colour: Colour = .yCbCr, sampling: [Sampling]? = nil, quality: Int = 80) {
      self.colour = colour
      self.sampling = sampling ?? colour.usualSampling
      self.quality = quality
    }
  }

  /// Bytes after the end-of-image marker that belong to no marker segment.
  ///
  /// They never contain 0xFF, so no decoder can take them for a marker.
  package struct Trailer: Hashable, Sendable {
    package var count: Int
    package var seed: UInt64

    package init(count: Int = 0, seed: UInt64 = 0) {
      self.count = count
      self.seed = seed
    }

    var bytes: [UInt8] {
      (0..<max(count, 0)).map { UInt8(LatticeHash.value(seed, $0, 0) % 255) }
    }
  }
}
