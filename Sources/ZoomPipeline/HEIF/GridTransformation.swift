internal import ZoomGeometry

/// The transformative properties of a grid's item, which turn the decoded grid into the picture.
///
/// libheif applies them in order while it decodes, so a picture's stored pixels are the result. In
/// any order, they cut out a part of the grid, turn it and mirror it.
struct GridTransformation: Equatable {
  /// The part of the grid that remains after the crops.
  private var part: PixelRegion
  /// The way in which the part becomes the picture.
  private var orientation = Orientation.up

  static let types: Set<String> = ["irot", "imir", "clap"]

  init(of properties: [HEIFItems.Property], size: PixelSize) throws(HEIFRefusal) {
    part = PixelRegion(whole: size)
    for property in properties {
      var content = property.content
      switch property.type {
      case "irot":
        // Counterclockwise quarter turns.
        let turns: [Orientation] = [.up, .left, .down, .right]
        orientation = orientation.followed(by: turns[try content.number(1) & 3])
      case "imir":
        // ISO/IEC 23008-12:2022 and libheif: 1 swaps left and right.
        let isHorizontal = try content.number(1) & 1 == 1
        orientation = orientation.followed(by: isHorizontal ? .upMirrored : .downMirrored)
      case "clap":
        guard let aperture = try Self.aperture(&content, in: self.size),
          let part = try? gridRegion(of: aperture)
        else { throw HEIFRefusal("its clean aperture is not of whole pixels") }
        self.part = part
      default: break
      }
    }
  }

  /// Reads a clean aperture: its size and its centre's offset from the picture's.
  ///
  /// Returns nil unless it is of whole pixels inside the picture, as decoders round differently.
  private static func aperture(
    _ content: inout BoxReader, in size: PixelSize
  ) throws(HEIFRefusal) -> PixelRegion? {
    var numbers: [Int] = []
    for _ in 0..<8 { numbers.append(try content.number(4)) }
    /// Returns the first column or row; its length and denominator are at `place`.
    func start(_ place: Int, in side: Int) -> Int? {
      let (length, denominator) = (numbers[place], numbers[place + 5])
      let offset = Int(Int32(truncatingIfNeeded: numbers[place + 4]))
      guard numbers[place + 1] == 1, (1...2).contains(denominator), abs(offset) <= 1 << 15 else {
        return nil
      }
      let twice = offset * 2 / denominator + side - length
      guard twice >= 0, twice.isMultiple(of: 2), twice / 2 + length <= side else { return nil }
      return twice / 2
    }
    guard let x = start(0, in: size.width), let y = start(2, in: size.height) else { return nil }
    return try? PixelRegion(x: x, y: y, width: numbers[0], height: numbers[2])
  }

  /// The size of the picture.
  var size: PixelSize { orientation.uprightSize(ofStored: part.size) }

  /// Whether the picture's rows are the grid's columns.
  var isTransposed: Bool { orientation.swapsAxes }

  /// Returns the part of the grid that a region of the picture shows.
  func gridRegion(of stored: PixelRegion) throws(GeometryError) -> PixelRegion {
    let region = try orientation.storedRegion(forUpright: stored, storedSize: part.size)
    return try PixelRegion(
      x: part.x + region.x, y: part.y + region.y, width: region.width, height: region.height)
  }

  /// Returns the part of the picture that shows a region of the grid.
  func storedRegion(of region: PixelRegion) throws(GeometryError) -> PixelRegion {
    try orientation.uprightRegion(
      forStored: region.relative(to: (part.x, part.y)), storedSize: part.size)
  }

  /// Returns a region of a smaller grid after the turns and mirrors alone.
  func regionWithoutCrop(
    of region: PixelRegion, in small: PixelSize
  ) throws(GeometryError) -> PixelRegion {
    try orientation.uprightRegion(forStored: region, storedSize: small)
  }
}

extension Orientation {
  /// Returns the orientation whose transform is this one's and then another's.
  fileprivate func followed(by other: Orientation) -> Orientation {
    // Turning after mirroring is turning the other way before it.
    let turns =
      quarterTurnsClockwise
      + (mirrorsHorizontally ? 4 - other.quarterTurnsClockwise : other.quarterTurnsClockwise)
    let mirrors = mirrorsHorizontally != other.mirrorsHorizontally
    return Self.allCases.first {
      $0.quarterTurnsClockwise == turns % 4 && $0.mirrorsHorizontally == mirrors
    } ?? .up
  }
}
