internal import ZoomCorpus

/// The kind of file that a test picture stands in, the simplest first.
public enum PictureContainer: Sendable, Hashable, CustomStringConvertible {
  /// A PNG: lossless, read from the top.
  case png
  /// A tiled TIFF, deflate, with tiles of so many pixels a side (a multiple of 16): lossless, read
  /// in parts.
  case tiledTIFF(Int)
  /// A baseline JPEG.
  case jpeg(JPEGForm)

  /// How a test picture's JPEG is coded.
  public struct JPEGForm: Sendable, Hashable {
    /// The chroma sampling of three bands; others are sampled alike.
    public enum ChromaSampling: String, Sendable, Hashable, CaseIterable {
      /// Every band at full size.
      case yuv444
      /// Chroma halved across.
      case yuv422
      /// Chroma halved down.
      case yuv440
      /// Chroma halved both ways.
      case yuv420
      /// Chroma quartered across.
      case yuv411
    }

    /// Where restart markers stand.
    public enum RestartSpacing: Sendable, Hashable {
      /// None do.
      case none
      /// Every so many rows of MCUs.
      case rows(Int)
      /// Every so many MCUs.
      case mcus(Int)
    }

    /// The chroma sampling.
    public var sampling = ChromaSampling.yuv444
    /// Where restart markers stand.
    public var restart = RestartSpacing.rows(1)
    /// The quality, from 1 to 100.
    public var quality = 90
    /// Whether the Huffman tables are made for the picture.
    public var isOptimised = false
    /// Whether each component has a scan of its own.
    public var hasSeparateScans = false
    /// Bytes after the end marker.
    public var trailingBytes = 0
  }

  /// Whether the file holds the very samples it was given.
  public var isLossless: Bool {
    if case .jpeg = self { return false }
    return true
  }

  /// In words: "PNG".
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
  /// In words: "yuv420 of quality 90, a restart marker every 1 rows".
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

  /// The encoder's options for pictures of so many bands.
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
