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
    /// EXIF orientation.
    package var orientation: Int
    /// Bytes after the end marker.
    package var trailingBytes: Int?
  }

  /// Names it on the command line.
  package var name: String
  /// The file's name in the corpus folder.
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
