package import ZoomPipeline

/// One picture of the corpus: what it is, how it is made and what it must come out as.
package struct CorpusPicture: Sendable, Hashable, Codable {
  /// What the file must be, told by a parser that had no part in making it.
  package struct Structure: Sendable, Hashable, Codable {
    /// As the file stores it, before orientation.
    package var width: Int
    package var height: Int
    /// "4:2:0", "grey", …; JPEG only, as are those below.
    package var sampling: String?
    package var process: JPEGStructure.Process?
    /// MCUs between restart markers; 0 without.
    package var restartInterval: Int?
    package var orientation: Int
    package var trailingBytes: Int?
  }

  /// Names it on the command line.
  package var name: String
  package var file: String
  /// One line on why it is there.
  package var purpose: String
  /// Left out unless asked for by name, because it is large.
  package var onDemand: Bool?
  package var recipe: PictureRecipe
  package var structure: Structure
  /// The digest of the whole upright picture as libvips decodes it; nil until it is first made.
  package var pixels: PixelDigest?

  /// The same picture with another digest, or none.
  package func recording(_ digest: PixelDigest?) -> CorpusPicture {
    var picture = self
    picture.pixels = digest
    return picture
  }

  package var isOnDemand: Bool { onDemand ?? false }
}

/// How a corpus picture is made: the scene to paint and the file to put it in.
package struct PictureRecipe: Sendable, Hashable, Codable {
  /// A file format and its settings; those that a format does not know are left out.
  package struct Encoding: Sendable, Hashable, Codable {
    package enum Format: String, Sendable, Hashable, Codable {
      case jpeg
      case progressiveJPEG = "progressive-jpeg"
      case png, webp, tiff
    }

    package var format: Format
    /// JPEG and lossy WebP: 1...100.
    package var quality: Int?
    /// JPEG: a name of `JPEGEncoding.Colour`.
    package var colour: String?
    /// JPEG: "HxV" of each component, such as ["2x2", "1x1", "1x1"]; without it the usual one.
    package var sampling: [String]?
    /// JPEG: MCU rows between restart markers.
    package var restartRows: Int?
    /// JPEG: MCUs between restart markers.
    package var restartMCUs: Int?
    /// JPEG: EXIF orientation 1...8.
    package var orientation: Int?
    /// JPEG: whether an XMP packet is there.
    package var xmp: Bool?
    /// JPEG: whether an ICC profile is embedded.
    package var profile: Bool?
    /// JPEG: whether the Huffman tables fit this picture alone.
    package var optimised: Bool?
    /// JPEG: one scan a component instead of one for all.
    package var separateScans: Bool?
    package var trailingBytes: Int?
    /// PNG: Adam7.
    package var interlaced: Bool?
    /// WebP: without loss.
    package var lossless: Bool?
    /// TIFF: the side of a tile.
    package var tile: Int?
    /// TIFF: the rows of a strip, in place of tiles.
    package var stripRows: Int?
  }

  /// A canvas that the scene is painted on, away from its edges.
  ///
  /// Beyond the scene its edge pixels are repeated, so that the file of a canvas of any size is small.
  package struct Canvas: Sendable, Hashable, Codable {
    package var width: Int
    package var height: Int
    /// Where the scene's corner is.
    package var x: Int
    package var y: Int
  }

  /// A name of `SceneRecipe`.
  package var scene: String
  package var width: Int
  package var height: Int
  package var seed: UInt64
  /// Strength of texture and grain in per cent; 100 without it.
  package var detail: Int?
  /// A name of `PixelForm`; "rgb8" without it.
  package var form: String?
  /// Formats but JPEG; without it the scene is the picture.
  package var canvas: Canvas?
  package var encoding: Encoding
}
