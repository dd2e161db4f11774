/// Faults of the place of a region.
extension ServerFaults {
  static let regions: [Fault] = [
    moved("region-one-right", "A region is taken one pixel further right.", "specification 4.1") {
      ($0.x + 1, $0.y)
    },
    moved("region-one-down", "A region is taken one pixel further down.", "specification 4.1") {
      ($0.x, $0.y + 1)
    },
    moved("region-one-left", "Coordinates are counted from 1.", "specification 4.1") {
      ($0.x - 1, $0.y - 1)
    },
    moved(
      "region-eight-right", "A region is taken a block of eight pixels further right.",
      "specification 4.1"
    ) { ($0.x + 8, $0.y) },
    moved(
      "region-eight-down", "A region is taken a block of eight pixels further down.",
      "specification 4.1"
    ) { ($0.x, $0.y + 8) },
    moved(
      "region-snapped-to-8", "A region begins at a multiple of eight, as lossless JPEG crops do.",
      "jpegtran -crop"
    ) { ($0.x & ~7, $0.y & ~7) },
    moved(
      "region-snapped-to-16", "A region begins at a multiple of sixteen.", "jpegtran -crop"
    ) { ($0.x & ~15, $0.y & ~15) },
    Fault(
      "region-x-snapped-to-2", .region, "A region begins at an even column.", "chroma subsampling"
    ) { faulty, sound in
      faulty.crop = { source, plan in
        sound.crop(source, plan.moved(x: plan.box.x & ~1, y: plan.box.y))
      }
    },
    pixels("region-x-y-swapped", "The region's x and y change places.", "specification 4.1") {
      ($1, $0, $2, $3)
    },
    pixels(
      "region-sides-swapped", "The region's width and height change places.", "image-validator#25"
    ) { ($0, $1, $3, $2) },
    pixels(
      "region-right-bottom", "Width and height are read as the right and lower edge.",
      "specification 4.1"
    ) {
      ($0, $1, max(0, $2 - $0), max(0, $3 - $1))
    },
    pixels("region-width-one-short", "The region's width is one less.", "specification 4.1") {
      ($0, $1, $2 > 1 ? $2 - 1 : $2, $3)
    },
    pixels("region-height-one-more", "The region's height is one more.", "specification 4.1") {
      ($0, $1, $2, $3 > 0 ? $3 + 1 : 0)
    },
    Fault(
      "region-strip-missing", .region, "At the right edge a region ends a column early.",
      "Cantaloupe#80"
    ) { faulty, sound in
      faulty.box = { form throws(RequestError) in
        var box = try sound.box(form)
        let isWhole = box.size == sound.source.size
        if !isWhole, box.width > 1, box.x + box.width == sound.source.width { box.width -= 1 }
        return box
      }
    },
    Fault(
      "full-cut-to-even", .region, "The full picture loses its last column and row at odd sizes.",
      "specification 4.1"
    ) { faulty, sound in
      faulty.box = { form throws(RequestError) in
        var box = try sound.box(form)
        guard form == .full else { return box }
        (box.width, box.height) = (max(1, box.width & ~1), max(1, box.height & ~1))
        return box
      }
    },
    Fault(
      "region-of-the-level", .region,
      "When reduced, a region's place is taken in pixels of the pyramid's level.",
      "klokantech/iiifserver#21"
    ) { faulty, sound in
      faulty.crop = { source, plan in
        let factor = plan.levelFactor
        return sound.crop(source, plan.moved(x: plan.box.x / factor, y: plan.box.y / factor))
      }
    },
    Fault(
      "region-on-level-grid", .region,
      "When reduced, a region begins at a whole pixel of the pyramid's level.",
      "klokantech/iiifserver#21"
    ) { faulty, sound in
      faulty.crop = { source, plan in
        let factor = plan.levelFactor
        return sound.crop(
          source, plan.moved(x: plan.box.x / factor * factor, y: plan.box.y / factor * factor))
      }
    },
    Fault(
      "region-after-scaling", .region, "The whole picture is scaled first, and then cut.",
      "specification 4.6"
    ) { faulty, sound in
      faulty.crop = { source, plan in
        guard plan.isReduced, plan.box.size != plan.picture else { return sound.crop(source, plan) }
        let scaled = source.scaled(
          to: Extent(
            width: max(1, source.width * plan.size.width / plan.box.width),
            height: max(1, source.height * plan.size.height / plan.box.height)))
        var box = plan.box
        (box.width, box.height) = (plan.size.width, plan.size.height)
        return scaled.cropped(box)
      }
    },
    square("square-whole", "A square is the whole picture.") { _, picture in Box(whole: picture) },
    square("square-one-short", "A square's side is one less than the shorter side.") { box, _ in
      Box(x: box.x, y: box.y, width: max(1, box.width - 1), height: max(1, box.height - 1))
    },
    square("square-half", "A square has half of the shorter side.") { box, _ in
      Box(x: box.x, y: box.y, width: (box.width + 1) / 2, height: (box.height + 1) / 2)
    },
    Fault(
      "square-squeezed", .region, "A square is the whole picture, squeezed.", "specification 4.1"
    ) { faulty, sound in
      faulty.crop = { source, plan in
        plan.request.region == .square
          ? source.scaled(to: plan.box.size) : sound.crop(source, plan)
      }
    },
    square("square-at-the-corner", "A square is at the upper left corner.", .open) { box, _ in
      Box(x: 0, y: 0, width: box.width, height: box.height)
    },
    Fault(
      "square-refused", .region, "A square is refused, though level or profile name it.",
      "compliance 3.1"
    ) { faulty, sound in
      faulty.region = { text throws(RequestError) in
        guard text != "square" else { throw RequestError("no squares") }
        return try sound.region(text)
      }
    },
  ]

  /// Creates a fault that crops at another place; the size of the answer is unchanged.
  private static func moved(
    _ name: String, _ summary: String, _ origin: String,
    _ place: @escaping @Sendable (Box) -> (x: Int, y: Int)
  ) -> Fault {
    Fault(name, .region, summary, origin) { faulty, sound in
      faulty.crop = { source, plan in
        let (x, y) = place(plan.box)
        return sound.crop(source, plan.moved(x: x, y: y))
      }
    }
  }

  /// Creates a fault that misinterprets the four numbers of a region.
  private static func pixels(
    _ name: String, _ summary: String, _ origin: String,
    _ change: @escaping @Sendable (Int, Int, Int, Int) -> (Int, Int, Int, Int)
  ) -> Fault {
    Fault(name, .region, summary, origin) { faulty, sound in
      faulty.box = { form throws(RequestError) in
        guard case .pixels(let x, let y, let width, let height) = form else {
          return try sound.box(form)
        }
        let read = change(x, y, width, height)
        return try sound.box(.pixels(x: read.0, y: read.1, width: read.2, height: read.3))
      }
    }
  }

  private static func square(
    _ name: String, _ summary: String, _ standing: Fault.Standing = .breach,
    _ change: @escaping @Sendable (Box, Extent) -> Box
  ) -> Fault {
    Fault(name, .region, summary, "specification 4.1", standing) { faulty, sound in
      faulty.box = { form throws(RequestError) in
        let box = try sound.box(form)
        return form == .square ? change(box, sound.source.size) : box
      }
    }
  }
}

extension Plan {
  /// Returns the plan with its region moved, within the picture.
  func moved(x: Int, y: Int) -> Plan {
    var plan = self
    plan.box = box.moved(x: x, y: y, in: picture)
    return plan
  }
}
