import PixelLaws
import ZoomLaws
import ZoomGeometry
import ZoomPipeline

extension FaultyPipeline.FaultyRead {
  /// Returns the correct answer.
  func soundly() throws(PipelineError) -> RegionAnswer { try source.read(request) }

  /// Returns the answer for a region at another place, which is moved into the picture.
  ///
  /// A region larger than the picture is cut to its size.
  func reading(_ x: Int, _ y: Int, of size: PixelSize) throws(PipelineError) -> RegionAnswer {
    // An invalid request is refused as usual.
    try request.check(pictureSize: source.size, file: path)
    let picture = source.size
    let (width, height) = (min(size.width, picture.width), min(size.height, picture.height))
    let region = PixelRegion.checked(
      min(max(x, 0), picture.width - width), min(max(y, 0), picture.height - height), width, height)
    let answer = try source.read(RegionRequest(region))
    let pixels = answer.pixels.reduced(by: request.reduction).turned(by: request.turn)
    var work = answer.work
    work.pixelsDelivered = pixels.size.area
    return RegionAnswer(
      pixels: pixels, work: work, resampling: request.reduction == .none ? .none : .blockMean)
  }
}

extension RegionAnswer {
  /// Returns the answer with other pixels.
  func with(_ pixels: Pixels) -> RegionAnswer {
    RegionAnswer(pixels: pixels, work: work, resampling: resampling)
  }
}

extension FaultyPipeline.Mistake {
  /// Returns a mistake that moves the region, as far as the picture allows.
  static func moving(
    _ place: @escaping @Sendable (RegionRequest, PixelSize) -> (x: Int, y: Int)
  ) -> Self {
    Self { reading throws(PipelineError) in
      let (x, y) = place(reading.request, reading.source.size)
      let region = reading.request.region
      if x == region.x && y == region.y { return try reading.soundly() }
      return try reading.reading(x, y, of: region.size)
    }
  }

  /// Returns a mistake that changes the correct answer.
  static func answering(
    _ change:
      @escaping @Sendable (RegionAnswer, FaultyPipeline.FaultyRead) throws(PipelineError) ->
      RegionAnswer
  ) -> Self { Self { reading throws(PipelineError) in try change(try reading.soundly(), reading) } }

  /// Returns a mistake that changes the correct pixels.
  static func altering(_ change: @escaping @Sendable (Pixels, RegionRequest) -> Pixels) -> Self {
    .answering { answer, reading in answer.with(change(answer.pixels, reading.request)) }
  }

  /// Returns a mistake that changes every sample; see `Pixels.mappingSamples`.
  static func sampling(
    _ change:
      @escaping @Sendable (_ sample: Int, _ x: Int, _ y: Int, _ band: Int, _ most: Int) -> Int
  ) -> Self { .altering { pixels, _ in pixels.mappingSamples(change) } }

  /// Returns a mistake that changes only the reported work.
  static func miscounting(
    _ change: @escaping @Sendable (inout Work, FaultyPipeline.FaultyRead) -> Void
  ) -> Self {
    .answering { answer, reading in
      var work = answer.work
      change(&work, reading)
      return RegionAnswer(pixels: answer.pixels, work: work, resampling: answer.resampling)
    }
  }

  /// Returns a mistake that answers invalid requests instead of refusing them.
  static func onRefusal(
    _ deal: @escaping @Sendable (FaultyPipeline.FaultyRead) throws(PipelineError) -> RegionAnswer
  ) -> Self {
    Self { reading throws(PipelineError) in
      do { try reading.request.check(pictureSize: reading.source.size, file: reading.path) } catch {
        return try deal(reading)
      }
      return try reading.soundly()
    }
  }
}

extension Pixels {
  /// Returns the pixels with every sample changed: 8 or 16 bit unsigned; other formats are returned unchanged.
  func mappingSamples(
    _ change: (_ sample: Int, _ x: Int, _ y: Int, _ band: Int, _ most: Int) -> Int
  ) -> Pixels {
    guard format == .uint8 || format == .uint16 else { return self }
    var changed = bytes
    changed.withUnsafeMutableBytes { buffer in
      for place in 0..<size.area * bands {
        let (pixel, band) = place.quotientAndRemainder(dividingBy: bands)
        let (y, x) = pixel.quotientAndRemainder(dividingBy: size.width)
        if format == .uint8 {
          buffer[place] = UInt8(clamping: change(Int(buffer[place]), x, y, band, 255))
        } else {
          let sample = buffer.loadUnaligned(fromByteOffset: place * 2, as: UInt16.self)
          buffer.storeBytes(
            of: UInt16(clamping: change(Int(sample), x, y, band, 65_535)),
            toByteOffset: place * 2, as: UInt16.self)
        }
      }
    }
    return with(size, changed)
  }

  /// Returns the pixels rearranged; places beyond the edges read the edge pixels.
  func fetching(_ place: (_ x: Int, _ y: Int) -> (x: Int, y: Int)) -> Pixels {
    rearranged(size) { x, y in
      let from = place(x, y)
      return (min(max(from.x, 0), size.width - 1), min(max(from.y, 0), size.height - 1))
    }
  }

  /// Returns the mean of every pixel and the pixel at an offset, which shifts the picture by half of the offset.
  func averaging(dx: Int, dy: Int) -> Pixels {
    let moved = fetching { x, y in (x + dx, y + dy) }
    let other = moved.samples
    return mappingSamples { sample, x, y, band, _ in (sample + other[place(x, y, band)] + 1) / 2 }
  }

  /// Returns the index of a sample.
  func place(_ x: Int, _ y: Int, _ band: Int) -> Int { (y * size.width + x) * bands + band }

  /// The samples; zeroes for formats other than 8 and 16 bit unsigned.
  var samples: [Int] {
    var all = [Int](repeating: 0, count: size.area * bands)
    _ = mappingSamples { sample, x, y, band, _ in
      all[place(x, y, band)] = sample
      return sample
    }
    return all
  }

  /// Returns the top left part of the pixels; the size must not exceed theirs.
  func cropped(_ width: Int, _ height: Int) -> Pixels {
    cut(.checked(0, 0, max(width, 1), max(height, 1)))
  }
}
