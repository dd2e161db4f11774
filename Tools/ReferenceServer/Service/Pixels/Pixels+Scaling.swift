import ZoomPipeline

extension Pixels {
  /// Returns the picture scaled to a size, with the outer edges aligned.
  ///
  /// Box filter when reducing, linear interpolation when enlarging; integers, rounded once at the end.
  func scaled(to target: Extent) -> Pixels {
    guard target != extent else { return self }
    let across = AxisWeights(from: width, to: target.width)
    let down = AxisWeights(from: height, to: target.height)
    let weighted = hasAlpha ? premultiplied() : bytes.map(Int.init)
    let rows = across.sums(of: weighted, lines: height, bands: bands)
    let total = across.total * down.total
    var scaled = [UInt8](repeating: 0, count: target.area * bands)
    var sums = [Int](repeating: 0, count: target.width * bands)
    for row in 0..<target.height {
      for place in sums.indices { sums[place] = 0 }
      for (index, part) in down.parts[row].enumerated() {
        let start = (down.starts[row] + index) * sums.count
        for place in sums.indices { sums[place] += part * rows[start + place] }
      }
      let start = row * sums.count
      for pixel in 0..<target.width {
        let alpha = hasAlpha ? sums[(pixel + 1) * bands - 1] : total
        guard alpha > 0 else { continue }
        for place in pixel * bands..<pixel * bands + colourBands {
          scaled[start + place] = UInt8((sums[place] + alpha / 2) / alpha)
        }
        if hasAlpha { scaled[start + (pixel + 1) * bands - 1] = UInt8((alpha + total / 2) / total) }
      }
    }
    return Pixels(target, bands: bands, scaled)
  }

  private func premultiplied() -> [Int] {
    var products = bytes.map(Int.init)
    for start in stride(from: 0, to: products.count, by: bands) {
      for place in start..<start + colourBands { products[place] *= products[start + bands - 1] }
    }
    return products
  }

  /// Returns the picture shifted by fractions of a pixel, with linear interpolation and repeated edge pixels.
  func shifted(x: Double, y: Double) -> Pixels {
    let (left, top) = (Int(x.rounded(.down)), Int(y.rounded(.down)))
    let (beside, below) = (x - Double(left), y - Double(top))
    func samples(_ x: Int, _ y: Int) -> [UInt8] {
      cropped(Box(x: x, y: y, width: width, height: height)).bytes
    }
    let (upperLeft, upperRight) = (samples(left, top), samples(left + 1, top))
    let (lowerLeft, lowerRight) = (samples(left, top + 1), samples(left + 1, top + 1))
    let shifted = bytes.indices.map { place -> UInt8 in
      let upper = Double(upperLeft[place]) * (1 - beside) + Double(upperRight[place]) * beside
      let lower = Double(lowerLeft[place]) * (1 - beside) + Double(lowerRight[place]) * beside
      return UInt8(upper * (1 - below) + lower * below + 0.5)
    }
    return Pixels(extent, bands: bands, shifted)
  }
}

/// The weights of the source pixels for each pixel of a scaled line.
private struct AxisWeights {
  /// The first source pixel for each pixel of the result.
  private(set) var starts: [Int] = []
  private(set) var parts: [[Int]] = []
  /// The sum of the weights of each pixel.
  let total: Int

  init(from source: Int, to target: Int) {
    if target <= source {
      // In units of 1/target: a source pixel is `target` long, and a pixel of the result `source`.
      total = source
      for pixel in 0..<target {
        let (start, end) = (pixel * source, (pixel + 1) * source)
        let covered = start / target...(end - 1) / target
        starts.append(covered.lowerBound)
        parts.append(covered.map { min(end, ($0 + 1) * target) - max(start, $0 * target) })
      }
    } else {
      total = 2 * target
      for pixel in 0..<target {
        // The centre of the result's pixel, in units of 1/total after the centre of the first source pixel.
        let place = max(0, (2 * pixel + 1) * source - target)
        let (first, beyond) = (place / total, place % total)
        if first >= source - 1 {
          starts.append(source - 1)
          parts.append([total])
        } else {
          starts.append(first)
          parts.append([total - beyond, beyond])
        }
      }
    }
  }

  func sums(of samples: [Int], lines: Int, bands: Int) -> [Int] {
    var sums = [Int](repeating: 0, count: lines * starts.count * bands)
    let length = lines == 0 ? 0 : samples.count / lines
    var target = 0
    for line in 0..<lines {
      for pixel in starts.indices {
        var source = line * length + starts[pixel] * bands
        for part in parts[pixel] {
          for band in 0..<bands { sums[target + band] += part * samples[source + band] }
          source += bands
        }
        target += bands
      }
    }
    return sums
  }
}
