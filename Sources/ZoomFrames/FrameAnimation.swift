package import SystemPackage
package import ZoomGeometry
package import ZoomPipeline

/// Frames shown one after the other in a file: an animated WebP or GIF.
package enum FrameAnimation {
  /// Pixels of any kind, which are converted for the screen, and their duration, at least 1 ms.
  package typealias Picture = (pixels: Pixels, milliseconds: Int)

  /// The most bytes of all frames, which libvips needs in memory at once.
  ///
  /// 1 GiB holds 357 frames of 750 x 1334 pixels, 6 s at 60 per second; encoders double that.
  package static let standardBudget = 1 << 30

  /// libvips' VIPS_MAX_COORD, the most rows of an image; frames are stacked in one image.
  private static let mostRows = 10_000_000

  /// The format of a file, by its suffix.
  package enum Format: String {
    case webp, gif

    /// A WebP's sides have 14 bits (RFC 9649, 2.7), a GIF's 16 (GIF89a, 18).
    var longestSide: Int { self == .webp ? 16383 : 65535 }

    /// A GIF has times in 1/100 s with 16 bits; a WebP in ms with 24 bits.
    var longestTime: Int { self == .webp ? 1 << 24 - 1 : 655_350 }
  }

  /// Checks, before frames are made, that `count` frames can be written to a file of that name.
  ///
  /// Throws `unwritable` for other suffixes than webp and gif, and beyond the formats' limits.
  @discardableResult package static func check(
    count: Int, size: PixelSize, for path: FilePath, budget: Int = standardBudget
  ) throws(PipelineError) -> Format {
    guard let format = Format(rawValue: path.extension?.lowercased() ?? "") else {
      throw refusal(
        .unwritable, path, "animations are written as WebP or GIF", "use .webp or .gif")
    }
    try Image.checkSuffix(of: path)
    precondition(count >= 1, "an animation has at least one frame")
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
    return format
  }

  private static func refusal(
    _ code: PipelineError.Code, _ path: FilePath, _ reason: String, _ advice: String
  ) -> PipelineError {
    PipelineError(code, operation: "write", file: path, reason: reason, advice: advice)
  }

  /// Writes a file, complete or not at all, whose animation repeats.
  ///
  /// Throws as `check` does, or `unsupported` if the frames do not match.
  package static func write(
    _ pictures: [Picture], to path: FilePath, budget: Int = standardBudget
  ) throws(PipelineError) {
    guard let size = pictures.first?.pixels.size else {
      throw refusal(.unsupported, path, "no frames were given", "record at least one")
    }
    let format = try check(count: pictures.count, size: size, for: path, budget: budget)
    guard pictures.allSatisfy({ $0.pixels.size == size }) else {
      throw refusal(.unsupported, path, "the frames are of different sizes", "record one screen")
    }
    guard pictures.allSatisfy({ (1...format.longestTime).contains($0.milliseconds) }) else {
      throw refusal(
        .unsupported, path,
        "a frame is shown for less than 1 or more than \(format.longestTime) ms",
        "choose a duration between")
    }
    // At most `mostRows` rows.
    let stacked = PixelRegion(
      uncheckedX: 0, y: 0, width: size.width, height: size.height * pictures.count
    ).size
    var bytes: [UInt8] = []
    bytes.reserveCapacity(stacked.area * Pixels.screenBands)
    for picture in pictures { bytes += try picture.pixels.forScreen().bytes }
    try Image.withoutCopying(Pixels(rgb: stacked, bytes)) { image throws(PipelineError) in
      // Quality 85 hides WebP's losses at screen size.
      try image.animated(frameHeight: size.height, milliseconds: pictures.map { $0.milliseconds })
        .write(to: path, settings: format == .gif ? "" : "[Q=85,effort=2]")
    }
  }
}
