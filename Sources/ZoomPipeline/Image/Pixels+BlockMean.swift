internal import ZoomGeometry

extension Pixels {
  /// Returns the mean of each block of pixels, band by band.
  ///
  /// Blocks are counted from the top left; those at the right and the bottom average what there is of
  /// them. Means of whole numbers are rounded to the nearest, halves upwards; complex numbers are
  /// averaged part by part.
  /// - Parameter reduction: the blocks' sides in pixels.
  /// - Returns: pixels of the same format, one for each block.
  public func reduced(by reduction: Reduction) -> Pixels {
    if reduction == .none { return self }
    let side = reduction.rawValue
    let means =
      switch format {
      case .uint8: blockMeans(side, UInt8.self, bands)
      case .int8: blockMeans(side, Int8.self, bands)
      case .uint16: blockMeans(side, UInt16.self, bands)
      case .int16: blockMeans(side, Int16.self, bands)
      case .uint32: blockMeans(side, UInt32.self, bands)
      case .int32: blockMeans(side, Int32.self, bands)
      case .float32: blockMeans(side, Float.self, bands)
      case .float64: blockMeans(side, Double.self, bands)
      case .complex64: blockMeans(side, Float.self, bands * 2)
      case .complex128: blockMeans(side, Double.self, bands * 2)
      }
    return Pixels(
      size: size.reduced(by: reduction), bands: bands, format: format,
      interpretation: interpretation, bytes: means)
  }

  /// Sums rows first, which the compiler makes vector instructions of, then columns.
  private func blockMeans<Sample: BlockSample>(
    _ side: Int, _: Sample.Type, _ channels: Int
  ) -> [UInt8] {
    let rowLength = size.width * channels
    let (columns, rows) = ((size.width + side - 1) / side, (size.height + side - 1) / side)
    let byteCount = columns * rows * channels * MemoryLayout<Sample>.stride
    var sums = [Sample.Sum](repeating: Sample.emptySum, count: rowLength)
    return unsafe [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, initialized in
      unsafe bytes.withUnsafeBytes { source in
        unsafe sums.withUnsafeMutableBufferPointer { sums in
          guard var target = UnsafeMutableRawPointer(buffer.baseAddress),
            let source = source.baseAddress
          else { return }
          for row in 0..<rows {
            let band = row * side..<min(row * side + side, size.height)
            unsafe Self.sum(Sample.self, band, of: source, into: sums)
            for column in 0..<columns {
              let across = column * side..<min(column * side + side, size.width)
              let block = BlockCount(band.count * across.count)
              for channel in 0..<channels {
                var sum = Sample.emptySum
                for x in across { sum = unsafe Sample.add(sum, sums[x * channels + channel]) }
                unsafe target.storeBytes(of: Sample.mean(of: sum, over: block), as: Sample.self)
                unsafe target += MemoryLayout<Sample>.stride
              }
            }
          }
        }
      }
      initialized = byteCount
    }
  }

  /// Sums some rows, sample by sample; as many sums as a row has samples.
  @inline(__always)
  private static func sum<Sample: BlockSample>(
    _: Sample.Type, _ rows: Range<Int>, of source: UnsafeRawPointer,
    into sums: UnsafeMutableBufferPointer<Sample.Sum>
  ) {
    let stride = MemoryLayout<Sample>.stride
    unsafe sums.update(repeating: Sample.emptySum)
    for row in rows {
      let start = unsafe source + row * sums.count * stride
      for place in sums.indices {
        let sample = unsafe start.loadUnaligned(fromByteOffset: place * stride, as: Sample.self)
        unsafe sums[place] = unsafe Sample.add(sums[place], Sample.term(sample))
      }
    }
  }
}
