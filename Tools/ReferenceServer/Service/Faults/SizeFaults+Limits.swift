/// Faults of `max`, `^` and limits.
extension ServerFaults {
  static let sizeLimits: [Fault] = [
    calculated("max-ignores-limits", "`max` is the region's size, whatever the limits.") {
      form, box, _ in form.kind == .max && !form.upscales ? box.size : nil
    }.marked(needs: [.limits]),
    calculated("limits-of-width-only", "Only the width is limited, the height is not.") {
      form, box, sound throws(RequestError) in
      let (picture, width) = (sound.source.extent, sound.geometry.limits.maxWidth)
      // Four times the longest side, so that an enlarged column of pixels does not exhaust the memory.
      let height = 4 * max(picture.width, picture.height, width ?? 0)
      return try sound.geometry.limited(SizeLimits(maxWidth: width, maxHeight: height))
        .size(form, of: box)
    }.marked(from: "specification 5.2", needs: [.limits]),
    calculated("limits-not-enforced", "Sizes beyond the limits are served.") {
      form, box, sound throws(RequestError) in
      // Large enough to show the fault, small enough to keep tests fast.
      let limits = SizeLimits(maxArea: 4 << 20)
      return form.kind == .max ? nil : try sound.geometry.limited(limits).size(form, of: box)
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
    sized("exact-distortion-refused", "`w,h` is refused unless it keeps the proportions.") {
      form, size, box, _ throws(RequestError) in
      let height = Double(size.width) * Double(box.height) / Double(box.width)
      if case .exact = form.kind, abs(Double(size.height) - height) > 1 {
        throw RequestError(status: 501, "no distortion")
      }
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
}

extension Geometry {
  fileprivate func limited(_ limits: SizeLimits) -> Geometry {
    Geometry(picture: picture, api: api, limits: limits, rounding: rounding)
  }
}
