/// Faults of `max`, `^` and limits.
extension ServerFaults {
  static let sizeLimits: [Fault] = [
    calculated(
      "max-ignores-limits", "`max` is the region's size, whatever the limits.", needs: [.limits]
    ) { form, box, _ in form.kind == .max && !form.upscales ? box.size : nil },
    calculated(
      "limits-of-width-only", "Only the width is limited, the height is not.",
      from: "specification 5.2", needs: [.limits]
    ) { form, box, sound throws(RequestError) in
      let (picture, width) = (sound.source.extent, sound.geometry.limits.maxWidth)
      // Four times the longest side, so that an enlarged column of pixels does not exhaust the memory.
      let height = 4 * max(picture.width, picture.height, width ?? 0)
      return try sound.geometry.limited(SizeLimits(maxWidth: width, maxHeight: height))
        .size(form, of: box)
    },
    calculated("limits-not-enforced", "Sizes beyond the limits are served.", .recommendation) {
      form, box, sound throws(RequestError) in
      // Large enough to show the fault, small enough to keep tests fast.
      let limits = SizeLimits(maxArea: 4 << 20)
      return form.kind == .max ? nil : try sound.geometry.limited(limits).size(form, of: box)
    },
    calculated(
      "limits-clamped", "Sizes beyond the limits are made smaller, not refused.", .recommendation
    ) { form, box, sound in
      let size = sound.geometry.calculated(form, of: box)
      guard !size.isEmpty, !sound.geometry.isAllowed(size), form.upscales || !size.exceeds(box)
      else { return nil }
      return sound.geometry.maximum(of: box.size, upscaled: true)
    },
    reads("max-upscales", .size, \.size, "`max` is enlarged as `^max` is.", only: .version3) {
      $0 == "max" ? "^max" : $0
    },
    reads("caret-max-not-upscaled", .size, \.size, "`^max` is not enlarged.", only: .version3) {
      $0 == "^max" ? "max" : $0
    },
    sized(
      "caret-ignored", "With `^` an answer is never larger than the region.", only: .version3
    ) { form, size, box, _ in if form.upscales && size.exceeds(box) { size = box.size } },
    misreads(
      "caret-needless", .size, \.size, "Without `^` an answer is enlarged, too.", .recommendation,
      only: .version3
    ) { form, _ in if form.kind != .max { form.upscales = true } },
    calculated(
      "caret-missing-clamped", "Larger sizes without `^` get the region's size.", .recommendation,
      only: .version3
    ) { form, box, sound in
      let isEnlarged = sound.geometry.calculated(form, of: box).exceeds(box)
      return isEnlarged && !form.upscales ? box.size : nil
    },
    refuses(
      "caret-refused", .size, \.size, "`^` is refused, though sizeUpscaling is listed.",
      from: "specification 5.7", only: .version3, with: 501
    ) { text, _ in text.hasPrefix("^") },
    misreads(
      "confined-upscales", .size, \.size, "`!w,h` enlarges a region that is smaller.",
      only: .version3
    ) { form, _ in if case .confined = form.kind { form.upscales = true } },
    refuses(
      "full-size-refused", .size, \.size, "The size `full` is refused.", from: "2.1 compliance 3.2",
      only: .version2
    ) { text, _ in text == "full" },
    reads(
      "full-size-accepted", .size, \.size, "The size `full` of version 2 is served.", .open,
      only: .version3
    ) { $0 == "full" ? "max" : $0 },
    refuses(
      "pct-size-refused", .size, \.size, "Sizes in percent are refused at level 2.",
      from: "compliance 3.2", with: 501
    ) { text, _ in text.contains("pct:") },
    refuses(
      "confined-refused", .size, \.size, "`!w,h` is refused at level 2.", from: "compliance 3.2",
      with: 501
    ) { text, _ in text.contains("!") },
    sized(
      "exact-distortion-refused", "`w,h` is refused unless it keeps the proportions.",
      from: "compliance 3.2"
    ) { form, size, box, _ throws(RequestError) in
      let height = Double(size.width) * Double(box.height) / Double(box.width)
      if case .exact = form.kind, abs(Double(size.height) - height) > 1 {
        throw RequestError(status: 501, "no distortion")
      }
    },
    sized(
      "listed-size-off", "A size that info.json lists is a row short when it is asked for.",
      from: "specification 5.3"
    ) { form, size, box, sound in
      let picture = sound.source.extent
      guard case .exact = form.kind, box == Box(whole: picture), size != picture, size.height > 1,
        sound.facts.sizes.contains(size)
      else { return }
      size.height -= 1
    },
    sized(
      "tiles-not-served", "Tiles of the largest scale factor are not found.",
      from: "specification 5.4"
    ) { _, size, box, sound throws(RequestError) in
      let (tile, factor) = (sound.facts.tile, sound.facts.scaleFactors.last ?? 1)
      let isTile =
        box.x % (tile.width * factor) == 0 && box.y % (tile.height * factor) == 0
        && size.width == LengthRounding.up.quotient(box.width, factor)
        && abs(size.height - LengthRounding.up.quotient(box.height, factor)) <= 1
      if isTile, factor > 1 { throw RequestError(status: 404, "there is no such tile") }
    },
  ]
}

extension Extent {
  fileprivate func exceeds(_ box: Box) -> Bool { width > box.width || height > box.height }
}

extension Geometry {
  fileprivate func limited(_ limits: SizeLimits) -> Geometry {
    Geometry(picture: picture, api: api, limits: limits, rounding: rounding)
  }
}
