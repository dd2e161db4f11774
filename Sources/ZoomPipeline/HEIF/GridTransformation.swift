internal import ZoomGeometry

/// What turns a decoded grid into the picture: the transformative properties of its item, in their order.
///
/// libheif applies them while it decodes, so that a picture's stored pixels are those behind them.
struct GridTransformation: Hashable {
  enum Step: Hashable {
    /// Quarter turns against the clock (`irot`).
    case rotation(Int)
    /// Left and right change places, or top and bottom (`imir`).
    case mirror(isHorizontal: Bool)
    /// Only this part is shown (`clap`).
    case crop(PixelRegion)
  }

  /// Each step with the size of what it is applied to.
  private var steps: [(step: Step, size: PixelSize)] = []
  /// The size behind them.
  private(set) var size: PixelSize

  /// Reads the transformations of a grid of a size.
  init(of properties: [HEIFItems.Property], size: PixelSize) throws(HEIFRefusal) {
    self.size = size
    for property in properties {
      guard let step = try Self.step(property, self.size) else { continue }
      steps.append((step, self.size))
      switch step {
      case .rotation(let turns): if !turns.isMultiple(of: 2) { self.size = self.size.transposed }
      case .mirror: break
      case .crop(let region): self.size = region.size
      }
    }
  }

  static let types: Set<String> = ["irot", "imir", "clap"]

  static func == (left: GridTransformation, right: GridTransformation) -> Bool {
    left.steps.map(\.step) == right.steps.map(\.step)
  }

  func hash(into hasher: inout Hasher) { hasher.combine(steps.map(\.step)) }

  private static func step(
    _ property: HEIFItems.Property, _ size: PixelSize
  ) throws(HEIFRefusal) -> Step? {
    var reader = property.content
    switch property.type {
    case "irot": return .rotation(try reader.number(1) & 3)
    // ISO/IEC 23008-12:2022 and libheif: 1 stands for left and right.
    case "imir": return .mirror(isHorizontal: try reader.number(1) & 1 == 1)
    case "clap":
      let across = (try wholeNumber(&reader), try wholeNumber(&reader))
      let left = try start(&reader, of: across.0, in: size.width)
      let top = try start(&reader, of: across.1, in: size.height)
      guard let left, let top,
        let region = try? PixelRegion(x: left, y: top, width: across.0, height: across.1)
      else { throw HEIFRefusal("its clean aperture is not of whole pixels") }
      return .crop(region)
    default: return nil
    }
  }

  private static func wholeNumber(_ reader: inout BoxReader) throws(HEIFRefusal) -> Int {
    let (value, denominator) = (try reader.number(4), try reader.number(4))
    guard denominator == 1 else {
      throw HEIFRefusal("its clean aperture is not of whole pixels")
    }
    return value
  }

  /// Where an aperture begins whose centre is off the picture's by the fraction that comes next.
  ///
  /// nil unless that is a whole pixel inside the picture: decoders round in ways of their own.
  private static func start(
    _ reader: inout BoxReader, of length: Int, in side: Int
  ) throws(HEIFRefusal) -> Int? {
    let value = Int(Int32(truncatingIfNeeded: try reader.number(4)))
    let denominator = try reader.number(4)
    guard (1...2).contains(denominator), abs(value) <= 1 << 15 else { return nil }
    let twice = value * 2 / denominator + side - length
    guard twice >= 0, twice.isMultiple(of: 2), twice / 2 + length <= side else { return nil }
    return twice / 2
  }

  /// Whether the picture's rows are the grid's columns.
  var isTransposed: Bool {
    steps.count {
      if case .rotation(let turns) = $0.step { !turns.isMultiple(of: 2) } else { false }
    }
    .isMultiple(of: 2) == false
  }

  /// Where a region of the picture is in the grid.
  func gridRegion(of stored: PixelRegion) throws(GeometryError) -> PixelRegion {
    var region = stored
    for (step, size) in steps.reversed() {
      switch step {
      case .rotation(let turns):
        // Four less the turns against the clock are the turns back.
        let turned = turns.isMultiple(of: 2) ? size : size.transposed
        region = try region.rotated(4 - turns, in: turned)
      case .mirror(let isHorizontal):
        region = try region.mirrored(isHorizontal, in: size)
      case .crop(let part):
        region = try PixelRegion(
          x: region.x + part.x, y: region.y + part.y, width: region.width, height: region.height)
      }
    }
    return region
  }

  /// Where a region of the grid is in the picture.
  func storedRegion(of region: PixelRegion) throws(GeometryError) -> PixelRegion {
    try applied(to: region, of: nil)
  }

  /// Where a region of a smaller grid is behind the rotations and mirrors alone.
  func regionWithoutCrop(
    of region: PixelRegion, in small: PixelSize
  ) throws(GeometryError) -> PixelRegion {
    try applied(to: region, of: small)
  }

  private func applied(
    to region: PixelRegion, of small: PixelSize?
  ) throws(GeometryError) -> PixelRegion {
    var (region, small) = (region, small)
    for (step, full) in steps {
      let size = small ?? full
      switch step {
      case .rotation(let turns):
        region = try region.rotated(turns, in: size)
        if !turns.isMultiple(of: 2) { small = small?.transposed }
      case .mirror(let isHorizontal):
        region = try region.mirrored(isHorizontal, in: size)
      case .crop(let part):
        if small == nil {
          region = try PixelRegion(
            x: region.x - part.x, y: region.y - part.y, width: region.width, height: region.height)
        }
      }
    }
    return region
  }
}

extension PixelRegion {
  /// The region in a picture of a size that is turned against the clock.
  fileprivate func rotated(
    _ quarterTurns: Int, in size: PixelSize
  ) throws(GeometryError) -> PixelRegion {
    var (region, size) = (self, size)
    for _ in 0..<quarterTurns % 4 {
      region = try PixelRegion(
        x: region.y, y: size.width - region.maxX, width: region.height, height: region.width)
      size = size.transposed
    }
    return region
  }

  fileprivate func mirrored(
    _ isHorizontal: Bool, in size: PixelSize
  ) throws(GeometryError) -> PixelRegion {
    try PixelRegion(
      x: isHorizontal ? size.width - maxX : x, y: isHorizontal ? y : size.height - maxY,
      width: width, height: height)
  }
}
