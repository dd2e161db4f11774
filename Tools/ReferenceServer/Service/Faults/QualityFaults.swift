import ZoomPipeline

/// Faults of colours.
extension ServerFaults {
  static let qualities: [Fault] = [
    Fault("channels-swapped", .quality, "Red and blue change places.") { faulty, sound in
      faulty.colour = { raster, plan in
        guard raster.isColour else { return sound.colour(raster, plan) }
        let swapped = raster.mapped(bands: raster.bands) { pixel in
          pixel.prefix(3).reversed() + pixel.dropFirst(3)
        }
        return sound.colour(swapped, plan)
      }
    },
    coloured("gray-in-colour", .gray, "`gray` is in colour.") { raster, _ in raster },
    coloured("gray-inverted", .gray, "`gray` is a negative.") { _, sound in
      sound.mappingColours { 255 - $0 }
    },
    coloured("gray-posterised", .gray, "`gray` has sixteen shades.") { _, sound in
      sound.mappingColours { $0 / 16 * 17 }
    },
    coloured("bitonal-in-grey", .bitonal, "`bitonal` has shades of grey.") { raster, _ in
      raster.grey()
    },
    coloured("bitonal-inverted", .bitonal, "`bitonal` is a negative.") { _, sound in
      sound.mappingColours { 255 - $0 }
    },
    coloured("bitonal-in-colour", .bitonal, "`bitonal` has eight colours.") { raster, _ in
      raster.mappingColours { $0 < 128 ? 0 : 255 }
    },
    refuses("color-refused", .quality, \.quality, "`color` is refused.") { text, _ in
      text == "color"
    },
    refuses("gray-refused", .quality, \.quality, "`gray` is refused at level 2.") { text, _ in
      text == "gray"
    }.marked(from: "compliance 3.4"),
    coloured("color-in-grey", .color, "`color` is in grey.") { raster, _ in raster.grey() },
    coloured("color-posterised", .color, "`color` has 64 colours.") { _, sound in
      sound.mappingColours { $0 / 85 * 85 }
    },
    coloured("default-in-grey", .default, "The default quality is grey.") { raster, _ in
      raster.grey()
    }.marked(.open),
    Fault("colours-shifted", .quality, "Every sample is three levels higher.") { faulty, sound in
      faulty.colour = { raster, plan in
        sound.colour(raster, plan).mappingColours { $0 > 252 ? 255 : $0 + 3 }
      }
    },
    reads("quality-unknown-served", .quality, \.quality, "Unknown qualities are the default.") {
      Quality(rawValue: $0) == nil ? "default" : $0
    }.marked(.recommendation),
  ]

  /// Creates a fault of one quality.
  ///
  /// `change` receives the pixels before and after the correct conversion.
  private static func coloured(
    _ name: String, _ quality: Quality, _ summary: String,
    _ change: @escaping @Sendable (_ raster: Pixels, _ sound: Pixels) -> Pixels
  ) -> Fault {
    Fault(name, .quality, summary) { faulty, sound in
      faulty.colour = { raster, plan in
        let right = sound.colour(raster, plan)
        return plan.request.quality == quality ? change(raster, right) : right
      }
    }
  }
}
