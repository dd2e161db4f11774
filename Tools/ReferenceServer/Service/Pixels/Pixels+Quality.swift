import ZoomPipeline

extension Pixels {
  /// Returns the pixels in a quality (4.4).
  func coloured(_ quality: Quality) -> Pixels {
    switch quality {
    case .default, .color: self
    case .gray: grey()
    case .bitonal: grey().mappingColours { $0 < 128 ? 0 : 255 }
    }
  }

  /// Returns the pixels in grey, by the weights of BT.601; the specification prescribes none.
  func grey() -> Pixels { weighed(299, 587, 114) }

  /// Returns the pixels in grey, by weights in thousandths.
  func weighed(_ red: Int, _ green: Int, _ blue: Int) -> Pixels {
    guard isColour else { return self }
    return mapped(bands: bands - 2) { pixel in
      let colours = pixel.prefix(3).map { Int($0) }
      let sum = red * colours[0] + green * colours[1] + blue * colours[2]
      return [UInt8((sum + 500) / 1000)] + pixel.dropFirst(3)
    }
  }
}
