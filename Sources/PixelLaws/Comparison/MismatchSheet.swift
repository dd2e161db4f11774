public import SystemPackage
internal import ZoomGeometry
public import ZoomPipeline

/// Expected, got and difference side by side, enlarged so that single pixels can be seen.
public struct MismatchSheet: Sendable {
  private let mismatch: PixelMismatch

  /// A sheet of a mismatch.
  public init(_ mismatch: PixelMismatch) { self.mismatch = mismatch }

  /// A cell's longer side in pixels, as far as whole enlargements and the picture allow.
  private static let cellSide = 384

  /// Draws the sheet and writes it as a picture.
  ///
  /// - Parameter path: such as `PX-2.png`.
  /// - Throws: `PipelineError` when the pixels cannot be shown or the file not be written.
  public func write(to path: FilePath) throws(PipelineError) {
    try Image(pixels()).writeForScreen(to: path)
  }

  /// The sheet: 8-bit sRGB, three cells in a row.
  ///
  /// The third is the answer in dim grey with every pixel that differs in magenta, also where only
  /// lower bits differ that a screen does not show. Pictures of different sizes are laid over each
  /// other from their top left corners, and what only one has counts as different.
  package func pixels() throws(PipelineError) -> Pixels {
    let (expected, got) = (mismatch.expected, mismatch.got)
    let size = try Self.size(
      max(expected.size.width, got.size.width), max(expected.size.height, got.size.height))
    let factor = max(1, Self.cellSide / max(size.width, size.height))
    let cells = [
      try Self.enlarged(Self.canvas(expected.forScreen(), size), factor),
      try Self.enlarged(Self.canvas(got.forScreen(), size), factor),
      try Self.enlarged(marked(size), factor),
    ]
    return try ContactSheet(columns: cells.count, cellWidth: size.width * factor).pixels(cells)
  }

  private func marked(_ size: PixelSize) throws(PipelineError) -> Pixels {
    let (expected, got) = (mismatch.expected, mismatch.got)
    let shown = try Self.canvas(got.forScreen(), size)
    let isComparable = expected.bands == got.bands && expected.format == got.format
    let pixelBytes = got.bands * got.format.byteCount
    var bytes = shown.bytes
    for y in 0..<size.height {
      for x in 0..<size.width {
        let isInBoth =
          x < min(expected.size.width, got.size.width)
          && y < min(expected.size.height, got.size.height)
        var differs = !isInBoth || !isComparable
        if !differs {
          let one = (y * got.size.width + x) * pixelBytes
          let other = (y * expected.size.width + x) * pixelBytes
          differs = (0..<pixelBytes).contains { got.bytes[one + $0] != expected.bytes[other + $0] }
        }
        let at = (y * size.width + x) * 3
        if differs {
          (bytes[at], bytes[at + 1], bytes[at + 2]) = (255, 0, 255)
        } else {
          // A third of the mean, so that magenta stands out.
          let grey = (Int(bytes[at]) + Int(bytes[at + 1]) + Int(bytes[at + 2])) / 9
          for band in 0..<3 { bytes[at + band] = UInt8(grey) }
        }
      }
    }
    return Self.rgb(size, bytes)
  }

  /// The pixels in the top left corner of a canvas, grey where they do not reach.
  private static func canvas(_ pixels: Pixels, _ size: PixelSize) -> Pixels {
    if pixels.size == size { return pixels }
    var bytes = [UInt8](repeating: 64, count: size.area * 3)
    for row in 0..<pixels.size.height {
      let start = row * size.width * 3
      bytes.replaceSubrange(
        start..<start + pixels.rowByteCount,
        with: pixels.bytes[row * pixels.rowByteCount..<(row + 1) * pixels.rowByteCount])
    }
    return rgb(size, bytes)
  }

  /// Every pixel as a square of so many pixels a side.
  private static func enlarged(_ pixels: Pixels, _ factor: Int) throws(PipelineError) -> Pixels {
    let size = try size(pixels.size.width * factor, pixels.size.height * factor)
    var bytes: [UInt8] = []
    for y in 0..<size.height {
      for x in 0..<size.width {
        let at = (y / factor * pixels.size.width + x / factor) * 3
        bytes += pixels.bytes[at..<at + 3]
      }
    }
    return rgb(size, bytes)
  }

  private static func rgb(_ size: PixelSize, _ bytes: [UInt8]) -> Pixels {
    Pixels(size: size, bands: 3, format: .uint8, interpretation: .srgb, bytes: bytes)
  }

  private static func size(_ width: Int, _ height: Int) throws(PipelineError) -> PixelSize {
    do { return try PixelSize(width: width, height: height) } catch {
      throw PipelineError(.fault, operation: "lay out", file: nil, reason: "\(error)")
    }
  }
}
