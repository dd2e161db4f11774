internal import ZoomGeometry

extension TIFFDirectory {
  /// The size of a tile; nil if the picture has none that can be read.
  var tile: PixelSize? {
    guard let width = looseNumber(TIFFTag.tileWidth), let height = looseNumber(TIFFTag.tileHeight)
    else { return nil }
    return try? PixelSize(width: width, height: height)
  }

  /// Returns the number of pixels that libvips (8.14) holds while it reads the picture.
  ///
  /// Two rows of tiles; no strips, unless each holds one band: then a strip of each band, twice.
  func heldPixels(of size: PixelSize) -> Int {
    if let width = looseNumber(TIFFTag.tileWidth), let height = looseNumber(TIFFTag.tileHeight) {
      // The limits prevent an overflow; libvips opens only much smaller tiles.
      let tile = (width: min(max(width, 1), 1 << 16), height: min(max(height, 1), 1 << 16))
      let across = (size.width + tile.width - 1) / tile.width
      return across * tile.width * tile.height * (size.height > tile.height ? 2 : 1)
    }
    guard (looseNumber(TIFFTag.planes) ?? 1) > 1 else { return 0 }
    return 2 * size.width * min(looseNumber(TIFFTag.stripRows) ?? size.height, size.height)
  }
}
