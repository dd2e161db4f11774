internal import ZoomGeometry

extension JPEGStructure {
  /// An EXIF segment that holds an orientation alone (CIPA DC-008, 4.5).
  static func segment(of orientation: Orientation) -> [UInt8] {
    // Big endian TIFF, its first directory at 8: one entry, tag 0x0112, a SHORT, one of them.
    let exif =
      Array("Exif\0\0MM\0*".utf8) + [0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1]
      + [0, UInt8(orientation.rawValue), 0, 0, 0, 0, 0, 0]
    return [0xFF, 0xE1, 0, UInt8(exif.count + 2)] + exif
  }
}
