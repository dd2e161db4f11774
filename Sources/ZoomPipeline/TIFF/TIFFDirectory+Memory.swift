internal import ZoomGeometry

extension TIFFDirectory {
  /// The size of a tile; nil where the picture has none that can be read.
  var tile: PixelSize? {
    guard let width = looseNumber(TIFFTag.tileWidth), let height = looseNumber(TIFFTag.tileHeight)
    else { return nil }
    return try? PixelSize(width: width, height: height)
  }

  /// The pixels that libvips (8.14) holds while it reads any of them: two rows of tiles; of strips none,
  /// as it decodes them row by row, unless each holds one band alone: then a strip of each, twice.
  func heldPixels(of size: PixelSize) -> Int {
    if let width = looseNumber(TIFFTag.tileWidth), let height = looseNumber(TIFFTag.tileHeight) {
      // So that no product overflows; libvips opens no tile that is nearly as large.
      let tile = (width: min(max(width, 1), 1 << 16), height: min(max(height, 1), 1 << 16))
      let across = (size.width + tile.width - 1) / tile.width
      return across * tile.width * tile.height * (size.height > tile.height ? 2 : 1)
    }
    guard (looseNumber(TIFFTag.planes) ?? 1) > 1 else { return 0 }
    return 2 * size.width * min(looseNumber(TIFFTag.stripRows) ?? size.height, size.height)
  }
}
