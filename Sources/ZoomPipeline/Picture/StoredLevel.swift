internal import ZoomGeometry

/// A reduced copy of a picture in the same file: a level of a pyramid.
///
/// TIFFs hold levels as pages or in subdirectories, JPEG 2000 as resolutions.
enum StoredLevel {
  /// The option by which libvips opens the level.
  enum Place: Hashable {
    case page(Int)
    case subDirectory(Int)
  }

  /// The largest number of directories read: a pyramid of 2^31 pixels a side has fewer.
  private static let mostDirectories = 64

  /// Opens the level with a reduction; nil if none has exactly that size and the same samples.
  static func open(
    of picture: Picture, reducedBy reduction: Reduction
  ) throws(PipelineError) -> Image? {
    guard picture.foundLoader.readsOpenFiles else { return nil }
    for place in try places(in: picture, reduction) {
      guard let image = try Image.open(picture, place), let size = try? image.size,
        isLevel(size, of: picture, reduction), image.bands == picture.bands,
        try image.format == picture.format, image.interpretation == picture.interpretation
      else { continue }
      return image
    }
    return nil
  }

  /// Whether a writer that halves, rounding up or down, makes a level of this size.
  private static func isLevel(
    _ size: PixelSize, of picture: Picture, _ reduction: Reduction
  ) -> Bool {
    func fits(_ side: Int, _ whole: Int) -> Bool {
      side == whole / reduction.rawValue || side == reduction.reduced(whole)
    }
    return fits(size.width, picture.storedSize.width)
      && fits(size.height, picture.storedSize.height)
  }

  private static func places(
    in picture: Picture, _ reduction: Reduction
  ) throws(PipelineError) -> [Place] {
    if picture.loader == "jp2kload" { return [.page(reduction.rawValue.trailingZeroBitCount)] }
    guard let first = picture.tiff else { return [] }
    func isLevel(_ directory: TIFFDirectory, isPage: Bool) -> Bool {
      let type = directory.looseNumber(TIFFTag.subfileType) ?? 0
      // Bit 0 marks a reduced copy, which a subdirectory is anyway; bit 2 marks a mask.
      guard type & 4 == 0, !isPage || type & 1 == 1,
        // libvips would decode the strips of a level as a whole and keep them.
        directory[TIFFTag.tileWidth] != nil || first[TIFFTag.tileWidth] == nil,
        // The answer is turned by the picture's own orientation.
        directory.looseNumber(TIFFTag.orientation) ?? 1 == first.looseNumber(TIFFTag.orientation)
          ?? 1,
        let width = directory.looseNumber(TIFFTag.width),
        let height = directory.looseNumber(TIFFTag.height),
        let size = try? PixelSize(width: width, height: height)
      else { return false }
      return Self.isLevel(size, of: picture, reduction)
    }
    var places: [Place] = []
    if let entry = first[TIFFTag.subDirectories], entry.count <= mostDirectories {
      // LONG, IFD, LONG8 and IFD8.
      let offsets = try first.numbers(
        of: entry, 0..<entry.count, types: [4, 13, 16, 18], in: picture.file)
      for (number, offset) in (offsets ?? []).enumerated() {
        let directory = try TIFFDirectory(picture.file, at: offset)
        if isLevel(directory, isPage: false) { places.append(.subDirectory(number)) }
      }
    }
    var next = first.next
    for number in 1..<mostDirectories where next != 0 {
      let directory = try TIFFDirectory(picture.file, at: next)
      if isLevel(directory, isPage: true) { places.append(.page(number)) }
      next = directory.next
    }
    return places
  }
}
