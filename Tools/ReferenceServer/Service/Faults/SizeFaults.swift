/// Faults of the size of answers.
extension ServerFaults {
  static let sizes: [Fault] = [
    sized("width-one-short", "Of `w,` the answer is a column narrower.") { form, size, _ in
      if case .width = form.kind { size.width = max(1, size.width - 1) }
    },
    sized("height-one-short", "Of `,h` the answer is a row lower.") { form, size, _ in
      if case .height = form.kind { size.height = max(1, size.height - 1) }
    },
    sized("width-one-more", "Of `w,h` the answer is a column wider.") { form, size, _ in
      if case .exact = form.kind { size.width += 1 }
    },
    sized("derived-by-whole-ratio", "A derived side is divided by the ratio's whole part.") {
      form, size, box in
      switch form.kind {
      case .width(let width) where width > 0 && width < box.width:
        size.height = max(1, box.height / (box.width / width))
      case .height(let height) where height > 0 && height < box.height:
        size.width = max(1, box.width / (box.height / height))
      default: break
      }
    },
    sized("derived-two-more", "A derived side is two pixels longer than it should be.") {
      form, size, _ in
      switch form.kind {
      case .width: size.height += 2
      case .height: size.width += 2
      default: break
      }
    },
    sized("derived-even", "A derived side is cut to an even number, as video scalers have it.") {
      form, size, _ in
      switch form.kind {
      case .width: size.height = max(1, size.height & ~1)
      case .height: size.width = max(1, size.width & ~1)
      default: break
      }
    },
    sized("derived-square", "With one side given the answer is a square.") { form, size, _ in
      switch form.kind {
      case .width(let width): size.height = width
      case .height(let height): size.width = height
      default: break
      }
    },
    Fault(
      "derived-of-picture", .size, "A derived side has the whole picture's proportions.",
      "specification 4.2"
    ) { faulty, sound in
      let picture = sound.source.size
      faulty.scaledSize = { form, box throws(RequestError) in
        var size = try sound.scaledSize(form, box)
        switch form.kind {
        case .width(let width):
          size.height = max(1, sound.geometry.derived(width: width, of: picture).height)
        case .height(let height):
          size.width = max(1, sound.geometry.derived(height: height, of: picture).width)
        default: break
        }
        return size
      }
    },
    Fault(
      "width-of-whole-picture", .size,
      "`w,` is how wide the whole picture would be, not the region.",
      "specification 4.2"
    ) { faulty, sound in
      faulty.scaledSize = { form, box throws(RequestError) in
        let size = try sound.scaledSize(form, box)
        guard case .width(let width) = form.kind else { return size }
        let picture = sound.source.size
        return Extent(
          width: max(1, box.width * width / picture.width),
          height: max(1, box.height * width / picture.width))
      }
    },
    Fault(
      "derived-rounding-alternates", .size,
      "A derived side is rounded up for odd widths, and down for even ones.",
      "openseadragon#2321", .open
    ) { faulty, sound in
      faulty.scaledSize = { form, box throws(RequestError) in
        var size = try sound.scaledSize(form, box)
        guard case .width(let width) = form.kind else { return size }
        let rounding = width % 2 == 1 ? LengthRounding.up : .down
        size.height = max(1, rounding.quotient(box.height * width, box.width))
        return size
      }
    },
    sized("exact-keeps-ratio", "`w,h` keeps the region's proportions.") { form, size, box in
      if case .exact(let frame) = form.kind { size = box.size.inside(frame) }
    },
    sized("exact-swapped", "The width and the height of `w,h` change places.") { form, size, _ in
      if case .exact = form.kind { size = size.transposed }
    },
    sized("confined-distorts", "`!w,h` is answered as `w,h`.") { form, size, box in
      guard case .confined(let frame) = form.kind else { return }
      size =
        form.upscales
        ? frame : Extent(width: min(frame.width, box.width), height: min(frame.height, box.height))
    },
    sized("confined-fills", "`!w,h` fills the frame and goes beyond it on one side.") {
      form, size, box in
      guard case .confined(let frame) = form.kind else { return }
      let filled =
        frame.width * box.height > frame.height * box.width
        ? Extent(width: frame.width, height: box.height * frame.width / box.width)
        : Extent(width: box.width * frame.height / box.height, height: frame.height)
      if form.upscales || filled.width <= box.width && filled.height <= box.height { size = filled }
    },
    sized("confined-by-width", "`!w,h` looks at the width only.") { form, size, box in
      guard case .confined(let frame) = form.kind, frame.width <= box.width else { return }
      size = Extent(width: frame.width, height: max(1, box.height * frame.width / box.width))
    },
    // Version 2 leaves the exact scaling to the server.
    sized("confined-by-powers", "`!w,h` halves the region until it fits.", only: .version3) {
      form, size, box in
      halve(form, &size, box)
    },
    sized("confined-by-powers-2", "`!w,h` halves the region until it fits.", .open, only: .version2)
    {
      form, size, box in
      halve(form, &size, box)
    },
    sized("pct-size-truncated", "The percentage of a size is cut to a whole one.") {
      form, size, box in
      guard case .percent(let share) = form.kind, share >= 1 else { return }
      size = Extent(
        width: max(1, Int(Double(box.width) * share.rounded(.down) / 100)),
        height: max(1, Int(Double(box.height) * share.rounded(.down) / 100)))
    },
    sized("pct-size-of-area", "The percentage of a size is of the area.") { form, size, box in
      guard case .percent(let share) = form.kind else { return }
      let root = (share / 100).squareRoot()
      size = Extent(
        width: max(1, Int(Double(box.width) * root)), height: max(1, Int(Double(box.height) * root))
      )
    },
    Fault(
      "pct-size-of-picture", .size,
      "The percentage of a size is of the picture, not of the region.",
      "specification 4.2"
    ) { faulty, sound in
      let picture = Box(whole: sound.source.size)
      faulty.scaledSize = { form, box throws(RequestError) in
        guard case .percent = form.kind else { return try sound.scaledSize(form, box) }
        return try sound.scaledSize(form, picture)
      }
    },
    Fault(
      "edge-tile-half", .size, "A reduced region at the right edge comes at half of its size.",
      "iipsrv#228"
    ) { faulty, sound in
      faulty.scaledSize = { form, box throws(RequestError) in
        let size = try sound.scaledSize(form, box)
        guard box.x > 0, box.x + box.width == sound.source.width, size.width < box.width else {
          return size
        }
        return Extent(width: (size.width + 1) / 2, height: (size.height + 1) / 2)
      }
    },
    sized("sliver-kept", "A side that would be less than a pixel gets one.", .open) { _, _, _ in
    } refused: { form, box, geometry in
      let size = geometry.calculated(form, of: box)
      guard size.isEmpty, size.width + size.height > 0 else { return nil }
      return Extent(width: max(1, size.width), height: max(1, size.height))
    },
    sized("zero-size-whole", "A size of zero is the region's.", .recommendation) { _, _, _ in
    } refused: { form, box, geometry in
      geometry.calculated(form, of: box).isEmpty ? box.size : nil
    },
    Fault(
      "zero-size-500", .size, "A size of zero is an internal error.", "iipsrv#52", .recommendation
    ) { faulty, sound in
      faulty.scaledSize = { form, box throws(RequestError) in
        guard !sound.geometry.calculated(form, of: box).isEmpty else {
          throw RequestError(status: 500, "division by zero")
        }
        return try sound.scaledSize(form, box)
      }
    },
  ]

  private static func halve(_ form: SizeForm, _ size: inout Extent, _ box: Box) {
    guard case .confined(let frame) = form.kind, size.width <= box.width, size.height <= box.height
    else { return }
    size = box.size
    while size.width > frame.width || size.height > frame.height, size.area > 1 {
      size = Extent(width: max(1, size.width / 2), height: max(1, size.height / 2))
    }
  }

  /// Creates a fault that changes the size of answers, or serves a size that should be refused.
  private static func sized(
    _ name: String, _ summary: String, _ standing: Fault.Standing = .breach,
    only version: ReferenceAPI? = nil,
    _ change: @escaping @Sendable (SizeForm, inout Extent, Box) -> Void,
    refused: @escaping @Sendable (SizeForm, Box, Geometry) -> Extent? = { _, _, _ in nil }
  ) -> Fault {
    Fault(name, .size, summary, "specification 4.2", standing, only: version) { faulty, sound in
      faulty.scaledSize = { form, box throws(RequestError) in
        if let size = refused(form, box, sound.geometry) { return size }
        var size = try sound.scaledSize(form, box)
        change(form, &size, box)
        return size
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
