package import ZoomPipeline

/// One picture of the corpus: purpose, recipe, and the expected structure and pixels.
package struct CorpusPicture: Sendable, Hashable, Codable {
  /// The expected structure of the file, read by a parser that is independent of the encoder.
  package struct Structure: Sendable, Hashable, Codable {
    /// The width as stored, before orientation.
    package var width: Int
    package var height: Int
    /// "4:2:0", "grey", …; for JPEG only, like the next two.
    package var sampling: String?
    package var process: JPEGStructure.Process?
    /// The number of MCUs between restart markers; 0 without markers.
    package var restartInterval: Int?
    package var orientation: Int
    package var trailingBytes: Int?
  }

  /// The name on the command line.
  package var name: String
  package var file: String
  /// The reason for including the picture, in one line.
  package var purpose: String
  /// Whether the picture is made only if asked for by name, because it is large.
  package var onDemand: Bool?
  package var recipe: PictureRecipe
  package var structure: Structure
  /// The digest of the whole upright picture as decoded by libvips; nil until it is first made.
  package var pixels: PixelDigest?

  package func recording(_ digest: PixelDigest?) -> CorpusPicture {
    var picture = self
    picture.pixels = digest
    return picture
  }

  package var isOnDemand: Bool { onDemand ?? false }
}

/// The scene to paint and the file to write.
package struct PictureRecipe: Sendable, Hashable, Codable {
  /// A file format and its settings; settings that do not apply to the format are left out.
  package struct Encoding: Sendable, Hashable, Codable {
    package enum Format: String, Sendable, Hashable, Codable {
      case jpeg
      case progressiveJPEG = "progressive-jpeg"
      case arithmeticJPEG = "arithmetic-jpeg"
      case png, webp, tiff
    }

    package var format: Format
    /// JPEG and lossy WebP: 1...100.
    package var quality: Int?
    /// JPEG: a name of `JPEGEncoding.Colour`.
    package var colour: String?
    /// JPEG: factors "HxV" per component, as ["2x2", "1x1", "1x1"]; nil for the default.
    package var sampling: [String]?
    /// JPEG: MCU rows between restart markers.
    package var restartRows: Int?
    /// JPEG: MCUs between restart markers.
    package var restartMCUs: Int?
    /// JPEG: EXIF orientation 1...8.
    package var orientation: Int?
    /// JPEG: whether to embed an XMP packet.
    package var xmp: Bool?
    /// JPEG: whether to embed an ICC profile.
    package var profile: Bool?
    /// JPEG: whether the Huffman tables are optimised for this picture.
    package var optimised: Bool?
    /// JPEG: whether each component has a separate scan.
    package var separateScans: Bool?
    package var trailingBytes: Int?
    /// PNG: whether to use Adam7 interlacing.
    package var interlaced: Bool?
    /// WebP: whether the coding is lossless.
    package var lossless: Bool?
    /// TIFF: the side of a tile in pixels.
    package var tile: Int?
    /// TIFF: the number of rows of a strip; replaces tiles.
    package var stripRows: Int?
  }

  /// A canvas that contains the scene; outside, the scene's edge pixels are repeated.
  ///
  /// So even the file of a large canvas is small.
  package struct Canvas: Sendable, Hashable, Codable {
    package var width: Int
    package var height: Int
    /// The column of the scene's left edge.
    package var x: Int
    package var y: Int
  }

  /// A name of `SceneRecipe`.
  package var scene: String
  package var width: Int
  package var height: Int
  package var seed: UInt64
  /// A name of `PixelForm`; nil means "rgb8".
  package var form: String?
  /// Not for JPEG; nil if the scene is the whole picture.
  package var canvas: Canvas?
  package var encoding: Encoding
}
