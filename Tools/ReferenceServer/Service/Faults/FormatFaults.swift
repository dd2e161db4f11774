/// Faults of formats.
extension ServerFaults {
  static let formats: [Fault] = [
    encoded("format-ignored", "Every answer is a JPEG, and says so.", type: { _ in "image/jpeg" }) {
      raster, plan, sound in sound.encode(raster, plan.asking(for: .jpg))
    },
    encoded("png-holds-jpeg", "Every answer is a JPEG, whatever its type says.") {
      raster, plan, sound in sound.encode(raster, plan.asking(for: .jpg))
    },
    encoded("jpg-holds-png", "Every answer is a PNG, whatever its type says.") {
      raster, plan, sound in sound.encode(raster, plan.asking(for: .png))
    },
    typed("type-unknown", "Pictures are sent as application/octet-stream.") { _ in
      "application/octet-stream"
    },
    typed("type-image-jpg", "JPEGs are sent as image/jpg.") {
      $0 == .jpg ? "image/jpg" : $0.mediaType
    },
    typed("type-png-of-jpeg", "JPEGs are sent as image/png.") { _ in "image/png" },
    encoded("body-cut", "Answers end after four fifths of their bytes.") { raster, plan, sound in
      let bytes = sound.encode(raster, plan)
      return Array(bytes.prefix(bytes.count * 4 / 5))
    },
    encoded("body-empty", "Answers have no bytes.") { _, _, _ in [] },
    encoded("png-lossy", "A PNG was a JPEG of quality 60 before.", .open) { raster, plan, sound in
      guard plan.request.format == .png, let lossy = raster.throughJPEG(quality: 60) else {
        return sound.encode(raster, plan)
      }
      return sound.encode(lossy, plan)
    },
    encoded("png-of-64-colours", "A PNG has two bits a channel.") { raster, plan, sound in
      guard plan.request.format == .png else { return sound.encode(raster, plan) }
      return sound.encode(raster.mappingColours { $0 / 64 * 85 }, plan)
    },
    encoded("jpg-of-low-quality", "A JPEG is of quality 10.", .open) { raster, plan, sound in
      plan.request.format == .jpg
        ? raster.jpeg(quality: 10) ?? [] : sound.encode(raster, plan)
    },
    encoded("jpg-shifted", "A JPEG is a pixel further right than the PNG.") { raster, plan, sound in
      guard plan.request.format == .jpg, raster.width > 1 else { return sound.encode(raster, plan) }
      let moved = raster.cropped(Box(x: 1, y: 0, width: raster.width, height: raster.height))
      return sound.encode(moved, plan)
    },
    encoded("format-leaves-padding", "A JPEG is padded to whole blocks of eight.") {
      raster, plan, sound in
      guard plan.request.format == .jpg else { return sound.encode(raster, plan) }
      let padded = Box(
        x: 0, y: 0, width: (raster.width + 7) & ~7, height: (raster.height + 7) & ~7)
      return sound.encode(raster.cropped(padded), plan)
    },
    Fault(
      "format-unknown-served", .format, "A format that is unknown is JPEG.", "specification 4.5",
      .recommendation
    ) { faulty, sound in
      faulty.format = { text throws(RequestError) in (try? sound.format(text)) ?? .jpg }
    },
    Fault(
      "format-any-case", .format, "Formats are read in any case.", "specification 4.5", .open
    ) { faulty, sound in
      faulty.format = { text throws(RequestError) in try sound.format(text.lowercased()) }
    },
    Fault(
      "format-jpeg-served", .format, "The format `jpeg` is read, too.", "specification 4.5", .open
    ) { faulty, sound in
      faulty.format = { text throws(RequestError) in try sound.format(text == "jpeg" ? "jpg" : text)
      }
    },
    Fault("png-refused", .format, "PNG is refused at level 2.", "compliance 3.5") { faulty, sound in
      faulty.format = { text throws(RequestError) in
        guard text != "png" else { throw RequestError("no such format") }
        return try sound.format(text)
      }
    },
    Fault(
      "format-unknown-500", .format, "A format that is unknown is an internal error.",
      "specification 4.5", .recommendation
    ) { faulty, sound in
      faulty.format = { text throws(RequestError) in
        do throws(RequestError) { return try sound.format(text) } catch {
          throw RequestError(status: 500, "no encoder")
        }
      }
    },
  ]

  private static func encoded(
    _ name: String, _ summary: String, _ standing: Fault.Standing = .breach,
    type: (@Sendable (PictureFormat) -> String)? = nil,
    _ encode: @escaping @Sendable (Raster, Plan, Stages) -> [UInt8]
  ) -> Fault {
    Fault(name, .format, summary, "specification 4.5", standing) { faulty, sound in
      faulty.encode = { raster, plan in encode(raster, plan, sound) }
      if let type { faulty.pictureType = type }
    }
  }

  private static func typed(
    _ name: String, _ summary: String, _ type: @escaping @Sendable (PictureFormat) -> String
  ) -> Fault {
    Fault(name, .format, summary, "specification 4.5") { faulty, _ in faulty.pictureType = type }
  }
}

extension Plan {
  fileprivate func asking(for format: PictureFormat) -> Plan {
    var plan = self
    plan.request.format = format
    return plan
  }
}
