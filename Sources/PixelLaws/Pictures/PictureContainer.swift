internal import ZoomCorpus

/// The file that stores a test picture, the simplest first.
enum PictureContainer: Sendable, Hashable, CustomStringConvertible {
  /// A PNG: lossless, decoded from the top.
  case png
  /// A deflated TIFF with square tiles of this side, a multiple of 16: lossless, decoded by tiles.
  case tiledTIFF(Int)
  /// A baseline JPEG with these settings for three bands; for another number of bands, colour and
  /// sampling are chosen when it is written.
  case jpeg(JPEGEncoding)

  /// A kind of file, the simplest first.
  enum Kind: Sendable, Hashable, CaseIterable {
    case png, tiff
    /// JPEG with a restart marker after every MCU row or every few MCU rows.
    case jpegWithRestarts
    /// JPEG with other restart intervals or without restart markers.
    case jpeg

    var isLossless: Bool { self == .png || self == .tiff }

    /// A container of this kind.
    var sample: PictureContainer {
      var encoding = JPEGEncoding(sampling: JPEGEncoding.Sampling.yCbCr444, quality: 90)
      switch self {
      case .png: return .png
      case .tiff: return .tiledTIFF(16)
      case .jpegWithRestarts:
        encoding.restart = .rows(1)
        return .jpeg(encoding)
      case .jpeg: return .jpeg(encoding)
      }
    }
  }

  /// Whether decoding the file yields the samples that were stored.
  var isLossless: Bool {
    if case .jpeg = self { return false }
    return true
  }

  /// A phrase such as "JPEG 2x2,1x1,1x1 of quality 90, a restart marker every 1 rows".
  var description: String {
    switch self {
    case .png: return "PNG"
    case .tiledTIFF(let side): return "TIFF of \(side)x\(side) tiles"
    case .jpeg(let encoding):
      let factors = encoding.sampling.map { "\($0.horizontal)x\($0.vertical)" }
      var words = "JPEG \(factors.joined(separator: ",")) of quality \(encoding.quality)"
      switch encoding.restart {
      case .none: break
      case .rows(let count): words += ", a restart marker every \(count) rows"
      case .mcus(let count): words += ", a restart marker every \(count) MCUs"
      }
      if encoding.coding == .optimised { words += ", optimised" }
      if encoding.isOneScanPerComponent { words += ", one scan per component" }
      if encoding.trailingBytes > 0 { words += ", \(encoding.trailingBytes) bytes after the end" }
      return words
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
