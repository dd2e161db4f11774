internal import CVips
internal import ZoomGeometry

/// Converts pixels of a picture by its ICC profile.
///
/// Little CMS in libvips converts each pixel alone, so that it does not matter whether pixels are
/// cropped or turned before: relative colorimetric, without black point compensation, to samples of
/// the same depth. Alpha stays.
package struct ColourConverter: Sendable {
  package let target: ColourTarget
  /// The embedded profile; nil for pictures without one, which are in sRGB or, with inks, in the
  /// CMYK that libvips has a profile of.
  package var profile: [UInt8]?
  let picture: Picture

  /// Reads the profile of a picture.
  /// - Throws: `PipelineError` with code `unsupported` if its colours cannot be converted.
  package init(_ picture: Picture, to target: ColourTarget) throws(PipelineError) {
    (self.picture, self.target) = (picture, target)
    func refusal(_ reason: String) -> PipelineError {
      .refusal(Self.operation, picture.path, reason)
    }
    // libvips from 8.18 on reads JPEGs with a gain map by this loader.
    guard picture.loader != "uhdrload" else {
      throw refusal("it has a gain map (use colours as stored)")
    }
    guard let colours = picture.profiledBands, picture.bands >= colours.count else {
      throw refusal("its colours are not grey, RGB or CMYK of 8 or 16 bits")
    }
    guard picture.profileLength > 0 else { return }
    let image = try Image.open(picture)
    let bytes = unsafe image.withProfile { unsafe [UInt8]($0) } ?? []
    let isRead = unsafe image.withPointer { pointer in
      unsafe vips_icc_is_compatible_profile(pointer, bytes, bytes.count) != 0
    }
    // libvips (8.14) would take sRGB in place of the profiles that are refused here, and that of grey for three bands.
    let names = ["GRAY": "grey", "RGB ": "RGB", "CMYK": "CMYK"]
    let space = String(decoding: bytes.dropFirst(16).prefix(4), as: UTF8.self)
    if space != colours.space, let other = names[space], let own = names[colours.space] {
      throw refusal("its colours are \(own), but its colour profile is for \(other)")
    }
    guard isRead, space == colours.space, let relative = Self.relative(bytes, of: space) else {
      throw refusal("its colour profile is broken, or not one for its colours")
    }
    profile = relative
  }

  /// Returns a profile whose relative intent libvips (8.14) finds; nil if there is none.
  ///
  /// It asks Little CMS for A2B1 or for all curves; tags outside the profile are skipped. A2B0 alone
  /// serves all intents (ICC.1:2010, 8.10), which libvips does not know, so it gets A2B1's name.
  private static func relative(_ bytes: [UInt8], of space: String) -> [UInt8]? {
    func number(_ at: Int) -> Int { bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) } }
    func name(_ at: Int) -> String { String(decoding: bytes[at..<at + 4], as: UTF8.self) }
    guard number(0) <= bytes.count, !["link", "abst", "nmcl"].contains(name(12)) else { return nil }
    // The table of tags: their number, and the name, place and length of each.
    let tags = stride(from: 132, to: min(132 + 12 * number(128), bytes.count - 11), by: 12)
      .filter { number($0 + 4) + number($0 + 8) <= number(0) }
    let curves = space == "GRAY" ? ["kTRC"] : ["rXYZ", "gXYZ", "bXYZ", "rTRC", "gTRC", "bTRC"]
    let names = Set(tags.map(name))
    if names.contains("A2B1") || names.isSuperset(of: curves) { return bytes }
    guard let table = tags.first(where: { name($0) == "A2B0" }) else { return nil }
    var renamed = bytes
    renamed[table + 3] = UInt8(ascii: "1")
    return renamed
  }

  private static let operation = "convert colours"

  /// Returns pixels of the picture, cropped, reduced or turned, in the target's colours.
  package func convert(_ pixels: Pixels) throws(PipelineError) -> Pixels {
    let form = picture.form(in: target)
    let fallback = picture.interpretation == .cmyk ? "cmyk" : "srgb"
    try picture.limits.memory.assertHolds(
      pixels.size.area * form.bands * form.format.byteCount, for: "its converted region",
      operation: Self.operation, picture.path)
    do throws(PipelineError) {
      return try Image.withoutCopying(pixels) { image throws(PipelineError) in
        let converted = try unsafe source(image, form).producing(Self.operation) { pointer in
          unsafe cvips_icc_transform(
            pointer, target.rawValue, fallback, form.format == .uint8 ? 8 : 16)
        }
        return try converted.read(PixelRegion(whole: pixels.size))
      }
    } catch {
      throw PipelineError(
        .damaged, operation: Self.operation, file: picture.path,
        reason: "its colour profile cannot be applied: \(error.reason)",
        advice: "read its colours as stored")
    }
  }

  /// Returns an image with the picture's profile; grey without a profile becomes RGB.
  private func source(_ image: Image, _ form: AnswerForm) throws(PipelineError) -> Image {
    if let profile { return try image.carrying(profile: profile) }
    guard picture.profiledBands?.count == 1 else { return image }
    let space = form.format == .uint8 ? VIPS_INTERPRETATION_sRGB : VIPS_INTERPRETATION_RGB16
    return try unsafe image.producing("make grey RGB") { unsafe cvips_colourspace($0, space) }
  }
}
