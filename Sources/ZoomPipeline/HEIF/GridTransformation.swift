internal import ZoomGeometry

/// The transformative properties of a grid's item, which turn the decoded grid into the picture.
///
/// libheif applies them while it decodes, so a picture's stored pixels are the result of them.
struct GridTransformation: Hashable {
  enum Step: Hashable {
    /// Quarter turns counterclockwise (`irot`).
    case rotation(Int)
    /// Swaps left and right, or top and bottom (`imir`).
    case mirror(isHorizontal: Bool)
    /// Crops to this part (`clap`).
    case crop(PixelRegion)
  }

  /// The steps, each with the size before it.
  private var steps: [(step: Step, size: PixelSize)] = []
  private(set) var size: PixelSize

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
    // ISO/IEC 23008-12:2022 and libheif: 1 swaps left and right.
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

  /// Reads an aperture's offset from the centre and returns its start.
  ///
  /// Returns nil unless that is a whole pixel inside the picture, as decoders round differently.
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

  /// Returns the part of the grid that a region of the picture shows.
  func gridRegion(of stored: PixelRegion) throws(GeometryError) -> PixelRegion {
    var region = stored
    for (step, size) in steps.reversed() {
      switch step {
      case .rotation(let turns):
        // Four minus the counterclockwise turns are the turns back.
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

  /// Returns the part of the picture that shows a region of the grid.
  func storedRegion(of region: PixelRegion) throws(GeometryError) -> PixelRegion {
    try applied(to: region, of: nil)
  }

  /// Returns a region of a smaller grid after the rotations and mirrors alone.
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
  /// Returns the region in a picture that is turned counterclockwise.
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
