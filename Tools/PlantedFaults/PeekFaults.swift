import Synchronization
import ZoomGeometry
package import ZoomLaws

package enum PeekFaults {
  package static let all: [SeededFault<PeekSubject>] = crops + regions + others

  private typealias Fault = SeededFault<PeekSubject>

  private static let crops: [Fault] = [
    crop("The crop ends below the bottom edge for a touch near it.") { crop, input in
      crop.y = max(crop.y, input.freeOrigin(crop).y)
    },
    crop(
      "Half the crop is subtracted as a fraction of the width on both axes.",
      origin: "FlexMonkey/ForceZoom FZ-B1"
    ) { crop, input in
      let (width, height) = (Double(input.pictureWidth), Double(input.pictureHeight))
      crop.y = (input.touchedPixel.y - crop.width / 2 * height / width).clamped(
        to: 0...max(0, height - crop.height))
    },
    crop(
      "A crop at the left or right edge moves to the middle height.",
      origin: "darktable-org/darktable#21040"
    ) { crop, input in
      guard crop.x != input.freeOrigin(crop).x else { return }
      crop.y = (Double(input.pictureHeight) - crop.height) / 2
    },
    crop("The crop begins half a pixel too far right, if possible.", origin: "libvips/libvips#703")
    { crop, input in
      crop.x = min(crop.x + 0.5, max(crop.x, Double(input.pictureWidth) - crop.width))
    },
    crop("The crop begins at a whole point of the screen.", origin: "klokantech/iiifserver#21") {
      crop, input in
      let axis = input.axes.across
      crop.x = axis.pixel(at: axis.point(of: crop.x).rounded()).clamped(
        to: 0...max(0, axis.side - crop.width))
    },
    crop("In a picture over 20 times as wide as high the crop begins a pixel early.") {
      crop, input in if input.pictureWidth > 20 * input.pictureHeight, crop.x >= 1 { crop.x -= 1 }
    },
    crop("In viewports over 2,048 points wide the crop has whole pixels.") { crop, input in
      if input.viewport.width > 2048 { crop.x = crop.x.rounded(.down) }
    },
    Fault("If a touch moves less than 20 points, the crop moves 1.5 times as far as it should.") {
      faulty, sound in
      let last = Mutex<(input: PeekInput, crop: PictureRect)?>(nil)
      faulty.peek = { input in
        guard var answer = try sound.peek(input) else { return nil }
        let before = last.withLock { last in
          defer { last = (input, answer.crop) }
          return last
        }
        guard var moved = before?.input, let crop = before?.crop else { return answer }
        let way = input.touch.x - moved.touch.x
        moved.touch = input.touch
        if moved == input, abs(way) < 20 { answer.crop.x += (answer.crop.x - crop.x) / 2 }
        return answer
      }
    },
  ]

  private static let regions: [Fault] = [
    region(
      "The region's length rounds halves to even instead of up.",
      origin: "cantaloupe-project/cantaloupe#418"
    ) { region, _, crop in region.width = Int(crop.width.rounded(.toNearestOrEven)) },
    region("The region begins at the next whole pixel.", origin: "openseadragon/openseadragon#2321")
    { region, input, crop in
      region.x = min(Int(crop.x.rounded(.up)), input.pictureWidth - region.width)
    },
    region("The region's length is rounded up.", origin: "openseadragon/openseadragon#2701") {
      region, input, crop in
      region.height = Int(crop.height.rounded(.up))
      region.y = min(region.y, input.pictureHeight - region.height)
    },
    region(
      "The region's length is rounded down and leaves a strip.",
      origin: "cantaloupe-project/cantaloupe#80"
    ) { region, _, crop in region.width = Int(crop.width.rounded(.down)) },
    region(
      "The region's width and height are swapped, which a square does not show.",
      origin: "IIIF/image-validator#25"
    ) { region, _, _ in (region.width, region.height) = (region.height, region.width) },
    region("A region at the right edge lacks a column.", origin: "ruven/iipsrv#283") {
      region, input, _ in if region.x + region.width == input.pictureWidth { region.width -= 1 }
    },
    region("A region at the bottom edge begins a row too early.", origin: "libvips/libvips#131") {
      region, input, _ in
      if region.y + region.height == input.pictureHeight, region.y > 0 { region.y -= 1 }
    },
    region("Only one of two columns is decoded.", origin: "libvips/libvips#4864") { region, _, _ in
      if region.width == 2 { region.width = 1 }
    },
  ]

  private static let others: [Fault] = [
    answer(
      "The frame is centred on the touch, even at the borders.",
      origin: "FlexMonkey/ForceZoom FZ-B5"
    ) { answer, input in
      answer.frame.x = input.touch.x - answer.frame.width / 2
      answer.frame.y = input.touch.y - answer.frame.height / 2
    },
    answer(
      "The frame in a picture narrower than the peek is as wide as the whole peek, not as the crop.",
      origin: "FlexMonkey/ForceZoom FZ-B6"
    ) { answer, input in
      answer.frame.width = max(answer.frame.width, input.wantedLength * input.axes.scale)
    },
    input(
      "A touch beside the picture counts as one at the opposite edge.",
      origin: "Theta-Limited/OpenAthenaAndroid#128"
    ) { input in
      guard input.isSound else { return }
      let (touch, axes) = (input.touch, input.axes)
      input.touch = ViewPoint(x: axes.across.opposite(touch.x), y: axes.down.opposite(touch.y))
    },
    input("The peek's side is the viewport's longer side.", origin: "FlexMonkey/ForceZoom FZ-B4") {
      input in
      guard input.isSound else { return }
      input.side = input.side ?? max(input.viewport.width, input.viewport.height)
    },
    input(
      "A touch beside the picture always shows the nearest crop.",
      origin: "FlexMonkey/ForceZoom FZ-B3"
    ) { $0.letterbox = .clamp },
    Fault("Invalid input is answered with NaN.", origin: "FlexMonkey/ForceZoom FZ-B7") {
      faulty, sound in
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
  ]

  private static func input(
    _ summary: String, origin: String, _ change: @escaping @Sendable (inout PeekInput) -> Void
  ) -> Fault {
    Fault(summary, origin: origin) { faulty, sound in
      faulty.peek = { input in
        var input = input
        change(&input)
        return try sound.peek(input)
      }
    }
  }

  private static func answer(
    _ summary: String, origin: String? = nil,
    _ change: @escaping @Sendable (inout PeekAnswer, PeekInput) throws -> Void
  ) -> Fault {
    Fault(summary, origin: origin, in: \.peek) { answer, input in
      guard var changed = answer else { return }
      try change(&changed, input)
      answer = changed
    }
  }

  private static func crop(
    _ summary: String, origin: String? = nil,
    _ change: @escaping @Sendable (inout PictureRect, PeekInput) -> Void
  ) -> Fault {
    answer(summary, origin: origin) { answer, input in
      var crop = answer.crop
      change(&crop, input)
      if crop != answer.crop { answer = try PeekAnswer(following: crop, in: input) }
    }
  }

  private struct Sides { var x, y, width, height: Int }

  private static func region(
    _ summary: String, origin: String,
    _ change: @escaping @Sendable (inout Sides, PeekInput, PictureRect) -> Void
  ) -> Fault {
    answer(summary, origin: origin) { answer, input in
      guard let region = answer.region else { return }
      var sides = Sides(x: region.x, y: region.y, width: region.width, height: region.height)
      change(&sides, input, answer.crop)
      answer.region = try PixelRegion(
        x: sides.x, y: sides.y, width: max(1, sides.width), height: max(1, sides.height))
    }
  }
}

extension PeekAnswer {
  /// Creates an answer that is consistent with its crop, so that a wrong crop does not also contradict the rest.
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

  /// Returns one axis of a crop in whole pixels; the result is inside the picture if the crop is.
  private static func whole(_ start: Double, _ length: Double, of side: Double) -> (
    start: Int, length: Int
  ) {
    let limit = Double(PixelSize.maximumSide)
    let columns = length.rounded(.toNearestOrAwayFromZero).clamped(to: 1...limit)
    let nearest = (start + 0.5).rounded(.down).clamped(to: -limit...limit)
    let isInside = start >= 0 && start + length <= side
    return (Int(isInside ? min(nearest, side - columns) : nearest), Int(columns))
  }
}

extension FitAxis<Double> {
  /// Returns the far end of the picture for a point beside it; other points stay unchanged.
  fileprivate func opposite(_ point: Double) -> Double {
    point < start ? end : point > end ? start : point
  }
}

extension PeekInput {
  fileprivate var isSound: Bool {
    pictureWidth > 0 && pictureHeight > 0 && viewport.width > 0 && viewport.height > 0
      && viewport.width.isFinite && viewport.height.isFinite && touch.x.isFinite && touch.y.isFinite
  }

  /// Returns the unclamped origin of a crop that is centred on the touched pixel.
  fileprivate func freeOrigin(_ crop: PictureRect) -> PicturePoint {
    PicturePoint(x: touchedPixel.x - crop.width / 2, y: touchedPixel.y - crop.height / 2)
  }
}
