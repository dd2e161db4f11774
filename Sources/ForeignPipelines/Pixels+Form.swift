internal import ZoomGeometry
internal import ZoomPipeline

extension Pixels {
  /// Returns the last rows and columns, if at most 32 of either (an MCU of a JPEG) are cut; otherwise all.
  func end(_ size: PixelSize) -> Pixels {
    let (x, y) = (self.size.width - size.width, self.size.height - size.height)
    guard (0...32).contains(x), (0...32).contains(y), x + y > 0 else { return self }
    return part(x, y, size)
  }

  /// Returns the part of a size that begins at a column and a row.
  func part(_ x: Int, _ y: Int, _ size: PixelSize) -> Pixels {
    if size == self.size { return self }
    let sample = bands * format.byteCount
    var part: [UInt8] = []
    part.reserveCapacity(size.area * sample)
    for row in y..<y + size.height {
      let start = (row * self.size.width + x) * sample
      part += bytes[start..<start + size.width * sample]
    }
    return Pixels(
      size: size, bands: bands, format: format, interpretation: interpretation, bytes: part)
  }

  /// Returns the same pixels with the bands of a form if no sample is lost: an alpha that is opaque everywhere
  /// is left out, and grey sent as red, green and blue is reduced to one band, or the reverse.
  ///
  /// Pixels that cannot be converted without loss are returned unchanged.
  func converted(to form: AnswerForm) -> Pixels {
    guard format == form.format else { return self }
    var kept = self
    if format == .uint8, bands == form.bands + 1 || (form.bands == 1 && bands == 4) {
      let isOpaque = stride(from: bands - 1, to: bytes.count, by: bands).allSatisfy {
        bytes[$0] == 255
      }
      if isOpaque { kept = kept.bands(Array(0..<bands - 1)) }
    }
    if format == .uint8, kept.bands == 3, form.bands == 1 {
      let samples = kept.bytes
      let isGrey = stride(from: 0, to: samples.count, by: 3).allSatisfy { (start: Int) -> Bool in
        samples[start] == samples[start + 1] && samples[start] == samples[start + 2]
      }
      if isGrey { kept = kept.bands([0]) }
    }
    if format == .uint8, kept.bands == 1, form.bands == 3 {
      kept = kept.bands([0, 0, 0])
    }
    guard kept.bands == form.bands else { return kept }
    return Pixels(
      size: size, bands: kept.bands, format: format, interpretation: form.interpretation,
      bytes: kept.bytes)
  }

  /// Returns the chosen bands of 8-bit pixels, in the given order.
  private func bands(_ chosen: [Int]) -> Pixels {
    let (count, bytes) = (chosen.count, self.bytes)
    var changed = [UInt8](repeating: 0, count: size.area * count)
    // One band at a time, which is faster; the conversion counts as part of the program's time.
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
