import ZoomGeometry
package import ZoomLaws

/// Faults of a peek.
package enum PeekFaults {
  package static let all: [SeededFault<PeekSubject>] = crops + outlines + regions + inputs

  typealias Fault = SeededFault<PeekSubject>

  /// Returns a fault that changes the input.
  static func input(
    _ name: String, _ summary: String, origin: String? = nil, equivalence: String? = nil,
    _ change: @escaping @Sendable (inout PeekInput) -> Void
  ) -> Fault {
    Fault(name, summary, origin: origin, equivalence: equivalence, before: \.peek, change)
  }

  /// Returns a fault in an answer that shows something.
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

  /// Returns a fault in the crop; the rest of the answer follows it.
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

  /// Returns a fault in the integer region.
  static func region(
    _ name: String, _ summary: String, origin: String? = nil,
    _ change: @escaping @Sendable (inout RegionSides, PeekInput, PeekAnswer) -> Void
  ) -> Fault {
    self.answer(name, summary, origin: origin) { answer, input in
      guard let region = answer.region else { return }
      var sides = RegionSides(x: region.x, y: region.y, width: region.width, height: region.height)
      change(&sides, input, answer)
      answer.region = try PixelRegion(
        x: sides.x, y: sides.y, width: max(1, sides.width), height: max(1, sides.height))
    }
  }
}

/// The sides of a region, without validation.
struct RegionSides { var x, y, width, height: Int }

extension PeekAnswer {
  /// Creates the consistent answer for a crop, right or wrong, so that a single fault is not also a contradiction.
  fileprivate init(following crop: PictureRect, in input: PeekInput) throws {
    let axes = input.axes
    let (width, height) = (axes.across.side, axes.down.side)
    let (x, columns) = Self.whole(crop.x, crop.width, of: width)
    let (y, rows) = Self.whole(crop.y, crop.height, of: height)
    self.init(
      crop: crop, region: try PixelRegion(x: x, y: y, width: columns, height: rows),
      frame: ViewRect(
        x: axes.across.point(of: crop.x), y: axes.down.point(of: crop.y),
        width: crop.width * axes.scale, height: crop.height * axes.scale),
      contentsRect: UnitRect(
        x: crop.x / width, y: crop.y / height, width: crop.width / width,
        height: crop.height / height),
      size: ViewSize(width: crop.width / input.scale, height: crop.height / input.scale))
  }

  /// Returns a side of a crop in whole pixels, which is inside the picture if the crop is.
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

extension PeekFaults {
  static let inputs: [Fault] = [
    input("touch swapped", "The touch's x and y are swapped.") { $0.touch = $0.touch.transposed },
    input("touch upside down", "The touch's y counts from the bottom.") {
      $0.touch.y = $0.viewport.height - $0.touch.y
    },
    input(
      "touch beside at (0, 0)", "A touch beside the picture counts as one in the corner.",
      origin: "OpenAthenaAndroid#128"
    ) { input in
      guard input.isSound, input.isBeside else { return }
      input.touch = ViewPoint(x: 0, y: 0)
    },
    input("letterbox forgotten", "The touch is measured from the viewport's corner.") { input in
      guard input.isSound else { return }
      input.touch.x += input.axes.across.start
      input.touch.y += input.axes.down.start
    },
    input("picture swapped", "The picture's width and height are swapped.") {
      ($0.pictureWidth, $0.pictureHeight) = ($0.pictureHeight, $0.pictureWidth)
    },
    input("width for the height", "The picture counts as square.") {
      $0.pictureHeight = $0.pictureWidth
    },
    input("scale ignored", "The peek shows one pixel per point for every k.") {
      if $0.scale > 0, $0.scale.isFinite { $0.scale = 1 }
    },
    input("scale twice", "The peek shows k squared pixels per point.") {
      $0.scale *= $0.scale.magnitude
    },
    input(
      "longer side", "The peek is as long as the viewport's longer side.",
      origin: "FlexMonkey/ForceZoom FZ-B4"
    ) { input in
      guard input.isSound else { return }
      input.side = input.side ?? max(input.viewport.width, input.viewport.height)
    },
    input("letterbox never rejected", "A touch beside the picture always shows the nearest crop.") {
      $0.letterbox = .clamp
    },
    input("letterbox always rejected", "A touch beside the picture never shows anything.") {
      $0.letterbox = .reject
    },
    Fault(
      "border rejected", "A touch on the right or bottom border counts as beside.", in: \.peek
    ) { answer, input in
      let axes = input.axes
      guard input.letterbox == .reject else { return }
      if input.touch.x >= axes.across.end || input.touch.y >= axes.down.end { answer = nil }
    },
    Fault("NaN passes", "Invalid input is answered with NaN.") { faulty, sound in
      faulty.peek = { input in
        do { return try sound.peek(input) } catch {
          return PeekAnswer(
            crop: PictureRect(x: .nan, y: .nan, width: .nan, height: .nan), region: nil,
            frame: ViewRect(x: .nan, y: .nan, width: .nan, height: .nan),
            contentsRect: UnitRect(x: .nan, y: .nan, width: .nan, height: .nan),
            size: ViewSize(width: .nan, height: .nan))
        }
      }
    },
    input("infinity is the edge", "An infinite touch counts as one at the viewport's end.") {
      input in
      if input.touch.x.isInfinite { input.touch.x = input.touch.x > 0 ? input.viewport.width : 0 }
    },
    Fault("far touches refused", "A touch outside the viewport is refused.", in: \.peek) {
      _, input in if !input.viewport.atOrigin.contains(input.touch) { throw TouchRefused() }
    },
    input(
      "sides compared the other way", "The shorter side is found by comparing height with width.",
      equivalence: "The shorter of two numbers is the same in either order."
    ) { input in
      guard input.isSound else { return }
      input.side = input.side ?? min(input.viewport.height, input.viewport.width)
    },
  ]

  private struct TouchRefused: Error {}
}

extension PeekInput {
  /// Whether the input is valid, so that the place of the picture is defined.
  fileprivate var isSound: Bool {
    pictureWidth > 0 && pictureHeight > 0 && viewport.width > 0 && viewport.height > 0
      && viewport.width.isFinite && viewport.height.isFinite && touch.x.isFinite && touch.y.isFinite
  }

  /// Whether the touch is beside the shown picture.
  fileprivate var isBeside: Bool {
    let axes = axes
    return touch.x < axes.across.start || touch.x > axes.across.end || touch.y < axes.down.start
      || touch.y > axes.down.end
  }
}
