internal import ZoomGeometry
internal import ZoomPipeline

extension Pixels {
  /// The last rows and columns, where no more than 32 pixels are left over, an MCU of a JPEG.
  func end(_ size: PixelSize) -> Pixels {
    let (x, y) = (self.size.width - size.width, self.size.height - size.height)
    guard (0...32).contains(x), (0...32).contains(y), x + y > 0 else { return self }
    let sample = bands * format.byteCount
    var kept: [UInt8] = []
    kept.reserveCapacity(size.area * sample)
    for row in y..<self.size.height {
      let start = (row * self.size.width + x) * sample
      kept += bytes[start..<start + size.width * sample]
    }
    return Pixels(
      size: size, bands: bands, format: format, interpretation: interpretation, bytes: kept)
  }

  /// The same pixels with a picture's bands, where no sample is lost by that: an alpha that is opaque everywhere is
  /// left out, and grey that came as red, green and blue is one band again.
  ///
  /// Programs answer in the forms of their own libraries. Pixels that cannot be converted without loss stay as they are.
  func inForm(of picture: Picture) -> Pixels {
    guard format == picture.format else { return self }
    var kept = self
    if format == .uint8, bands == picture.bands + 1 || (picture.bands == 1 && bands == 4) {
      let isOpaque = stride(from: bands - 1, to: bytes.count, by: bands).allSatisfy {
        bytes[$0] == 255
      }
      if isOpaque { kept = kept.bands(Array(0..<bands - 1)) }
    }
    if format == .uint8, kept.bands == 3, picture.bands == 1 {
      let samples = kept.bytes
      let isGrey = stride(from: 0, to: samples.count, by: 3).allSatisfy { (start: Int) -> Bool in
        samples[start] == samples[start + 1] && samples[start] == samples[start + 2]
      }
      if isGrey { kept = kept.bands([0]) }
    }
    if format == .uint8, kept.bands == 1, picture.bands == 3 {
      kept = kept.bands([0, 0, 0])
    }
    guard kept.bands == picture.bands else { return kept }
    return Pixels(
      size: size, bands: kept.bands, format: format, interpretation: picture.interpretation,
      bytes: kept.bytes)
  }

  /// Some bands of 8 bits, in an order.
  private func bands(_ chosen: [Int]) -> Pixels {
    let (count, bytes) = (chosen.count, self.bytes)
    var changed = [UInt8](repeating: 0, count: size.area * count)
    // A band at a time, for this is part of the time that a program is said to take.
    for (place, band) in chosen.enumerated() {
      var target = place
      for source in stride(from: band, to: bytes.count, by: bands) {
        changed[target] = bytes[source]
        target += count
      }
    }
    return Pixels(
      size: size, bands: count, format: format, interpretation: interpretation, bytes: changed)
  }
}
