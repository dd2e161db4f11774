import Foundation

/// Faults of the pixels of scaled answers.
extension ServerFaults {
  static let scaling: [Fault] = [
    Fault(
      "reduced-half-pixel", .size, "A reduced answer is drawn from corners, not from middles.",
      "libvips#703"
    ) { faulty, sound in
      faulty.scale = { raster, plan in
        guard plan.isReduced else { return sound.scale(raster, plan) }
        let (x, y) = plan.cornerShift
        return sound.scale(raster.shifted(x: x, y: y), plan)
      }
    },
    Fault(
      "enlarged-half-pixel", .size, "An enlarged answer is drawn from corners, not from middles.",
      "sharp#452"
    ) { faulty, sound in
      faulty.scale = { raster, plan in
        guard plan.isEnlarged else { return sound.scale(raster, plan) }
        let (x, y) = (
          Double(plan.size.width) / Double(plan.box.width),
          Double(plan.size.height) / Double(plan.box.height)
        )
        return sound.scale(raster, plan).shifted(x: (1 - x) / 2, y: (1 - y) / 2)
      }
    },
    Fault(
      "reduced-one-pixel", .size, "A reduced answer is a pixel further left.", "libvips#4841"
    ) { faulty, sound in
      faulty.scale = { raster, plan in
        let scaled = sound.scale(raster, plan)
        return plan.isReduced ? scaled.shifted(x: 1, y: 0) : scaled
      }
    },
    Fault(
      "reduced-right-cut", .size, "A reduced answer lacks a thirtieth of the region at the right.",
      "iipsrv#283"
    ) { faulty, sound in
      faulty.scale = { raster, plan in
        guard plan.isReduced else { return sound.scale(raster, plan) }
        let width = max(1, raster.width - (raster.width + 29) / 30)
        let part = raster.cropped(Box(x: 0, y: 0, width: width, height: raster.height))
        return part.scaled(to: plan.size)
      }
    },
    Fault(
      "reduced-bottom-cut", .size,
      "A reduced answer is scaled by a whole ratio and lacks the rest.",
      "Cantaloupe#80"
    ) { faulty, sound in
      faulty.scale = { raster, plan in
        let (across, down) = (raster.width / plan.size.width, raster.height / plan.size.height)
        guard across >= 1, down >= 1, plan.isReduced else { return sound.scale(raster, plan) }
        let part = Box(
          x: 0, y: 0, width: across * plan.size.width, height: down * plan.size.height)
        return raster.cropped(part).scaled(to: plan.size)
      }
    },
    blackened("reduced-last-row-black", "The last row of a reduced answer is black at odd heights.")
    {
      raster, _, y in raster.height % 2 == 1 && raster.height > 1 && y == raster.height - 1
    },
    blackened(
      "reduced-last-column-black", "The last column of a reduced answer is black at odd widths."
    ) { raster, x, _ in raster.width % 2 == 1 && raster.width > 1 && x == raster.width - 1 },
    blackened("reduced-grey-foot", "The last rows of a large reduced answer were never decoded.") {
      raster, _, y in raster.height > 24 && y >= raster.height - 4
    },
    Fault(
      "reduced-rows-sheared", .size,
      "Of a cut and reduced region each row begins further right, unless the width is divisible by 4.",
      "libvips#4320"
    ) { faulty, sound in
      faulty.scale = { raster, plan in
        let scaled = sound.scale(raster, plan)
        guard plan.isReduced, plan.box.size != plan.picture, plan.box.width % 4 != 0 else {
          return scaled
        }
        let last = scaled.size.area - 1
        return scaled.gathered(width: scaled.width, height: scaled.height) { x, y in
          let place = min(y * (scaled.width + 1) + x, last)
          return (place % scaled.width, place / scaled.width)
        }
      }
    },
    Fault(
      "two-pixels-lose-one", .size, "Of a region with a side of two pixels only the first counts.",
      "libvips#4864"
    ) { faulty, sound in
      faulty.crop = { source, plan in
        let part = sound.crop(source, plan)
        guard part.width == 2 || part.height == 2, plan.size != plan.box.size else { return part }
        return part.gathered(width: part.width, height: part.height) { x, y in
          (part.width == 2 ? 0 : x, part.height == 2 ? 0 : y)
        }
      }
    },
    changed("reduced-darker", "A reduced answer is darker by a fiftieth.") { value in
      UInt8(Double(value) * 0.98)
    },
    changed("reduced-contrast", "A reduced answer has more contrast.") { value in
      UInt8(max(0, min(255, (Double(value) - 128) * 1.12 + 128)))
    },
    changed("reduced-gamma", "A reduced answer is brightened by a gamma.") { value in
      UInt8(pow(Double(value) / 255, 0.85) * 255 + 0.5)
    },
    changed("reduced-overflow", "Where a reduced answer is nearly white, a sum overflows.") {
      value in
      value > 240 ? value - 240 : value
    },
    Fault(
      "exact-not-scaled", .size, "`w,h` is cut from the region's corner, not scaled.",
      "specification 4.2"
    ) { faulty, sound in
      faulty.scale = { raster, plan in
        guard case .exact = plan.request.size.kind, plan.isReduced else {
          return sound.scale(raster, plan)
        }
        return raster.cropped(Box(x: 0, y: 0, width: plan.size.width, height: plan.size.height))
      }
    },
    Fault(
      "scaled-letterboxed", .size, "A distorting `w,h` keeps the proportions between black bars.",
      "specification 4.2"
    ) { faulty, sound in
      faulty.scale = { raster, plan in
        guard case .exact = plan.request.size.kind else { return sound.scale(raster, plan) }
        let inner = raster.size.inside(plan.size)
        let scaled = raster.scaled(to: inner)
        let (left, top) = (
          (plan.size.width - inner.width) / 2, (plan.size.height - inner.height) / 2
        )
        return scaled.gathered(width: plan.size.width, height: plan.size.height) { x, y in
          let (column, row) = (x - left, y - top)
          let isInside = (0..<inner.width).contains(column) && (0..<inner.height).contains(row)
          return isInside ? (column, row) : nil
        }
      }
    },
    Fault(
      "level-tiles-misjoined", .size,
      "A reduced answer of more than 32 rows repeats a row where two strips meet.",
      "specification 4.2"
    ) { faulty, sound in
      faulty.scale = { raster, plan in
        let scaled = sound.scale(raster, plan)
        guard plan.isReduced, scaled.height > 32 else { return scaled }
        return scaled.gathered(width: scaled.width, height: scaled.height) { x, y in
          (x, y < 32 ? y : y - 1)
        }
      }
    },
    Fault(
      "nearest-neighbour", .size, "Scaling takes the nearest pixel.", "specification 1.1", .open
    ) { faulty, _ in faulty.scale = { raster, plan in raster.nearest(plan.size) } },
    Fault(
      "reduced-by-powers", .size,
      "The reduced level of a power of two is taken, then the nearest of its pixels.",
      "specification 1.1", .open
    ) { faulty, sound in
      faulty.scale = { raster, plan in
        guard plan.isReduced, plan.levelFactor > 1 else { return sound.scale(raster, plan) }
        let level = raster.scaled(
          to: Extent(
            width: LengthRounding.up.quotient(raster.width, plan.levelFactor),
            height: LengthRounding.up.quotient(raster.height, plan.levelFactor)))
        return level.nearest(plan.size)
      }
    },
    Fault(
      "scaled-blurred", .size, "A scaled answer is blurred.", "specification 1.1", .open
    ) { faulty, sound in
      faulty.scale = { raster, plan in
        let scaled = sound.scale(raster, plan)
        guard scaled.size != raster.size else { return scaled }
        return scaled.shifted(x: 0.5, y: 0.5).shifted(x: -0.5, y: -0.5)
      }
    },
    Fault(
      "scaled-in-linear-light", .size, "Pixels are averaged as light, not as they are coded.",
      "specification 1.1", .open
    ) { faulty, sound in
      faulty.scale = { raster, plan in
        guard plan.isReduced else { return sound.scale(raster, plan) }
        // Eight bits are coarse for linear light, but suffice for a comparison of colours.
        let light = raster.mappingColours { UInt8(pow(Double($0) / 255, 2.2) * 255 + 0.5) }
        return sound.scale(light, plan)
          .mappingColours { UInt8(pow(Double($0) / 255, 1 / 2.2) * 255 + 0.5) }
      }
    },
  ]

  /// Creates a fault that blackens some pixels of reduced answers.
  private static func blackened(
    _ name: String, _ summary: String, _ isBlack: @escaping @Sendable (Raster, Int, Int) -> Bool
  ) -> Fault {
    Fault(name, .size, summary, "libvips#131") { faulty, sound in
      faulty.scale = { raster, plan in
        let scaled = sound.scale(raster, plan)
        guard plan.isReduced else { return scaled }
        return scaled.gathered(width: scaled.width, height: scaled.height) { x, y in
          isBlack(scaled, x, y) ? nil : (x, y)
        }
      }
    }
  }

  /// Creates a fault that changes the colours of reduced answers.
  private static func changed(
    _ name: String, _ summary: String, _ change: @escaping @Sendable (UInt8) -> UInt8
  ) -> Fault {
    Fault(name, .size, summary, "specification 4.2") { faulty, sound in
      faulty.scale = { raster, plan in
        let scaled = sound.scale(raster, plan)
        return plan.isReduced ? scaled.mappingColours(change) : scaled
      }
    }
  }
}

extension Raster {
  func nearest(_ target: Extent) -> Raster {
    gathered(width: target.width, height: target.height) { x, y in
      ((2 * x + 1) * width / (2 * target.width), (2 * y + 1) * height / (2 * target.height))
    }
  }
}

extension Plan {
  /// The distance from the corner grid to the centre grid, in pixels of the region.
  fileprivate var cornerShift: (x: Double, y: Double) {
    (
      (1 - Double(box.width) / Double(size.width)) / 2,
      (1 - Double(box.height) / Double(size.height)) / 2
    )
  }
}
