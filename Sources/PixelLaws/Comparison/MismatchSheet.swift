public import SystemPackage
internal import ZoomGeometry
public import ZoomPipeline

/// A picture that shows expected pixels, answer and difference side by side, enlarged.
///
/// For a small region, more rows show its surroundings and its place in the picture.
public struct MismatchSheet: Sendable {
  private let mismatch: PixelMismatch

  /// Creates a sheet of a mismatch.
  public init(_ mismatch: PixelMismatch) { self.mismatch = mismatch }

  /// The most that the longer side of a cell is enlarged to, in pixels; the factor is whole.
  private static let cellSide = 384
  /// The side below which a region is also drawn with its surroundings.
  private static let legibleSide = 33
  /// The space between and around cells in pixels.
  private static let gap = 8

  /// Draws the sheet and writes it to a file such as `PX-2.png`.
  ///
  /// - Throws: `PipelineError` if the pixels cannot be shown or the file cannot be written.
  public func write(to path: FilePath) throws(PipelineError) {
    try Image(pixels()).writeForScreen(to: path)
  }

  /// Returns the sheet: 8-bit sRGB, three cells in a row.
  ///
  /// A small region's surroundings follow in a second row, and the whole picture in one more cell.
  /// The third cell of a row is the answer in dim grey with every differing pixel in magenta, even
  /// if only low bits differ that a screen does not show. Pictures of different sizes are aligned
  /// at their top left corners, and pixels that exist in one of them only count as different.
  package func pixels() throws(PipelineError) -> Pixels {
    var rows = [try Self.cells(mismatch.expected, mismatch.got)]
    if let place = mismatch.place, min(place.region.width, place.region.height) < Self.legibleSide {
      // If the surroundings cannot be read any more, the rest is still worth drawing.
      if let more = try? Self.surroundings(place) { rows += more }
    }
    return try Self.laidOut(rows)
  }

  private static func cells(
    _ expected: Pixels, _ got: Pixels, framing region: PixelRegion? = nil
  ) throws(PipelineError) -> [Drawing] {
    let width = max(expected.size.width, got.size.width)
    let height = max(expected.size.height, got.size.height)
    let wanted = Drawing(try expected.forScreen(), width, height)
    let answer = Drawing(try got.forScreen(), width, height)
    let factor = max(1, cellSide / max(width, height))
    return [wanted, answer, marked(answer, expected, got)].map { cell in
      let large = cell.enlarged(factor)
      return region.map { large.framed($0, factor) } ?? large
    }
  }

  /// Returns the region's surroundings, and the whole picture with cross hairs at the region.
  private static func surroundings(_ place: PixelMismatch.Place) throws -> [[Drawing]] {
    let around = surroundings(of: place.region, in: place.reference.size)
    let whole = try place.reference.whole()
    let got = try place.source.read(RegionRequest(around)).pixels
    let inner = place.region.moved(-around.x, -around.y)
    return [
      try cells(whole.cut(around), got, framing: inner),
      [overview(try whole.forScreen(), place.region)],
    ]
  }

  /// Returns a region with surroundings, of a legible size if the picture allows.
  private static func surroundings(of region: PixelRegion, in size: PixelSize) -> PixelRegion {
    func stretch(_ start: Int, _ length: Int, of limit: Int) -> (start: Int, length: Int) {
      let longer = min(limit, max(legibleSide, length))
      return (max(0, min(limit - longer, start - (longer - length) / 2)), longer)
    }
    let (x, width) = stretch(region.x, region.width, of: size.width)
    let (y, height) = stretch(region.y, region.height, of: size.height)
    return .checked(x, y, width, height)
  }

  /// Returns the shown answer in dim grey, with the differing pixels in magenta.
  private static func marked(_ answer: Drawing, _ expected: Pixels, _ got: Pixels) -> Drawing {
    let isComparable = expected.bands == got.bands && expected.format == got.format
    let width = min(expected.size.width, got.size.width)
    let height = min(expected.size.height, got.size.height)
    let pixelBytes = got.bands * got.format.byteCount
    return Drawing(width: answer.width, height: answer.height) { x, y in
      let one = (y * got.size.width + x) * pixelBytes
      let other = (y * expected.size.width + x) * pixelBytes
      guard isComparable, x < width, y < height,
        (0..<pixelBytes).allSatisfy({ got.bytes[one + $0] == expected.bytes[other + $0] })
      else { return (255, 0, 255) }
      let (red, green, blue) = answer.colour(x, y)
      // A third of the mean, so that magenta stands out.
      let grey = UInt8((Int(red) + Int(green) + Int(blue)) / 9)
      return (grey, grey, grey)
    }
  }

  /// Returns the whole picture, small, with yellow lines that end just before the region.
  private static func overview(_ whole: Pixels, _ region: PixelRegion) -> Drawing {
    let longest = max(whole.size.width, whole.size.height)
    let step = (longest + cellSide - 1) / cellSide
    let factor = max(1, cellSide / longest)
    let all = Drawing(whole, whole.size.width, whole.size.height)
    let width = max(1, whole.size.width / step) * factor
    let height = max(1, whole.size.height / step) * factor
    let scale = Double(factor) / Double(step)
    func scaled(_ start: Int, _ end: Int) -> ClosedRange<Int> {
      Int(Double(start) * scale) - 6...Int(Double(end) * scale) + 6
    }
    let (across, down) = (scaled(region.x, region.maxX), scaled(region.y, region.maxY))
    let column = min(width - 1, (across.lowerBound + across.upperBound) / 2)
    let row = min(height - 1, (down.lowerBound + down.upperBound) / 2)
    return Drawing(width: width, height: height) { x, y in
      let isOnLine = y == row && !across.contains(x) || x == column && !down.contains(y)
      return isOnLine ? Drawing.yellow : all.colour(x / factor * step, y / factor * step)
    }
  }

  /// Returns rows of cells, aligned at the top left, on grey.
  private static func laidOut(_ rows: [[Drawing]]) throws(PipelineError) -> Pixels {
    var placed: [(x: Int, y: Int, cell: Drawing)] = []
    var (width, height) = (gap, gap)
    for row in rows {
      var left = gap
      for cell in row {
        placed.append((left, height, cell))
        left += cell.width + gap
      }
      width = max(width, left)
      height += (row.map(\.height).max() ?? 0) + gap
    }
    let size: PixelSize
    do { size = try PixelSize(width: width, height: height) } catch {
      throw PipelineError(.fault, operation: "lay out", file: nil, reason: "\(error)")
    }
    var bytes = [UInt8](repeating: 64, count: size.area * 3)
    for (left, top, cell) in placed {
      for y in 0..<cell.height {
        for x in 0..<cell.width {
          let at = ((top + y) * width + left + x) * 3
          (bytes[at], bytes[at + 1], bytes[at + 2]) = cell.colour(x, y)
        }
      }
    }
    return Pixels(size: size, bands: 3, format: .uint8, interpretation: .srgb, bytes: bytes)
  }
}

/// A picture that is defined by the colour of each pixel.
private struct Drawing {
  typealias Colour = (UInt8, UInt8, UInt8)
  static let yellow: Colour = (255, 255, 0)

  let width: Int
  let height: Int
  /// Returns the 8-bit sRGB colour of a pixel.
  let colour: (_ x: Int, _ y: Int) -> Colour

  init(width: Int, height: Int, colour: @escaping (_ x: Int, _ y: Int) -> Colour) {
    (self.width, self.height, self.colour) = (width, height, colour)
  }

  /// Creates a picture of pixels for a screen at the top left, on grey.
  init(_ pixels: Pixels, _ width: Int, _ height: Int) {
    self.init(width: width, height: height) { x, y in
      guard x < pixels.size.width, y < pixels.size.height else { return (64, 64, 64) }
      let at = y * pixels.rowByteCount + x * 3
      return (pixels.bytes[at], pixels.bytes[at + 1], pixels.bytes[at + 2])
    }
  }

  func enlarged(_ factor: Int) -> Drawing {
    Drawing(width: width * factor, height: height * factor) { x, y in
      colour(x / factor, y / factor)
    }
  }

  /// Returns the picture with a yellow frame just outside a region that was enlarged by a factor.
  func framed(_ region: PixelRegion, _ factor: Int) -> Drawing {
    let (columns, rows) = (
      region.x * factor..<region.maxX * factor, region.y * factor..<region.maxY * factor
    )
    return Drawing(width: width, height: height) { x, y in
      let isNear =
        columns.lowerBound - 2..<columns.upperBound + 2 ~= x
        && rows.lowerBound - 2..<rows.upperBound + 2 ~= y
      return isNear && !(columns ~= x && rows ~= y) ? Self.yellow : colour(x, y)
    }
  }
}
