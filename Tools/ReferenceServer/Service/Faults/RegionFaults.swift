import ZoomPipeline

/// Faults of the place of a region.
extension ServerFaults {
  static let regions: [Fault] = [
    moved("region-one-right", "A region is taken one pixel further right.") { $0.x += 1 },
    moved("region-one-down", "A region is taken one pixel further down.") { $0.y += 1 },
    moved(
      "region-snapped-to-8", "A region begins at a multiple of eight, as lossless JPEG crops do."
    ) { ($0.x, $0.y) = ($0.x & ~7, $0.y & ~7) }.marked(from: "jpegtran -crop"),
    misreads("region-x-y-swapped", .region, \.region, "The region's x and y change places.") {
      form, _ in
      guard case .pixels(let x, let y, let width, let height) = form else { return }
      form = .pixels(x: y, y: x, width: width, height: height)
    },
    misreads(
      "region-sides-swapped", .region, \.region, "The region's width and height change places."
    ) { form, _ in
      guard case .pixels(let x, let y, let width, let height) = form else { return }
      form = .pixels(x: x, y: y, width: height, height: width)
    }.marked(from: "image-validator#25"),
    misreads(
      "region-right-bottom", .region, \.region,
      "Width and height are read as the right and lower edge."
    ) { form, _ in
      guard case .pixels(let x, let y, let right, let bottom) = form else { return }
      form = .pixels(x: x, y: y, width: max(0, right - x), height: max(0, bottom - y))
    },
    boxed("region-strip-missing", "At the right edge a region ends a column early.") {
      _, box, picture in
      if box.size != picture, box.width > 1, box.x + box.width == picture.width { box.width -= 1 }
    }.marked(from: "Cantaloupe#80"),
    boxed("full-cut-to-even", "The full picture loses its last column and row at odd sizes.") {
      form, box, _ in
      guard form == .full else { return }
      (box.width, box.height) = (max(1, box.width & ~1), max(1, box.height & ~1))
    },
    cropped(
      "region-of-the-level",
      "When reduced, a region's place is taken in pixels of the pyramid's level."
    ) { source, plan, sound in
      let (box, factor) = (plan.box, plan.levelFactor)
      return sound.crop(source, plan.moved(x: box.x / factor, y: box.y / factor))
    }.marked(from: "klokantech/iiifserver#21"),
    cropped(
      "region-on-level-grid",
      "When reduced, a region begins at a whole pixel of the pyramid's level."
    ) { source, plan, sound in
      let (box, factor) = (plan.box, plan.levelFactor)
      return sound.crop(
        source, plan.moved(x: box.x / factor * factor, y: box.y / factor * factor))
    }.marked(from: "klokantech/iiifserver#21"),
    boxed("square-one-short", "A square's side is one less than the shorter side.") {
      form, box, _ in
      guard form == .square else { return }
      (box.width, box.height) = (max(1, box.width - 1), max(1, box.height - 1))
    },
    cropped("square-squeezed", "A square is the whole picture, squeezed.") { source, plan, sound in
      plan.request.region == .square
        ? source.scaled(to: plan.box.size) : sound.crop(source, plan)
    },
    refuses(
      "square-refused", .region, \.region, "A square is refused, though level or profile name it."
    ) { _, form in form == .square }.marked(from: "compliance 3.1"),
  ]

  /// Creates a fault of the pixels that are cut out of the picture.
  private static func cropped(
    _ name: String, _ summary: String, _ crop: @escaping Drawing
  ) -> Fault {
    Fault(name, .region, summary) { faulty, sound in
      faulty.crop = { source, plan in crop(source, plan, sound) }
    }
  }

  /// Creates a fault that crops at another place; the size of the answer is unchanged.
  private static func moved(
    _ name: String, _ summary: String, _ move: @escaping @Sendable (inout Box) -> Void
  ) -> Fault {
    cropped(name, summary) { source, plan, sound in
      var box = plan.box
      move(&box)
      return sound.crop(source, plan.moved(x: box.x, y: box.y))
    }
  }

  /// Creates a fault that changes the box of a valid region.
  private static func boxed(
    _ name: String, _ summary: String,
    _ change: @escaping @Sendable (RegionForm, inout Box, _ picture: Extent) -> Void
  ) -> Fault {
    Fault(name, .region, summary) { faulty, sound in
      faulty.box = { form throws(RequestError) in
        var box = try sound.box(form)
        change(form, &box, sound.source.extent)
        return box
      }
    }
  }
}
