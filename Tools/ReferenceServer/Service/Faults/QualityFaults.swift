import ZoomPipeline

/// Faults of colours.
extension ServerFaults {
  static let qualities: [Fault] = [
    before("channels-swapped", "Red and blue change places.") { $0.reordered(2, 1, 0) },
    coloured("gray-in-colour", .gray, "`gray` is in colour.") { raster, _ in raster },
    coloured("gray-inverted", .gray, "`gray` is a negative.", needs: []) { _, sound in
      sound.mappingColours { 255 - $0 }
    },
    coloured("gray-posterised", .gray, "`gray` has sixteen shades.", needs: []) { _, sound in
      sound.mappingColours { $0 / 16 * 17 }
    },
    coloured("gray-of-red", .gray, "`gray` is the red channel.", .open) { raster, _ in
      raster.weighed(1000, 0, 0)
    },
    coloured("gray-by-mean", .gray, "`gray` is the mean of the channels.", .open) { raster, _ in
      raster.weighed(333, 334, 333)
    },
    coloured("gray-by-bt709", .gray, "`gray` has the weights of BT.709.", .open) { raster, _ in
      raster.weighed(213, 715, 72)
    },
    coloured("gray-in-three-bands", .gray, "`gray` has three equal channels.", .open) { _, sound in
      sound.isColour
        ? sound
        : sound.mapped(bands: sound.bands + 2) { pixel in
          [UInt8](repeating: pixel[pixel.startIndex], count: 3) + pixel.dropFirst()
        }
    },
    coloured("bitonal-in-grey", .bitonal, "`bitonal` has shades of grey.", needs: []) {
      raster, _ in raster.grey()
    },
    coloured("bitonal-inverted", .bitonal, "`bitonal` is a negative.", needs: []) { _, sound in
      sound.mappingColours { 255 - $0 }
    },
    coloured("bitonal-in-colour", .bitonal, "`bitonal` has eight colours.") { raster, _ in
      raster.mappingColours { $0 < 128 ? 0 : 255 }
    },
    coloured("bitonal-dithered", .bitonal, "`bitonal` is dithered.", .open, needs: []) {
      raster, _ in
      // A checkerboard of two thresholds.
      let grey = raster.grey()
      var bytes = grey.bytes
      for place in stride(from: 0, to: bytes.count, by: grey.bands) {
        let pixel = place / grey.bands
        let isOdd = (pixel % grey.width + pixel / grey.width) % 2 == 1
        bytes[place] = bytes[place] < (isOdd ? 85 : 170) ? 0 : 255
      }
      return Pixels(grey.extent, bands: grey.bands, bytes)
    },
    refuses("color-refused", .quality, \.quality, "`color` is refused.") { text, _ in
      text == "color"
    },
    refuses(
      "gray-refused", .quality, \.quality, "`gray` is refused at level 2.", from: "compliance 3.4"
    ) { text, _ in text == "gray" },
    coloured("color-in-grey", .color, "`color` is in grey.") { raster, _ in raster.grey() },
    coloured("color-posterised", .color, "`color` has 64 colours.", needs: []) { _, sound in
      sound.mappingColours { $0 / 85 * 85 }
    },
    coloured("default-in-grey", .default, "The default quality is grey.", .open) { raster, _ in
      raster.grey()
    },
    after("colours-shifted", "Every sample is three levels higher.", needs: []) {
      $0.mappingColours { $0 > 252 ? 255 : $0 + 3 }
    },
    before(
      "quality-of-first-band", "Of a picture in colours only the red channel is shown in three."
    ) { $0.reordered(0, 0, 0) },
    reads(
      "quality-unknown-served", .quality, \.quality, "A quality that is unknown is the default.",
      .recommendation
    ) { Quality(rawValue: $0) == nil ? "default" : $0 },
    reads(
      "quality-any-case", .quality, \.quality, "Qualities are read in any case.", .open
    ) { $0.lowercased() },
    after("alpha-dropped", "Alpha is taken away, and what it hid appears.", .open) { raster in
      raster.hasAlpha ? raster.mapped(bands: raster.bands - 1) { Array($0.dropLast()) } : raster
    },
    after("alpha-on-black", "What is transparent is on black.", .open) { $0.flattened(over: 0) },
    Fault(
      "alpha-multiplied", .quality, "Colours are multiplied by alpha, and stored as if not.",
      needs: [.alpha]
    ) { faulty, sound in
      faulty.crop = { source, plan in
        let raster = sound.crop(source, plan)
        guard raster.hasAlpha else { return raster }
        return raster.mapped(bands: raster.bands) { pixel in
          let alpha = Int(pixel.last ?? 255)
          return pixel.dropLast().map { UInt8(Int($0) * alpha / 255) } + pixel.suffix(1)
        }
      }
    },
    Fault(
      "gray-before-turning", .quality, "Colours are taken away before quarter turns.", .equivalent,
      from: "specification 4.6"
    ) { faulty, sound in
      faulty.turn = { raster, plan in
        plan.request.rotation.quarterTurns == nil
          ? sound.turn(raster, plan) : sound.turn(sound.colour(raster, plan), plan)
      }
    },
  ]

  /// Creates a fault of one quality; `change` receives the pixels before and after the correct conversion.
  private static func coloured(
    _ name: String, _ quality: Quality, _ summary: String, _ standing: Fault.Standing = .breach,
    needs: Set<Fault.Need> = [.colour],
    _ change: @escaping @Sendable (_ raster: Pixels, _ sound: Pixels) -> Pixels
  ) -> Fault {
    Fault(name, .quality, summary, standing, needs: needs) { faulty, sound in
      faulty.colour = { raster, plan in
        let right = sound.colour(raster, plan)
        return plan.request.quality == quality ? change(raster, right) : right
      }
    }
  }

  /// Creates a fault of every quality that changes the pixels before their conversion.
  private static func before(
    _ name: String, _ summary: String, _ change: @escaping @Sendable (Pixels) -> Pixels
  ) -> Fault {
    Fault(name, .quality, summary, needs: [.colour]) { faulty, sound in
      faulty.colour = { raster, plan in sound.colour(change(raster), plan) }
    }
  }

  /// Creates a fault of every quality that changes the pixels after their conversion.
  private static func after(
    _ name: String, _ summary: String, _ standing: Fault.Standing = .breach,
    needs: Set<Fault.Need> = [.alpha], _ change: @escaping @Sendable (Pixels) -> Pixels
  ) -> Fault {
    Fault(name, .quality, summary, standing, needs: needs) { faulty, sound in
      faulty.colour = { raster, plan in change(sound.colour(raster, plan)) }
    }
  }
}

extension Pixels {
  /// Returns the pixels with their colour bands in another order; grey is unchanged.
  fileprivate func reordered(_ first: Int, _ second: Int, _ third: Int) -> Pixels {
    guard isColour else { return self }
    return mapped(bands: bands) { pixel in
      let start = pixel.startIndex
      return [pixel[start + first], pixel[start + second], pixel[start + third]]
        + pixel.dropFirst(3)
    }
  }
}
