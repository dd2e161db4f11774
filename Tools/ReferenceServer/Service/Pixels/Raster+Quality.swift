extension Raster {
  /// Returns the raster in a quality (4.4).
  func coloured(_ quality: Quality) -> Raster {
    switch quality {
    case .default, .color: self
    case .gray: grey()
    case .bitonal: grey().mappingColours { $0 < 128 ? 0 : 255 }
    }
  }

  /// Returns the raster in grey, by the weights of BT.601; the specification prescribes none.
  func grey() -> Raster {
    guard isColour else { return self }
    return weighed(299, 587, 114)
  }

  /// Returns the raster in grey, by weights in thousandths.
  func weighed(_ red: Int, _ green: Int, _ blue: Int) -> Raster {
    guard isColour else { return self }
    var grey: [UInt8] = []
    grey.reserveCapacity(size.area * (bands - 2))
    for start in stride(from: 0, to: samples.count, by: bands) {
      let sum =
        red * Int(samples[start]) + green * Int(samples[start + 1]) + blue * Int(samples[start + 2])
      grey.append(UInt8((sum + 500) / 1000))
      if hasAlpha { grey.append(samples[start + 3]) }
    }
    return Raster(width: width, height: height, bands: bands - 2, samples: grey)
  }
}
