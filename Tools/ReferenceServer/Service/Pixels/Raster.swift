import ZoomGeometry
import ZoomPipeline

/// 8-bit pixels during processing: grey or RGB, with or without alpha.
struct Raster: Sendable, Hashable {
  let width: Int
  let height: Int
  let bands: Int
  var samples: [UInt8]

  var size: Extent { Extent(width: width, height: height) }
  var hasAlpha: Bool { bands == 2 || bands == 4 }
  var isColour: Bool { bands >= 3 }
  var colourBands: Int { isColour ? 3 : 1 }

  init(width: Int, height: Int, bands: Int, samples: [UInt8]) {
    precondition(samples.count == width * height * bands, "samples of another size")
    self.width = width
    self.height = height
    self.bands = bands
    self.samples = samples
  }

  /// Creates a raster of decoded pixels; throws for unsupported formats.
  init(_ pixels: Pixels) throws(PipelineError) {
    guard pixels.format == .uint8, (1...4).contains(pixels.bands),
      pixels.interpretation == (pixels.bands >= 3 ? .srgb : .grey)
    else {
      throw PipelineError(
        .unsupported, operation: "serve", file: nil,
        reason:
          "\(pixels.bands) bands of \(pixels.format) \(pixels.interpretation.rawValue) are neither"
          + " grey nor sRGB of 8 bits")
    }
    self.init(
      width: pixels.size.width, height: pixels.size.height, bands: pixels.bands,
      samples: pixels.bytes)
  }

  /// The pixels for ZoomPipeline; nil if a fault made the raster empty.
  var pixels: Pixels? {
    guard let size = try? PixelSize(width: width, height: height) else { return nil }
    return Pixels(
      size: size, bands: bands, format: .uint8, interpretation: isColour ? .srgb : .grey,
      bytes: samples)
  }

  /// Returns a raster whose pixels come from other places; nil leaves all bands 0.
  @inline(__always)
  func gathered(
    width: Int, height: Int, from place: (_ x: Int, _ y: Int) -> (x: Int, y: Int)?
  ) -> Raster {
    var gathered = [UInt8](repeating: 0, count: width * height * bands)
    var target = 0
    for y in 0..<height {
      for x in 0..<width {
        if let (x, y) = place(x, y) {
          let source = (y * self.width + x) * bands
          for band in 0..<bands { gathered[target + band] = samples[source + band] }
        }
        target += bands
      }
    }
    return Raster(width: width, height: height, bands: bands, samples: gathered)
  }

  /// Returns the pixels of a box; outside the raster the nearest edge pixel is repeated.
  func cropped(_ box: Box) -> Raster {
    gathered(width: box.width, height: box.height) { x, y in
      (max(0, min(box.x + x, width - 1)), max(0, min(box.y + y, height - 1)))
    }
  }

  @inline(__always)
  func mapped(bands newBands: Int? = nil, _ change: (ArraySlice<UInt8>) -> [UInt8]) -> Raster {
    var mapped: [UInt8] = []
    mapped.reserveCapacity(width * height * (newBands ?? bands))
    for start in stride(from: 0, to: samples.count, by: bands) {
      mapped += change(samples[start..<start + bands])
    }
    return Raster(width: width, height: height, bands: newBands ?? bands, samples: mapped)
  }

  /// Returns the raster with all samples except alpha changed.
  @inline(__always)
  func mappingColours(_ change: (UInt8) -> UInt8) -> Raster {
    var mapped = self
    for start in stride(from: 0, to: samples.count, by: bands) {
      for place in start..<start + colourBands { mapped.samples[place] = change(samples[place]) }
    }
    return mapped
  }
}
