import Foundation
import ZoomGeometry
import ZoomPipeline

/// Faults of the pixels of scaled answers.
extension ServerFaults {
  static let scaling: [Fault] = [
    reduced("reduced-half-pixel", "A reduced answer is drawn from corners, not from middles.") {
      raster, plan, sound in
      let (x, y) = plan.ratio
      return sound.scale(raster.shifted(x: (1 - 1 / x) / 2, y: (1 - 1 / y) / 2), plan)
    }.marked(from: "libvips#703"),
    scaled("enlarged-half-pixel", "An enlarged answer is drawn from corners, not from middles.") {
      raster, plan, sound in
      let (x, y) = plan.ratio
      let scaled = sound.scale(raster, plan)
      return plan.isEnlarged ? scaled.shifted(x: (1 - x) / 2, y: (1 - y) / 2) : scaled
    }.marked(from: "sharp#452"),
    reduced("reduced-one-pixel", "A reduced answer is a pixel further left.") {
      raster, plan, sound in sound.scale(raster, plan).shifted(x: 1, y: 0)
    }.marked(from: "libvips#4841"),
    reduced(
      "reduced-right-cut", "A reduced answer lacks a thirtieth of the region at the right."
    ) { raster, plan, _ in
      let width = max(1, raster.width - (raster.width + 29) / 30)
      return raster.cropped(Box(x: 0, y: 0, width: width, height: raster.height))
        .scaled(to: plan.size)
    }.marked(from: "iipsrv#283"),
    reduced(
      "reduced-bottom-cut", "A reduced answer is scaled by a whole ratio and lacks the rest."
    ) { raster, plan, sound in
      let (across, down) = (raster.width / plan.size.width, raster.height / plan.size.height)
      guard across >= 1, down >= 1 else { return sound.scale(raster, plan) }
      let part = Box(x: 0, y: 0, width: across * plan.size.width, height: down * plan.size.height)
      return raster.cropped(part).scaled(to: plan.size)
    }.marked(from: "Cantaloupe#80"),
    blackened("reduced-last-row-black", "The last row of a reduced answer is black at odd heights.")
    { raster, _, y in
      raster.height % 2 == 1 && raster.height > 1 && y == raster.height - 1
    },
    blackened(
      "reduced-last-column-black", "The last column of a reduced answer is black at odd widths."
    ) { raster, x, _ in raster.width % 2 == 1 && raster.width > 1 && x == raster.width - 1 },
    blackened("reduced-black-foot", "The last four rows of a large reduced answer are black.") {
      raster, _, y in raster.height > 24 && y >= raster.height - 4
    },
    reduced(
      "reduced-rows-sheared",
      "Each row of a cut and reduced region begins further right, unless 4 divides the width."
    ) { raster, plan, sound in
      let scaled = sound.scale(raster, plan)
      guard plan.box.size != plan.picture, plan.box.width % 4 != 0 else { return scaled }
      let last = scaled.size.area - 1
      return scaled.gathered(scaled.extent) { x, y in
        let place = min(y * (scaled.width + 1) + x, last)
        return (place % scaled.width, place / scaled.width)
      }
    }.marked(from: "libvips#4320"),
    Fault("two-pixels-lose-one", .size, "Of two rows or columns of a region only the first counts.")
    { faulty, sound in
      faulty.crop = { source, plan in
        let part = sound.crop(source, plan)
        guard part.width == 2 || part.height == 2, plan.size != plan.box.size else { return part }
        return part.gathered(part.extent) { x, y in
          (part.width == 2 ? 0 : x, part.height == 2 ? 0 : y)
        }
      }
    }.marked(from: "libvips#4864"),
    changed("reduced-darker", "A reduced answer is darker by a fiftieth.") { $0 * 0.98 },
    changed("reduced-gamma", "A reduced answer is brightened by a gamma.") {
      pow($0 / 255, 0.85) * 255 + 0.5
    },
    changed("reduced-overflow", "Where a reduced answer is nearly white, a sum overflows.") {
      $0 > 240 ? $0 - 240 : $0
    },
    reduced("exact-not-scaled", "`w,h` is cut from the region's corner, not scaled.") {
      raster, plan, sound in
      guard case .exact = plan.request.size.kind else { return sound.scale(raster, plan) }
      return raster.cropped(Box(whole: plan.size))
    },
    reduced(
      "level-tiles-misjoined",
      "A reduced answer of more than 32 rows repeats a row where two strips meet."
    ) { raster, plan, sound in
      let scaled = sound.scale(raster, plan)
      return scaled.gathered(scaled.extent) { x, y in (x, y < 32 ? y : y - 1) }
    },
    scaled("nearest-neighbour", "Scaling takes the nearest pixel.") { raster, plan, _ in
      raster.nearest(plan.size)
    }.marked(.open, from: "specification 1.1"),
    reduced(
      "reduced-by-powers",
      "The reduced level of a power of two is taken, then the nearest of its pixels."
    ) { raster, plan, sound in
      guard plan.levelFactor > 1 else { return sound.scale(raster, plan) }
      let level = raster.scaled(
        to: Extent(
          width: LengthRounding.up.quotient(raster.width, plan.levelFactor),
          height: LengthRounding.up.quotient(raster.height, plan.levelFactor)))
      return level.nearest(plan.size)
    }.marked(.open, from: "specification 1.1"),
  ]

  private static func scaled(_ name: String, _ summary: String, _ scale: @escaping Drawing) -> Fault
  {
    Fault(name, .size, summary) { faulty, sound in
      faulty.scale = { raster, plan in scale(raster, plan, sound) }
    }
  }

  /// Creates a fault of reduced answers.
  private static func reduced(
    _ name: String, _ summary: String, _ scale: @escaping Drawing
  ) -> Fault {
    scaled(name, summary) { raster, plan, sound in
      plan.isReduced ? scale(raster, plan, sound) : sound.scale(raster, plan)
    }
  }

  /// Creates a fault that blackens some pixels of reduced answers.
  private static func blackened(
    _ name: String, _ summary: String, _ isBlack: @escaping @Sendable (Pixels, Int, Int) -> Bool
  ) -> Fault {
    reduced(name, summary) { raster, plan, sound in
      let scaled = sound.scale(raster, plan)
      return scaled.gathered(scaled.extent) { x, y in isBlack(scaled, x, y) ? nil : (x, y) }
    }.marked(from: "libvips#131")
  }

  /// Creates a fault that changes the colours of reduced answers.
  private static func changed(
    _ name: String, _ summary: String, _ change: @escaping @Sendable (Double) -> Double
  ) -> Fault {
    reduced(name, summary) { raster, plan, sound in
      sound.scale(raster, plan).mappingColours { UInt8(max(0, min(255, change(Double($0))))) }
    }
  }
}

extension Pixels {
  fileprivate func nearest(_ target: Extent) -> Pixels {
    gathered(target) { x, y in
      ((2 * x + 1) * width / (2 * target.width), (2 * y + 1) * height / (2 * target.height))
    }
  }
}

extension Plan {
  /// The answer's sides divided by the region's.
  fileprivate var ratio: (x: Double, y: Double) {
    (Double(size.width) / Double(box.width), Double(size.height) / Double(box.height))
  }
}
