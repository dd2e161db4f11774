internal import ZoomCorpus

/// The kind of file that stores a test picture, the simplest first.
public enum PictureContainer: Sendable, Hashable, CustomStringConvertible {
  /// A PNG: lossless, decoded from the top.
  case png
  /// A deflated TIFF with square tiles of this side, a multiple of 16: lossless, decoded by tiles.
  case tiledTIFF(Int)
  /// A baseline JPEG.
  case jpeg(JPEGForm)

  /// The coding of a test picture's JPEG.
  public struct JPEGForm: Sendable, Hashable {
    /// The chroma sampling of pictures with three bands; in others all components are full size.
    public enum ChromaSampling: String, Sendable, Hashable, CaseIterable {
      /// Every band at full size.
      case yuv444
      /// Chroma at half the width.
      case yuv422
      /// Chroma at half the height.
      case yuv440
      /// Chroma at half the width and height.
      case yuv420
      /// Chroma at a quarter of the width.
      case yuv411
    }

    /// The spacing of restart markers.
    public enum RestartSpacing: Sendable, Hashable {
      /// No restart markers.
      case none
      /// A marker after each group of this many MCU rows.
      case rows(Int)
      /// A marker after each group of this many MCUs.
      case mcus(Int)
    }

    /// The chroma sampling.
    public var sampling = ChromaSampling.yuv444
    /// The spacing of restart markers.
    public var restart = RestartSpacing.rows(1)
    /// The quality, from 1 to 100.
    public var quality = 90
    /// Whether the Huffman tables are optimised for the picture.
    public var isOptimised = false
    /// Whether each component has a separate scan.
    public var hasSeparateScans = false
    /// The number of bytes after the end marker.
    public var trailingBytes = 0
  }

  /// Whether decoding the file yields the samples that were stored.
  public var isLossless: Bool {
    if case .jpeg = self { return false }
    return true
  }

  /// A phrase such as "PNG".
  public var description: String {
    switch self {
    case .png: "PNG"
    case .tiledTIFF(let side): "TIFF of \(side)x\(side) tiles"
    case .jpeg(let form): "JPEG \(form)"
    }
  }

  var suffix: String {
    switch self {
    case .png: "png"
    case .tiledTIFF: "tif"
    case .jpeg: "jpg"
    }
  }
}

extension PictureContainer.JPEGForm: CustomStringConvertible {
  /// A phrase such as "yuv420 of quality 90, a restart marker every 1 rows".
  public var description: String {
    var words = "\(sampling.rawValue) of quality \(quality)"
    switch restart {
    case .none: break
    case .rows(let count): words += ", a restart marker every \(count) rows"
    case .mcus(let count): words += ", a restart marker every \(count) MCUs"
    }
    if isOptimised { words += ", optimised" }
    if hasSeparateScans { words += ", a scan a component" }
    if trailingBytes > 0 { words += ", \(trailingBytes) bytes after the end" }
    return words
  }

  /// Returns the encoder's options for pictures with `bands` bands.
  func options(bands: Int, orientation: Int) -> JPEGEncoding {
    let colour: JPEGEncoding.Colour =
      switch bands {
      case 1: .gray
      case 3: .yCbCr
      default: .cmyk
      }
    let factors: [JPEGEncoding.Sampling]? =
      switch sampling {
      case _ where bands != 3: nil
      case .yuv444: JPEGEncoding.Sampling.yCbCr444
      case .yuv422: JPEGEncoding.Sampling.yCbCr422
      case .yuv440: JPEGEncoding.Sampling.yCbCr440
      case .yuv420: JPEGEncoding.Sampling.yCbCr420
      case .yuv411: JPEGEncoding.Sampling.yCbCr411
      }
    var options = JPEGEncoding(colour: colour, sampling: factors, quality: quality)
    switch restart {
    case .none: break
    case .rows(let count): options.restart = .rows(count)
    case .mcus(let count): options.restart = .mcus(count)
    }
    options.coding = isOptimised ? .optimised : .huffman
    options.isOneScanPerComponent = hasSeparateScans
    options.trailingBytes = trailingBytes
    options.metadata.orientation = orientation == 1 ? nil : orientation
    return options
  }
}
