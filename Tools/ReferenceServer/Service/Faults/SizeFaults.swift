/// Faults of the size of answers.
extension ServerFaults {
  static let sizes: [Fault] = [
    sized("width-one-short", "The answer to `w,` is a column narrower.") { form, size, _, _ in
      if case .width = form.kind { size.width = max(1, size.width - 1) }
    },
    sized("width-one-more", "The answer to `w,h` is a column wider.") { form, size, _, _ in
      if case .exact = form.kind { size.width += 1 }
    },
    derived("derived-by-whole-ratio", "A derived side is divided by the ratio's whole part.") {
      side, given, region in
      if given > 0, given < region.given { side = max(1, region.derived / (region.given / given)) }
    },
    derived("derived-even", "A derived side is cut to an even number, as video scalers do.") {
      side, _, _ in side = max(1, side & ~1)
    },
    sized(
      "derived-rounding-alternates",
      "A derived side is rounded up for odd widths, and down for even ones."
    ) { form, size, box, _ in
      guard case .width(let width) = form.kind else { return }
      let rounding = width % 2 == 1 ? LengthRounding.up : .down
      size.height = max(1, rounding.quotient(box.height * width, box.width))
    }.marked(.open, from: "openseadragon#2321"),
    sized("exact-keeps-ratio", "`w,h` keeps the region's proportions.") { form, size, box, _ in
      guard case .exact(let frame) = form.kind else { return }
      size =
        box.width * frame.height > box.height * frame.width
        ? Extent(width: frame.width, height: max(1, box.height * frame.width / box.width))
        : Extent(width: max(1, box.width * frame.height / box.height), height: frame.height)
    },
    sized("exact-swapped", "The width and the height of `w,h` change places.") { form, size, _, _ in
      if case .exact = form.kind { size = size.transposed }
    },
    sized("confined-distorts", "`!w,h` is answered as `w,h`.") { form, size, box, _ in
      guard case .confined(let frame) = form.kind else { return }
      size =
        form.upscales
        ? frame : Extent(width: min(frame.width, box.width), height: min(frame.height, box.height))
    },
    sized("confined-fills", "`!w,h` fills the frame and exceeds it on one side.") {
      form, size, box, _ in
      guard case .confined(let frame) = form.kind else { return }
      let filled =
        frame.width * box.height > frame.height * box.width
        ? Extent(width: frame.width, height: box.height * frame.width / box.width)
        : Extent(width: box.width * frame.height / box.height, height: frame.height)
      if form.upscales || !filled.exceeds(box) { size = filled }
    },
    // Version 2 leaves the exact scaling to the server.
    sized("confined-by-powers", "`!w,h` halves the region until it fits.") { form, size, box, _ in
      guard case .confined(let frame) = form.kind, !size.exceeds(box) else { return }
      size = box.size
      while size.width > frame.width || size.height > frame.height, size.area > 1 {
        size = Extent(width: max(1, size.width / 2), height: max(1, size.height / 2))
      }
    }.marked(only: .version3),
    sized("pct-size-truncated", "The percentage of a size is cut to a whole one.") {
      form, size, box, _ in
      guard case .percent(let share) = form.kind, share >= 1 else { return }
      let part = share.rounded(.down) / 100
      size = Extent(
        width: max(1, Int(Double(box.width) * part)),
        height: max(1, Int(Double(box.height) * part)))
    },
    calculated(
      "pct-size-of-picture", "The percentage of a size is of the picture, not of the region."
    ) { form, _, sound throws(RequestError) in
      guard case .percent = form.kind else { return nil }
      return try sound.scaledSize(form, Box(whole: sound.source.extent))
    },
    sized("edge-tile-half", "A reduced region at the right edge comes at half of its size.") {
      _, size, box, sound in
      guard box.x > 0, box.x + box.width == sound.source.width, size.width < box.width else {
        return
      }
      size = Extent(width: (size.width + 1) / 2, height: (size.height + 1) / 2)
    }.marked(from: "iipsrv#228"),
    calculated("zero-size-whole", "A size of zero is the region's.") { form, box, sound in
      sound.geometry.calculated(form, of: box).isEmpty ? box.size : nil
    }.marked(.recommendation),
    calculated("zero-size-500", "A size of zero is an internal error.") {
      form, box, sound throws(RequestError) in
      if sound.geometry.calculated(form, of: box).isEmpty {
        throw RequestError(status: 500, "division by zero")
      }
      return nil
    }.marked(.recommendation, from: "iipsrv#52"),
  ]

  /// Faults of `max`, `^` and limits.
  static let sizeLimits: [Fault] = [
    calculated("max-ignores-limits", "`max` is the region's size, whatever the limits.") {
      form, box, _ in form.kind == .max && !form.upscales ? box.size : nil
    }.marked(needs: [.limits]),
    calculated("limits-not-enforced", "Sizes beyond the limits are served.") {
      form, box, sound throws(RequestError) in
      // Large enough to show the fault, small enough to keep tests fast.
      let geometry = Geometry(
        picture: sound.source.extent, api: sound.settings.api,
        limits: SizeLimits(maxArea: 4 << 20), rounding: sound.settings.rounding)
      return form.kind == .max ? nil : try geometry.size(form, of: box)
    }.marked(.recommendation),
    reads("max-upscales", .size, \.size, "`max` is enlarged as `^max` is.") {
      $0 == "max" ? "^max" : $0
    }.marked(only: .version3),
    reads("caret-max-not-upscaled", .size, \.size, "`^max` is not enlarged.") {
      $0 == "^max" ? "max" : $0
    }.marked(only: .version3),
    sized("caret-ignored", "With `^` an answer is never larger than the region.") {
      form, size, box, _ in if form.upscales && size.exceeds(box) { size = box.size }
    }.marked(only: .version3),
    misreads("caret-needless", .size, \.size, "Without `^` an answer is enlarged, too.") {
      form, _ in if form.kind != .max { form.upscales = true }
    }.marked(.recommendation, only: .version3),
    refuses(
      "caret-refused", .size, \.size, "`^` is refused, though sizeUpscaling is listed.", with: 501
    ) { text, _ in text.hasPrefix("^") }.marked(from: "specification 5.7", only: .version3),
    misreads("confined-upscales", .size, \.size, "`!w,h` enlarges a region that is smaller.") {
      form, _ in if case .confined = form.kind { form.upscales = true }
    }.marked(only: .version3),
    refuses("full-size-refused", .size, \.size, "The size `full` is refused.") { text, _ in
      text == "full"
    }.marked(from: "2.1 compliance 3.2", only: .version2),
    refuses(
      "pct-size-refused", .size, \.size, "Sizes in percent are refused at level 2.", with: 501
    ) { text, _ in text.contains("pct:") }.marked(from: "compliance 3.2"),
    refuses("confined-refused", .size, \.size, "`!w,h` is refused at level 2.", with: 501) {
      text, _ in text.contains("!")
    }.marked(from: "compliance 3.2"),
    sized("listed-size-off", "The answer to a size that info.json lists is a row short.") {
      form, size, box, sound in
      let picture = sound.source.extent
      guard case .exact = form.kind, box == Box(whole: picture), size != picture, size.height > 1,
        sound.facts.sizes.contains(size)
      else { return }
      size.height -= 1
    }.marked(from: "specification 5.3"),
    sized("tiles-not-served", "Tiles of the largest scale factor are not found.") {
      _, size, box, sound throws(RequestError) in
      let (tile, factor) = (sound.facts.tile, sound.facts.scaleFactors.last ?? 1)
      let isTile =
        box.x % (tile.width * factor) == 0 && box.y % (tile.height * factor) == 0
        && size.width == LengthRounding.up.quotient(box.width, factor)
        && abs(size.height - LengthRounding.up.quotient(box.height, factor)) <= 1
      if isTile, factor > 1 { throw RequestError(status: 404, "there is no such tile") }
    }.marked(from: "specification 5.4"),
  ]

  /// Creates a fault that changes the size of answers, or refuses it.
  private static func sized(
    _ name: String, _ summary: String,
    _ change:
      @escaping @Sendable (SizeForm, inout Extent, Box, _ sound: Stages) throws(RequestError) ->
      Void
  ) -> Fault {
    Fault(name, .size, summary) { faulty, sound in
      faulty.scaledSize = { form, box throws(RequestError) in
        var size = try sound.scaledSize(form, box)
        try change(form, &size, box, sound)
        return size
      }
    }
  }

  /// Creates a fault that calculates some sizes itself; nil leaves one to the sound server.
  private static func calculated(
    _ name: String, _ summary: String,
    _ size: @escaping @Sendable (SizeForm, Box, _ sound: Stages) throws(RequestError) -> Extent?
  ) -> Fault {
    Fault(name, .size, summary) { faulty, sound in
      faulty.scaledSize = { form, box throws(RequestError) in
        if let size = try size(form, box, sound) { return size }
        return try sound.scaledSize(form, box)
      }
    }
  }

  /// Creates a fault of the side that is derived from the given one.
  private static func derived(
    _ name: String, _ summary: String,
    _ change:
      @escaping @Sendable (inout Int, _ given: Int, _ region: (given: Int, derived: Int)) -> Void
  ) -> Fault {
    sized(name, summary) { form, size, box, _ in
      switch form.kind {
      case .width(let width): change(&size.height, width, (box.width, box.height))
      case .height(let height): change(&size.width, height, (box.height, box.width))
      default: break
      }
    }
  }
}
