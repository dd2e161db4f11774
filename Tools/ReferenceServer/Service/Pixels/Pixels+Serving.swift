import ZoomGeometry
import ZoomPipeline

/// The operations of a picture service on 8-bit pixels: grey or sRGB, with or without alpha.
extension Pixels {
  var width: Int { size.width }
  var height: Int { size.height }
  var extent: Extent { Extent(width: width, height: height) }
  var hasAlpha: Bool { bands.isMultiple(of: 2) }
  var isColour: Bool { bands >= 3 }
  var colourBands: Int { isColour ? 3 : 1 }

  /// Creates the pixels of an answer; `Geometry` refuses empty ones.
  init(_ extent: Extent, bands: Int, _ bytes: [UInt8]) {
    guard let size = try? PixelSize(width: extent.width, height: extent.height) else {
      preconditionFailure("no answer has a size of \(extent)")
    }
    self.init(
      size: size, bands: bands, format: .uint8, interpretation: bands >= 3 ? .srgb : .grey,
      bytes: bytes)
  }

  /// Returns pixels that come from other places; nil leaves all bands 0.
  @inline(__always)
  func gathered(
    _ extent: Extent, from place: (_ x: Int, _ y: Int) -> (x: Int, y: Int)?
  ) -> Pixels {
    var gathered = [UInt8](repeating: 0, count: extent.area * bands)
    var target = 0
    for y in 0..<extent.height {
      for x in 0..<extent.width {
        if let (x, y) = place(x, y) {
          let source = (y * width + x) * bands
          for band in 0..<bands { gathered[target + band] = bytes[source + band] }
        }
        target += bands
      }
    }
    return Pixels(extent, bands: bands, gathered)
  }

  /// Returns the pixels of a box; outside the picture the nearest edge pixel is repeated.
  func cropped(_ box: Box) -> Pixels {
    gathered(box.size) { x, y in
      (max(0, min(box.x + x, width - 1)), max(0, min(box.y + y, height - 1)))
    }
  }

  @inline(__always)
  func mapped(bands newBands: Int, _ change: (ArraySlice<UInt8>) -> [UInt8]) -> Pixels {
    var mapped: [UInt8] = []
    mapped.reserveCapacity(size.area * newBands)
    for start in stride(from: 0, to: bytes.count, by: bands) {
      mapped += change(bytes[start..<start + bands])
    }
    return Pixels(extent, bands: newBands, mapped)
  }

  /// Returns the pixels with all samples except alpha changed.
  @inline(__always)
  func mappingColours(_ change: (UInt8) -> UInt8) -> Pixels {
    var mapped = bytes
    for start in stride(from: 0, to: bytes.count, by: bands) {
      for place in start..<start + colourBands { mapped[place] = change(bytes[place]) }
    }
    return Pixels(extent, bands: bands, mapped)
  }

  /// Returns the pixels in a quality (4.4).
  func coloured(_ quality: Quality) -> Pixels {
    switch quality {
    case .default, .color: self
    case .gray: grey()
    case .bitonal: grey().mappingColours { $0 < 128 ? 0 : 255 }
    }
  }

  /// Returns the pixels in grey, by the weights of BT.601; the specification prescribes none.
  func grey() -> Pixels {
    guard isColour else { return self }
    return mapped(bands: bands - 2) { pixel in
      let colours = pixel.prefix(3).map { Int($0) }
      let sum = 299 * colours[0] + 587 * colours[1] + 114 * colours[2]
      return [UInt8((sum + 500) / 1000)] + pixel.dropFirst(3)
    }
  }

  func scaledByVips(to target: Extent) -> Pixels {
    // libvips refuses some sizes of a few pixels; the other renderer is correct too.
    guard let size = try? PixelSize(width: target.width, height: target.height),
      let scaled = try? resampled(to: size)
    else { return scaled(to: target) }
    return scaled
  }

  /// Returns a JPEG without chroma subsampling; nil if libvips cannot write it.
  func jpeg(quality: Int) -> [UInt8]? {
    try? Image(flattened(over: 255)).jpegBytes(quality: quality)
  }
}
