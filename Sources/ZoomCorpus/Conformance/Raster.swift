internal import ZoomGeometry
internal import ZoomPipeline

/// The samples of a picture before coding, interleaved, in 32 bits each.
struct Raster: Sendable {
  let width: Int
  let height: Int
  let bands: Int
  /// The bits of a sample in the file: 1, 2, 4, 8, 16, or 32 for floating point.
  let bits: Int
  let values: [UInt32]

  init(_ width: Int, _ height: Int, bands: Int, bits: Int, values: [UInt32]) {
    precondition(values.count == width * height * bands, "a value per sample")
    (self.width, self.height, self.bands, self.bits) = (width, height, bands, bits)
    self.values = values
  }

  /// Creates a picture in which a sample from a wrong place almost always has a wrong value.
  ///
  /// Patches of 5x3 pixels give chroma and filters something to carry across a region's edge,
  /// gradients make patches differ, and noise makes neighbours differ. Sides are at most
  /// 256, so that the sum stays below 65,536. Only integers are used: it is the same everywhere.
  init(_ width: Int, _ height: Int, bands: Int = 3, bits: Int = 8, seed: UInt64 = 43) {
    var values: [UInt32] = []
    values.reserveCapacity(width * height * bands)
    for y in 0..<height {
      for x in 0..<width {
        for band in 0..<bands {
          let key = seed &+ UInt64(band) &* 1009
          let patch = LatticeHash.below(32_768, key, x / 5, y / 3)
          let grain = LatticeHash.below(8_192, key &+ 1, x, y)
          values.append(UInt32(patch + x * 52 + y * 43 + grain))
        }
      }
    }
    switch bits {
    case 16: break
    // Quarters from 0 to 255.75, which a float holds exactly.
    case 32: values = values.map { Float($0 >> 6) / 4 }.map(\.bitPattern)
    default: values = values.map { $0 >> UInt32(16 - bits) }
    }
    self.init(width, height, bands: bands, bits: bits, values: values)
  }

  /// Creates a raster of decoded samples of 8 or 16 bits.
  init(_ pixels: Pixels) {
    let count = pixels.format.byteCount
    let values = stride(from: 0, to: pixels.bytes.count, by: count).map { start in
      (0..<count).reduce(0) { $0 | UInt32(pixels.bytes[start + $1]) << UInt32(8 * $1) }
    }
    self.init(
      pixels.size.width, pixels.size.height, bands: pixels.bands, bits: 8 * count, values: values)
  }

  func value(_ x: Int, _ y: Int, _ band: Int) -> UInt32 { values[(y * width + x) * bands + band] }

  func part(_ region: PixelRegion) -> Raster {
    let values = (region.y..<region.maxY).flatMap { y in
      self.values[(y * width + region.x) * bands..<(y * width + region.maxX) * bands]
    }
    return Raster(region.width, region.height, bands: bands, bits: bits, values: values)
  }

  var size: PixelSize {
    PixelRegion(uncheckedX: 0, y: 0, width: width, height: height).size
  }

  /// Returns pixels with other samples, computed pixel by pixel.
  func mapped(bands: Int, bits: Int, _ pixel: (ArraySlice<UInt32>) -> [UInt32]) -> Raster {
    let mapped = stride(from: 0, to: values.count, by: self.bands).flatMap { start in
      pixel(values[start..<start + self.bands])
    }
    return Raster(width, height, bands: bands, bits: bits, values: mapped)
  }

  /// Returns the mean of each block of 2x2 pixels, halves rounded up.
  ///
  /// With `roundingUp`, the last block of an odd side has one column or row; otherwise there is none.
  func halved(roundingUp: Bool) -> Raster {
    let (wide, high) = (width + (roundingUp ? 1 : 0), height + (roundingUp ? 1 : 0))
    var means: [UInt32] = []
    for y in 0..<high / 2 {
      for x in 0..<wide / 2 {
        for band in 0..<bands {
          var (sum, count): (UInt32, UInt32) = (0, 0)
          for row in 2 * y..<min(2 * y + 2, height) {
            for column in 2 * x..<min(2 * x + 2, width) {
              sum += value(column, row, band)
              count += 1
            }
          }
          means.append((sum + count / 2) / count)
        }
      }
    }
    return Raster(wide / 2, high / 2, bands: bands, bits: bits, values: means)
  }

  /// The samples of one, two or four bytes, the lowest first.
  var bytes: [UInt8] {
    let count = max(1, bits / 8)
    return values.flatMap { value in
      (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt32(8 * $0)) }
    }
  }

  /// The samples in memory, as on all machines that Swift supports.
  var pixels: Pixels {
    let format: SampleFormat = bits == 32 ? .float32 : bits == 16 ? .uint16 : .uint8
    return Pixels(
      size: size, bands: bands, format: format, interpretation: bands < 3 ? .grey : .srgb,
      bytes: bytes)
  }
}

/// Writes bits into bytes, the most significant or the least significant bit first.
struct BitPacker {
  private(set) var bytes: [UInt8] = []
  private let isLeastFirst: Bool
  private var count = 0

  init(leastFirst: Bool = false) { isLeastFirst = leastFirst }

  /// Appends the lowest `length` bits of a value.
  mutating func append(_ value: Int, _ length: Int) {
    for place in 0..<length {
      if count == 0 { bytes.append(0) }
      let bit = value >> (isLeastFirst ? place : length - 1 - place) & 1
      bytes[bytes.count - 1] |= UInt8(bit) << (isLeastFirst ? count : 7 - count)
      count = (count + 1) % 8
    }
  }

  /// Appends a Huffman code, whose most significant bit comes first in either order.
  mutating func append(code: Int, _ length: Int) {
    for place in (0..<length).reversed() { append(code >> place & 1, 1) }
  }

  /// Continues at the next whole byte.
  mutating func align() { count = 0 }

  /// Appends bytes after aligning.
  mutating func append(whole more: some Sequence<UInt8>) {
    align()
    bytes += more
  }
}
