import ZoomPipeline

/// Faults of formats.
extension ServerFaults {
  static let formats: [Fault] = [
    Fault("format-ignored", .format, "Every answer is a JPEG, and says so.") { faulty, sound in
      faulty.encode = { raster, plan in
        var plan = plan
        plan.request.format = .jpg
        return sound.encode(raster, plan)
      }
      faulty.pictureType = { _ in "image/jpeg" }
    },
    Fault("type-image-jpg", .format, "JPEGs are sent as image/jpg.") { faulty, _ in
      faulty.pictureType = { $0 == .jpg ? "image/jpg" : $0.mediaType }
    },
    encoded("body-cut", "Answers end after four fifths of their bytes.") { raster, plan, sound in
      let bytes = sound.encode(raster, plan)
      return Array(bytes.prefix(bytes.count * 4 / 5))
    },
    encoded("body-empty", "Answers are empty.") { _, _, _ in [] },
    encoded("png-of-64-colours", "A PNG has two bits per channel.", of: .png) {
      raster, plan, sound in sound.encode(raster.mappingColours { $0 / 64 * 85 }, plan)
    },
    encoded("jpg-shifted", "A JPEG's contents are a pixel further left.", of: .jpg) {
      raster, plan, sound in
      let box = Box(
        x: raster.width > 1 ? 1 : 0, y: 0, width: raster.width, height: raster.height)
      return sound.encode(raster.cropped(box), plan)
    },
    reads("format-unknown-served", .format, \.format, "An unknown format is JPEG.") {
      PictureFormat(rawValue: $0) == nil ? "jpg" : $0
    }.marked(.recommendation),
    refuses("png-refused", .format, \.format, "PNG is refused at level 2.") { text, _ in
      text == "png"
    }.marked(from: "compliance 3.5"),
  ]

  /// Creates a fault of the coding of answers, of one format or of all.
  private static func encoded(
    _ name: String, _ summary: String, of format: PictureFormat? = nil,
    _ encode: @escaping @Sendable (Pixels, Plan, Stages) -> [UInt8]
  ) -> Fault {
    Fault(name, .format, summary) { faulty, sound in
      faulty.encode = { raster, plan in
        format == nil || format == plan.request.format
          ? encode(raster, plan, sound) : sound.encode(raster, plan)
      }
    }
  }
}
