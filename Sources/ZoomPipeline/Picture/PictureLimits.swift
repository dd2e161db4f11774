/// What opening and reading a picture may do: the memory it may take and the decoders it may reach.
public struct PictureLimits: Sendable {
  /// Which of libvips' loaders may read files.
  public enum Loaders: String, Sendable, Hashable, Codable, CaseIterable {
    /// Those that libvips does not mark as untrusted: of JPEG, PNG, TIFF, WebP, GIF and HEIF.
    case trusted
    /// All of them. libvips says of the others (PDF, SVG, ImageMagick, MAT, JPEG 2000, JPEG XL,
    /// slides ...) that they are not hardened against files made to do harm.
    case all
  }

  /// Bounds every raster.
  public let memory: MemoryBudget
  /// Bounds the formats.
  public let loaders: Loaders

  /// Sets limits.
  /// - Parameters:
  ///   - memory: shared by all pictures that are opened with these limits.
  ///   - loaders: which formats are let in.
  public init(memory: MemoryBudget = MemoryBudget(), loaders: Loaders = .trusted) {
    self.memory = memory
    self.loaders = loaders
  }

  /// Those of pictures that are opened without any: half of the machine's memory, trusted loaders.
  public static let standard = PictureLimits()
}
