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

  /// The preferred longer side of a cell in pixels, before it is rounded to a whole factor.
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
  /// The third cell is the answer in dim grey with every differing pixel in magenta, even if only
  /// low bits differ that a screen does not show. Pictures of different sizes are aligned at their
  /// top left corners, and pixels that exist in one of them only count as different.
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
  ) throws(PipelineError) -> [Pixels] {
    let size = try size(
      max(expected.size.width, got.size.width), max(expected.size.height, got.size.height))
    let factor = max(1, cellSide / max(size.width, size.height))
    var cells: [Pixels] = []
    for cell in [
      try canvas(expected.forScreen(), size), try canvas(got.forScreen(), size),
      try marked(expected, got, size),
    ] {
      let large = try enlarged(cell, factor)
      cells.append(region.map { framed(large, $0, factor) } ?? large)
    }
    return cells
  }

  /// Returns the region's surroundings, and the whole picture with cross hairs at the region.
  private static func surroundings(_ place: PixelPlace) throws -> [[Pixels]] {
    let around = place.surroundings(side: legibleSide)
    let whole = try place.reference.whole()
    let got = try place.source.read(RegionRequest(around)).pixels
    let inner = place.region.moved(-around.x, -around.y)
    return [
      try cells(whole.cut(around), got, framing: inner), [try overview(whole, place.region)],
    ]
  }

  private static func marked(
    _ expected: Pixels, _ got: Pixels, _ size: PixelSize
  ) throws(PipelineError) -> Pixels {
    let shown = try canvas(got.forScreen(), size)
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
    return rgb(size, bytes)
  }

  /// Returns an enlarged cell with a yellow frame just outside a region.
  private static func framed(_ cell: Pixels, _ region: PixelRegion, _ factor: Int) -> Pixels {
    let thickness = 2
    let (left, right) = (region.x * factor - thickness, region.maxX * factor + thickness - 1)
    let (top, bottom) = (region.y * factor - thickness, region.maxY * factor + thickness - 1)
    var bytes = cell.bytes
    func paint(_ x: Int, _ y: Int) {
      guard 0..<cell.size.width ~= x, 0..<cell.size.height ~= y else { return }
      let at = (y * cell.size.width + x) * 3
      (bytes[at], bytes[at + 1], bytes[at + 2]) = (255, 255, 0)
    }
    for offset in 0..<thickness {
      for x in left...right {
        paint(x, top + offset)
        paint(x, bottom - offset)
      }
      for y in top...bottom {
        paint(left + offset, y)
        paint(right - offset, y)
      }
    }
    return rgb(cell.size, bytes)
  }

  /// Returns the whole picture, small, with yellow lines that end just before the region.
  private static func overview(
    _ whole: Pixels, _ region: PixelRegion
  ) throws(PipelineError) -> Pixels {
    let longest = max(whole.size.width, whole.size.height)
    let step = (longest + cellSide - 1) / cellSide
    let factor = max(1, cellSide / longest)
    let small = try size(
      max(1, whole.size.width / step), max(1, whole.size.height / step))
    let shown = try whole.forScreen().rearranged(small) { ($0 * step, $1 * step) }
    let large = try enlarged(shown, factor)
    var bytes = large.bytes
    let scale = Double(factor) / Double(step)
    func scaled(_ start: Int, _ end: Int) -> ClosedRange<Int> {
      Int(Double(start) * scale) - 6...Int(Double(end) * scale) + 6
    }
    let (across, down) = (scaled(region.x, region.maxX), scaled(region.y, region.maxY))
    let middle = (
      x: min(large.size.width - 1, (across.lowerBound + across.upperBound) / 2),
      y: min(large.size.height - 1, (down.lowerBound + down.upperBound) / 2)
    )
    func paint(_ x: Int, _ y: Int) {
      let at = (y * large.size.width + x) * 3
      (bytes[at], bytes[at + 1], bytes[at + 2]) = (255, 255, 0)
    }
    for x in 0..<large.size.width where !across.contains(x) { paint(x, middle.y) }
    for y in 0..<large.size.height where !down.contains(y) { paint(middle.x, y) }
    return rgb(large.size, bytes)
  }

  /// Returns rows of cells, aligned at the top left, on grey.
  private static func laidOut(_ rows: [[Pixels]]) throws(PipelineError) -> Pixels {
    func width(_ row: [Pixels]) -> Int { row.reduce(gap) { $0 + $1.size.width + gap } }
    func height(_ row: [Pixels]) -> Int { row.map(\.size.height).max() ?? 0 }
    let sheet = try size(
      rows.map(width).max() ?? 1, rows.reduce(gap) { $0 + height($1) + gap })
    var bytes = [UInt8](repeating: 64, count: sheet.area * 3)
    var top = gap
    for row in rows {
      var left = gap
      for cell in row {
        paste(cell, into: &bytes, width: sheet.width, x: left, y: top)
        left += cell.size.width + gap
      }
      top += height(row) + gap
    }
    return rgb(sheet, bytes)
  }

  /// Returns the pixels in the top left corner of a grey canvas.
  private static func canvas(_ pixels: Pixels, _ size: PixelSize) -> Pixels {
    if pixels.size == size { return pixels }
    var bytes = [UInt8](repeating: 64, count: size.area * 3)
    paste(pixels, into: &bytes, width: size.width, x: 0, y: 0)
    return rgb(size, bytes)
  }

  private static func paste(
    _ pixels: Pixels, into bytes: inout [UInt8], width: Int, x: Int, y: Int
  ) {
    for row in 0..<pixels.size.height {
      let start = ((y + row) * width + x) * 3
      bytes.replaceSubrange(
        start..<start + pixels.rowByteCount,
        with: pixels.bytes[row * pixels.rowByteCount..<(row + 1) * pixels.rowByteCount])
    }
  }

  private static func enlarged(_ pixels: Pixels, _ factor: Int) throws(PipelineError) -> Pixels {
    let size = try size(pixels.size.width * factor, pixels.size.height * factor)
    return pixels.rearranged(size) { ($0 / factor, $1 / factor) }
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
