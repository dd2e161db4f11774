internal import ZoomGeometry

extension PeekSubject {
  /// The subject with other inputs than it is given.
  func changingInput(_ change: @escaping @Sendable (inout PeekInput) -> Void) -> PeekSubject {
    PeekSubject(name: name, takesScale: takesScale) { input in
      var input = input
      change(&input)
      return try peek(input)
    }
  }

  /// The subject with other answers than it gives.
  func changingAnswer(
    _ change: @escaping @Sendable (PeekInput, inout PeekAnswer) throws -> Void
  ) -> PeekSubject {
    PeekSubject(name: name, takesScale: takesScale) { input in
      guard var answer = try peek(input) else { return nil }
      try change(input, &answer)
      return answer
    }
  }

  /// The subject with other crops, which all else in the answer follows.
  func changingCrop(
    _ change: @escaping @Sendable (PeekInput, inout PictureRect) -> Void
  ) -> PeekSubject {
    changingAnswer { input, answer in
      var crop = answer.crop
      change(input, &crop)
      if crop != answer.crop { answer = try PeekAnswer(following: crop, in: input) }
    }
  }

  /// The subject with another integer region.
  func changingRegion(
    _ change: @escaping @Sendable (PeekInput, PeekAnswer, inout RegionSides) -> Void
  ) -> PeekSubject {
    changingAnswer { input, answer in
      guard let region = answer.region else { return }
      var sides = RegionSides(
        x: region.x, y: region.y, width: region.width, height: region.height)
      change(input, answer, &sides)
      answer.region = try PixelRegion(
        x: sides.x, y: sides.y, width: max(1, sides.width), height: max(1, sides.height))
    }
  }
}

/// The four numbers of a region, to be changed at will.
struct RegionSides {
  var x, y, width, height: Int
}

extension PeekAnswer {
  /// The answer that goes with a crop, right or wrong, so that a fault in one place is no
  /// contradiction in another.
  fileprivate init(following crop: PictureRect, in input: PeekInput) throws {
    let axes = input.axes
    let (width, height) = (axes.across.side, axes.down.side)
    let (x, columns) = Self.whole(crop.x, crop.width, of: width)
    let (y, rows) = Self.whole(crop.y, crop.height, of: height)
    self.init(
      crop: crop,
      region: try PixelRegion(x: x, y: y, width: columns, height: rows),
      frame: ViewRect(
        x: axes.across.point(of: crop.x), y: axes.down.point(of: crop.y),
        width: crop.width * axes.scale, height: crop.height * axes.scale),
      contentsRect: UnitRect(
        x: crop.x / width, y: crop.y / height, width: crop.width / width,
        height: crop.height / height),
      size: ViewSize(width: crop.width / input.scale, height: crop.height / input.scale))
  }

  /// A stretch of a crop in whole pixels, kept inside the picture if the crop is.
  private static func whole(
    _ start: Double, _ length: Double, of side: Double
  ) -> (start: Int, length: Int) {
    let limit = Double(PixelSize.maximumSide)
    let columns = length.rounded(.toNearestOrAwayFromZero).clamped(to: 1...limit)
    let nearest = (start + 0.5).rounded(.down).clamped(to: -limit...limit)
    let isInside = start >= 0 && start + length <= side
    return (Int(isInside ? min(nearest, side - columns) : nearest), Int(columns))
  }
}
