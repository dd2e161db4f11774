internal import ZoomGeometry

/// Finds reduced copies of a picture in the same file: the levels of a pyramid.
///
/// TIFFs hold levels as pages or in subdirectories, JPEG 2000 as resolutions. Pixel (i, j) of a
/// level with factor n represents the n x n pixels from (n i, n j) on.
enum StoredLevel {
  /// The option by which libvips opens the level.
  enum Place: Sendable, Hashable {
    case page(Int)
    case subDirectory(Int)
  }

  /// The largest number of directories read: a pyramid of 2^31 pixels a side has fewer.
  private static let mostDirectories = 64

  /// Opens the levels with the picture's kind of samples, at most one for each reduction.
  ///
  /// All of them hold tiles beside the picture's. The smallest, which save the most work, come first
  /// while the budget holds their sum.
  static func all(of picture: Picture) throws(PipelineError) -> [Reduction: Image] {
    guard picture.foundLoader.readsOpenFiles else { return [:] }
    var levels: [Reduction: Image] = [:]
    var free = picture.limits.memory.limit - picture.decoderByteCount
    let places = try places(in: picture).sorted { $0.reduction.rawValue > $1.reduction.rawValue }
    for (reduction, place, held) in places where levels[reduction] == nil && held <= free {
      guard let image = try Image.open(picture, place), let size = try? image.size,
        Self.reduction(of: size, from: picture.storedSize) == reduction,
        image.bands == picture.bands, try image.format == picture.format,
        image.interpretation == picture.interpretation
      else { continue }
      levels[reduction] = image
      free -= held
    }
    return levels
  }

  /// Returns the reduction by which a writer that rounds up or down makes a level of a size.
  ///
  /// Several factors fit small sizes; of these the smallest power of two is taken, as nearly all
  /// writers halve.
  /// - Returns: nil if no factor fits, or if several do and none is a power of two.
  static func reduction(of level: PixelSize, from whole: PixelSize) -> Reduction? {
    func fits(_ side: Int, _ whole: Int, _ reduction: Reduction) -> Bool {
      side == whole / reduction.rawValue || side == reduction.reduced(whole)
    }
    let fitting = (2...Reduction.largestFactor).compactMap { Reduction(rawValue: $0) }.filter {
      fits(level.width, whole.width, $0) && fits(level.height, whole.height, $0)
    }
    return fitting.first { $0.rawValue.nonzeroBitCount == 1 }
      ?? (fitting.count == 1 ? fitting.first : nil)
  }

  /// Returns where the levels may be, and the bytes that libvips holds while it reads each.
  private static func places(
    in picture: Picture
  ) throws(PipelineError) -> [(reduction: Reduction, place: Place, held: Int)] {
    var places: [(reduction: Reduction, place: Place, held: Int)] = []
    if picture.loader == "jp2kload" {
      for halvings in 1...6 {
        guard let reduction = Reduction(rawValue: 1 << halvings) else { break }
        places.append((reduction, .page(halvings), 0))
      }
    }
    guard let first = picture.tiff else { return places }
    let orientation = first.looseNumber(TIFFTag.orientation) ?? 1
    func add(_ directory: TIFFDirectory, _ place: Place) {
      // The answer is turned by the picture's own orientation.
      guard directory.looseNumber(TIFFTag.orientation) ?? 1 == orientation,
        // libvips would decode the strips of a level as a whole and keep them.
        directory[TIFFTag.tileWidth] != nil, directory.kind & ~3 == 0,
        let width = directory.looseNumber(TIFFTag.width),
        let height = directory.looseNumber(TIFFTag.height),
        let size = try? PixelSize(width: width, height: height),
        let reduction = Self.reduction(of: size, from: picture.storedSize)
      else { return }
      // A level is smaller than the picture, whose raster's bytes do not overflow.
      let held = directory.heldPixels(of: size) * picture.bands * picture.format.byteCount
      places.append((reduction, place, held))
    }
    if let entry = first[TIFFTag.subDirectories], entry.count <= mostDirectories {
      // LONG, IFD, LONG8 and IFD8.
      let offsets = try first.numbers(
        of: entry, 0..<entry.count, types: [4, 13, 16, 18], in: picture.file)
      for (number, offset) in (offsets ?? []).enumerated() {
        add(try TIFFDirectory(picture.file, at: offset), .subDirectory(number))
      }
    }
    // Aperio's slides (SVS) do not mark their levels as copies. Their descriptions begin alike.
    let isSlide = try first.isAperio(in: picture.file)
    var next = first.next
    for number in 1..<mostDirectories where next != 0 {
      let directory = try TIFFDirectory(picture.file, at: next)
      let isCopyOrMask = directory.kind & 5 != 0
      if !isCopyOrMask {
        // The copies after another picture are copies of that one.
        guard isSlide, try directory.isAperio(in: picture.file) else { break }
      }
      add(directory, .page(number))
      next = directory.next
    }
    return places
  }
}

extension TIFFDirectory {
  /// NewSubfileType: bit 0 marks a reduced copy, bit 1 one of several pages, bit 2 a mask, and bit 3
  /// Aperio's picture of the whole slide.
  fileprivate var kind: Int { looseNumber(TIFFTag.subfileType) ?? 0 }

  /// Whether the description begins like those that Aperio's scanners write.
  fileprivate func isAperio(in file: FileReader) throws(PipelineError) -> Bool {
    guard let entry = self[TIFFTag.description] else { return false }
    let name = Array("Aperio".utf8)
    return try values(of: entry, 0..<name.count, in: file) == name
  }
}
