import ZoomGeometry
package import ZoomLaws

/// Mistakes in a peek.
package enum PeekFaults {
  package static let all: [SeededFault<PeekSubject>] = crops + outlines + regions + inputs

  typealias Fault = SeededFault<PeekSubject>

  /// A fault that answers another input.
  static func input(
    _ name: String, _ summary: String, origin: String? = nil, equivalence: String? = nil,
    _ change: @escaping @Sendable (inout PeekInput) -> Void
  ) -> Fault {
    Fault(name, summary, origin: origin, equivalence: equivalence, before: \.peek, change)
  }

  /// A fault of what is answered where something is shown.
  static func answer(
    _ name: String, _ summary: String, origin: String? = nil, equivalence: String? = nil,
    _ change: @escaping @Sendable (inout PeekAnswer, PeekInput) throws -> Void
  ) -> Fault {
    Fault(name, summary, origin: origin, equivalence: equivalence, in: \.peek) { answer, input in
      guard var changed = answer else { return }
      try change(&changed, input)
      answer = changed
    }
  }

  /// A fault of the crop, which all else in the answer follows.
  static func crop(
    _ name: String, _ summary: String, origin: String? = nil, equivalence: String? = nil,
    _ change: @escaping @Sendable (inout PictureRect, PeekInput) -> Void
  ) -> Fault {
    self.answer(name, summary, origin: origin, equivalence: equivalence) { answer, input in
      var crop = answer.crop
      change(&crop, input)
      if crop != answer.crop { answer = try PeekAnswer(following: crop, in: input) }
    }
  }

  /// A fault of the integer region.
  static func region(
    _ name: String, _ summary: String, origin: String? = nil,
    _ change: @escaping @Sendable (inout RegionSides, PeekInput, PeekAnswer) -> Void
  ) -> Fault {
    self.answer(name, summary, origin: origin) { answer, input in
      guard let region = answer.region else { return }
      var sides = RegionSides(
        x: region.x, y: region.y, width: region.width, height: region.height)
      change(&sides, input, answer)
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
