package import SystemPackage
package import ZoomGeometry
package import ZoomPipeline

/// Frames shown one after the other in a file: an animated WebP or GIF.
package struct FrameAnimation: Sendable {
  /// A frame and its duration.
  package struct Picture: Sendable {
    /// Pixels of any kind, which are converted for the screen.
    package let pixels: Pixels
    /// In milliseconds, at least 1.
    package let milliseconds: Int

    package init(_ pixels: Pixels, milliseconds: Int) {
      self.pixels = pixels
      self.milliseconds = milliseconds
    }
  }

  /// The most bytes of all frames, which libvips needs in memory at once.
  ///
  /// 1 GiB holds 357 frames of 750 x 1334 pixels, 6 s at 60 per second; encoders double that.
  package static let standardBudget = 1 << 30

  /// libvips' VIPS_MAX_COORD, the most rows of an image; frames are stacked in one image.
  private static let mostRows = 10_000_000

  private let pictures: [Picture]
  private let size: PixelSize
  private let format: Format

  private enum Format: String {
    case webp, gif

    init(_ path: FilePath) throws(PipelineError) {
      switch path.extension?.lowercased() {
      case "webp": self = .webp
      case "gif": self = .gif
      default:
        throw PipelineError(
          .unwritable, operation: "write", file: path,
          reason: "animations are written as WebP or GIF", advice: "use .webp or .gif")
      }
    }

    /// A WebP's sides have 14 bits (RFC 9649, 2.7), a GIF's 16 (GIF89a, 18).
    var longestSide: Int {
      switch self {
      case .webp: 16383
      case .gif: 65535
      }
    }

    /// A GIF has times in 1/100 s with 16 bits; a WebP in ms with 24 bits.
    var longestTime: Int {
      switch self {
      case .webp: 1 << 24 - 1
      case .gif: 655_350
      }
    }
  }

  /// Checks, before frames are made, that `count` frames can be written to a file of that name.
  ///
  /// Throws `unwritable` for other suffixes than webp and gif, and beyond the formats' limits.
  package static func check(
    count: Int, size: PixelSize, for path: FilePath, budget: Int = standardBudget
  ) throws(PipelineError) {
    let format = try Format(path)
    try Image.checkSuffix(of: path)
    precondition(count >= 1, "there is no frame to write")
    guard max(size.width, size.height) <= format.longestSide else {
      throw refusal(
        .unwritable, path, "frames of \(size) are larger than a \(format.rawValue) can be",
        "keep the sides to \(format.longestSide) pixels")
    }
    // The products do not overflow: sides are below 2^16, and bytes are counted by division.
    let most = min(budget / (size.area * Pixels.screenBands), mostRows / size.height)
    guard count <= most else {
      throw refusal(
        .unwritable, path, "\(count) frames of \(size) do not fit into memory at once",
        "record fewer or smaller ones: at most \(most) of these")
    }
  }

  private static func refusal(
    _ code: PipelineError.Code, _ path: FilePath, _ reason: String, _ advice: String
  ) -> PipelineError {
    PipelineError(code, operation: "write", file: path, reason: reason, advice: advice)
  }

  /// Creates an animation; throws as `check` does, or `unsupported` if the frames do not match.
  package init(
    _ pictures: [Picture], for path: FilePath, budget: Int = standardBudget
  ) throws(PipelineError) {
    guard let size = pictures.first?.pixels.size else {
      throw Self.refusal(.unsupported, path, "there is no frame to write", "record at least one")
    }
    try Self.check(count: pictures.count, size: size, for: path, budget: budget)
    let format = try Format(path)
    guard pictures.allSatisfy({ $0.pixels.size == size }) else {
      throw Self.refusal(
        .unsupported, path, "the frames are of different sizes", "record one screen")
    }
    guard pictures.allSatisfy({ (1...format.longestTime).contains($0.milliseconds) }) else {
      throw Self.refusal(
        .unsupported, path,
        "a frame is shown for less than 1 or more than \(format.longestTime) ms",
        "choose a duration between")
    }
    self.pictures = pictures
    self.size = size
    self.format = format
  }

  /// Writes the file, complete or not at all, under the checked suffix; the animation repeats.
  package func write(to path: FilePath) throws(PipelineError) {
    let stacked: PixelSize
    do {
      stacked = try PixelSize(width: size.width, height: size.height * pictures.count)
    } catch {
      throw PipelineError(.fault, operation: "write", file: path, reason: "\(error)")
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(stacked.area * Pixels.screenBands)
    for picture in pictures { bytes += try picture.pixels.forScreen().bytes }
    let pixels = Pixels(
      size: stacked, bands: Pixels.screenBands, format: .uint8, interpretation: .srgb, bytes: bytes)
    try Image.withoutCopying(pixels) { image throws(PipelineError) in
      // Quality 85 hides WebP's losses at screen size.
      try image.animated(frameHeight: size.height, milliseconds: pictures.map(\.milliseconds))
        .write(to: path, as: format == .gif ? .bySuffix : .webp(quality: 85, lossless: false))
    }
  }
}
