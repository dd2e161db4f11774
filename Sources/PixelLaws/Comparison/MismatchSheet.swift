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
  ) throws(PipelineError) -> [Canvas] {
    let width = max(expected.size.width, got.size.width)
    let height = max(expected.size.height, got.size.height)
    var (wanted, answer) = (try Canvas(width, height), try Canvas(width, height))
    try wanted.paste(expected.forScreen(), x: 0, y: 0)
    try answer.paste(got.forScreen(), x: 0, y: 0)
    let factor = max(1, cellSide / max(width, height))
    var cells: [Canvas] = []
    for cell in [wanted, answer, marked(answer, expected, got)] {
      var large = try cell.enlarged(factor)
      if let region { large.frame(region, factor) }
      cells.append(large)
    }
    return cells
  }

  /// Returns the region's surroundings, and the whole picture with cross hairs at the region.
  private static func surroundings(_ place: PixelMismatch.Place) throws -> [[Canvas]] {
    let around = surroundings(of: place.region, in: place.reference.size)
    let whole = try place.reference.whole()
    let got = try place.source.read(RegionRequest(around)).pixels
    let inner = place.region.moved(-around.x, -around.y)
    return [
      try cells(whole.cut(around), got, framing: inner), [try overview(whole, place.region)],
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
  private static func marked(_ answer: Canvas, _ expected: Pixels, _ got: Pixels) -> Canvas {
    let isComparable = expected.bands == got.bands && expected.format == got.format
    let width = min(expected.size.width, got.size.width)
    let height = min(expected.size.height, got.size.height)
    let pixelBytes = got.bands * got.format.byteCount
    var marked = answer
    for y in 0..<answer.size.height {
      for x in 0..<answer.size.width {
        var isSame = isComparable && x < width && y < height
        if isSame {
          let one = (y * got.size.width + x) * pixelBytes
          let other = (y * expected.size.width + x) * pixelBytes
          isSame = (0..<pixelBytes).allSatisfy { got.bytes[one + $0] == expected.bytes[other + $0] }
        }
        let (red, green, blue) = answer[x, y]
        // A third of the mean, so that magenta stands out.
        let grey = UInt8((Int(red) + Int(green) + Int(blue)) / 9)
        marked[x, y] = isSame ? (grey, grey, grey) : (255, 0, 255)
      }
    }
    return marked
  }

  /// Returns the whole picture, small, with yellow lines that end just before the region.
  private static func overview(
    _ whole: Pixels, _ region: PixelRegion
  ) throws(PipelineError) -> Canvas {
    let longest = max(whole.size.width, whole.size.height)
    let step = (longest + cellSide - 1) / cellSide
    let factor = max(1, cellSide / longest)
    var small = try Canvas(max(1, whole.size.width / step), max(1, whole.size.height / step))
    try small.paste(
      whole.forScreen().rearranged(small.size) { ($0 * step, $1 * step) }, x: 0, y: 0)
    var large = try small.enlarged(factor)
    let scale = Double(factor) / Double(step)
    func scaled(_ start: Int, _ end: Int) -> ClosedRange<Int> {
      Int(Double(start) * scale) - 6...Int(Double(end) * scale) + 6
    }
    let (across, down) = (scaled(region.x, region.maxX), scaled(region.y, region.maxY))
    let x = min(large.size.width - 1, (across.lowerBound + across.upperBound) / 2)
    let y = min(large.size.height - 1, (down.lowerBound + down.upperBound) / 2)
    for column in 0..<large.size.width where !across.contains(column) {
      large[column, y] = Canvas.yellow
    }
    for row in 0..<large.size.height where !down.contains(row) { large[x, row] = Canvas.yellow }
    return large
  }

  /// Returns rows of cells, aligned at the top left.
  private static func laidOut(_ rows: [[Canvas]]) throws(PipelineError) -> Pixels {
    func width(_ row: [Canvas]) -> Int { row.reduce(gap) { $0 + $1.size.width + gap } }
    func height(_ row: [Canvas]) -> Int { row.map(\.size.height).max() ?? 0 }
    var sheet = try Canvas(rows.map(width).max() ?? 1, rows.reduce(gap) { $0 + height($1) + gap })
    var top = gap
    for row in rows {
      var left = gap
      for cell in row {
        sheet.paste(cell.pixels, x: left, y: top)
        left += cell.size.width + gap
      }
      top += height(row) + gap
    }
    return sheet.pixels
  }
}

/// An 8-bit sRGB picture to draw on.
private struct Canvas {
  static let yellow: (UInt8, UInt8, UInt8) = (255, 255, 0)

  let size: PixelSize
  private var bytes: [UInt8]

  /// Creates a grey picture.
  init(_ width: Int, _ height: Int) throws(PipelineError) {
    do { size = try PixelSize(width: width, height: height) } catch {
      throw PipelineError(.fault, operation: "lay out", file: nil, reason: "\(error)")
    }
    bytes = [UInt8](repeating: 64, count: size.area * 3)
  }

  var pixels: Pixels {
    Pixels(size: size, bands: 3, format: .uint8, interpretation: .srgb, bytes: bytes)
  }

  subscript(x: Int, y: Int) -> (UInt8, UInt8, UInt8) {
    get {
      let at = (y * size.width + x) * 3
      return (bytes[at], bytes[at + 1], bytes[at + 2])
    }
    set {
      let at = (y * size.width + x) * 3
      (bytes[at], bytes[at + 1], bytes[at + 2]) = newValue
    }
  }

  mutating func paste(_ pixels: Pixels, x: Int, y: Int) {
    for row in 0..<pixels.size.height {
      let start = ((y + row) * size.width + x) * 3
      bytes.replaceSubrange(
        start..<start + pixels.rowByteCount,
        with: pixels.bytes[row * pixels.rowByteCount..<(row + 1) * pixels.rowByteCount])
    }
  }

  func enlarged(_ factor: Int) throws(PipelineError) -> Canvas {
    var large = try Canvas(size.width * factor, size.height * factor)
    large.bytes = pixels.rearranged(large.size) { ($0 / factor, $1 / factor) }.bytes
    return large
  }

  /// Draws a yellow frame just outside a region of the picture before it was enlarged.
  mutating func frame(_ region: PixelRegion, _ factor: Int) {
    let (left, right) = (region.x * factor, region.maxX * factor)
    let (top, bottom) = (region.y * factor, region.maxY * factor)
    for y in max(0, top - 2)..<min(size.height, bottom + 2) {
      for x in max(0, left - 2)..<min(size.width, right + 2)
      where !(left..<right ~= x && top..<bottom ~= y) { self[x, y] = Self.yellow }
    }
  }
}
