internal import ZoomGeometry

/// A reduced copy of a picture that its file holds beside it: a level of a pyramid.
///
/// TIFFs hold them as pages or in subdirectories, cloud-optimised GeoTIFFs as pages, JPEG 2000 as resolutions.
enum StoredLevel {
  /// How libvips reaches it.
  enum Place: Hashable {
    case page(Int)
    case subDirectory(Int)
  }

  /// Pages and subdirectories that are looked at: a pyramid of a picture of 2^31 pixels a side has fewer.
  private static let mostDirectories = 64

  /// Opens the level of a picture that is reduced so much; nil where it has none of just that size, or one of
  /// other samples.
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

  /// Whether writers that halve would have made this size: they round up or down.
  private static func isLevel(
    _ size: PixelSize, of picture: Picture, _ reduction: Reduction
  ) -> Bool {
    func fits(_ side: Int, _ whole: Int) -> Bool {
      side == whole / reduction.rawValue || side == reduction.reduced(whole)
    }
    return fits(size.width, picture.storedSize.width)
      && fits(size.height, picture.storedSize.height)
  }

  /// Where levels of that size may be.
  private static func places(
    in picture: Picture, _ reduction: Reduction
  ) throws(PipelineError) -> [Place] {
    if picture.loader == "jp2kload" { return [.page(reduction.rawValue.trailingZeroBitCount)] }
    guard let first = picture.tiff else { return [] }
    func isLevel(_ directory: TIFFDirectory, isPage: Bool) -> Bool {
      let type = directory.looseNumber(TIFFTag.subfileType) ?? 0
      // Bit 0 says that it is a reduced copy, which goes without saying in a subdirectory; bit 2 that it is a
      // mask.
      guard type & 4 == 0, !isPage || type & 1 == 1,
        // libvips would decode the strips of a level as a whole and keep them.
        directory[TIFFTag.tileWidth] != nil || first[TIFFTag.tileWidth] == nil,
        // The answer is turned as the picture itself is.
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
      for (number, offset) in (try first.directories(of: entry, in: picture.file) ?? [])
        .enumerated()
      {
        if isLevel(try TIFFDirectory(picture.file, at: offset), isPage: false) {
          places.append(.subDirectory(number))
        }
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
