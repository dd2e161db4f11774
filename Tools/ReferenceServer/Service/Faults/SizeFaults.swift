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
    derived("derived-square", "With one side given the answer is a square.") { side, given, _ in
      side = given
    },
    sized("derived-of-picture", "A derived side has the whole picture's proportions.") {
      form, size, _, sound in
      let (picture, geometry) = (sound.source.extent, sound.geometry)
      switch form.kind {
      case .width(let width):
        size.height = max(1, geometry.derived(width: width, of: picture).height)
      case .height(let height):
        size.width = max(1, geometry.derived(height: height, of: picture).width)
      default: break
      }
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
      if case .exact(let frame) = form.kind { size = box.size.inside(frame) }
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
    sized("confined-by-width", "`!w,h` considers only the width.") { form, size, box, _ in
      guard case .confined(let frame) = form.kind, frame.width <= box.width else { return }
      size = Extent(width: frame.width, height: max(1, box.height * frame.width / box.width))
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

  /// Creates a fault that changes the size of answers, or refuses it.
  static func sized(
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
  static func calculated(
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

extension Extent {
  /// Returns the largest size with these proportions in a frame, rounded down.
  func inside(_ frame: Extent) -> Extent {
    width * frame.height > height * frame.width
      ? Extent(width: frame.width, height: max(1, height * frame.width / width))
      : Extent(width: max(1, width * frame.height / height), height: frame.height)
  }
}
