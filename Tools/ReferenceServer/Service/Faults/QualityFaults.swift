import ZoomPipeline

/// Faults of colours.
extension ServerFaults {
  static let qualities: [Fault] = [
    before("channels-swapped", "Red and blue change places.") { $0.reordered(2, 1, 0) },
    coloured("gray-in-colour", .gray, "`gray` is in colour.") { raster, _ in raster },
    coloured("gray-inverted", .gray, "`gray` is a negative.") { _, sound in
      sound.mappingColours { 255 - $0 }
    }.marked(needs: []),
    coloured("gray-posterised", .gray, "`gray` has sixteen shades.") { _, sound in
      sound.mappingColours { $0 / 16 * 17 }
    }.marked(needs: []),
    coloured("gray-of-red", .gray, "`gray` is the red channel.") { raster, _ in
      raster.weighed(1000, 0, 0)
    }.marked(.open),
    coloured("gray-by-mean", .gray, "`gray` is the mean of the channels.") { raster, _ in
      raster.weighed(333, 334, 333)
    }.marked(.open),
    coloured("gray-by-bt709", .gray, "`gray` has the weights of BT.709.") { raster, _ in
      raster.weighed(213, 715, 72)
    }.marked(.open),
    coloured("gray-in-three-bands", .gray, "`gray` has three equal channels.") { _, sound in
      sound.isColour
        ? sound
        : sound.mapped(bands: sound.bands + 2) { pixel in
          [UInt8](repeating: pixel[pixel.startIndex], count: 3) + pixel.dropFirst()
        }
    }.marked(.open),
    coloured("bitonal-in-grey", .bitonal, "`bitonal` has shades of grey.") { raster, _ in
      raster.grey()
    }.marked(needs: []),
    coloured("bitonal-inverted", .bitonal, "`bitonal` is a negative.") { _, sound in
      sound.mappingColours { 255 - $0 }
    }.marked(needs: []),
    coloured("bitonal-in-colour", .bitonal, "`bitonal` has eight colours.") { raster, _ in
      raster.mappingColours { $0 < 128 ? 0 : 255 }
    },
    coloured("bitonal-dithered", .bitonal, "`bitonal` is dithered.") { raster, _ in
      // A checkerboard of two thresholds.
      let grey = raster.grey()
      var bytes = grey.bytes
      for place in stride(from: 0, to: bytes.count, by: grey.bands) {
        let pixel = place / grey.bands
        let isOdd = (pixel % grey.width + pixel / grey.width) % 2 == 1
        bytes[place] = bytes[place] < (isOdd ? 85 : 170) ? 0 : 255
      }
      return Pixels(grey.extent, bands: grey.bands, bytes)
    }.marked(.open, needs: []),
    refuses("color-refused", .quality, \.quality, "`color` is refused.") { text, _ in
      text == "color"
    },
    refuses("gray-refused", .quality, \.quality, "`gray` is refused at level 2.") { text, _ in
      text == "gray"
    }.marked(from: "compliance 3.4"),
    coloured("color-in-grey", .color, "`color` is in grey.") { raster, _ in raster.grey() },
    coloured("color-posterised", .color, "`color` has 64 colours.") { _, sound in
      sound.mappingColours { $0 / 85 * 85 }
    }.marked(needs: []),
    coloured("default-in-grey", .default, "The default quality is grey.") { raster, _ in
      raster.grey()
    }.marked(.open),
    after("colours-shifted", "Every sample is three levels higher.") {
      $0.mappingColours { $0 > 252 ? 255 : $0 + 3 }
    },
    before("quality-of-first-band", "Only the red channel is shown, in all three channels.") {
      $0.reordered(0, 0, 0)
    },
    reads("quality-unknown-served", .quality, \.quality, "Unknown qualities are the default.") {
      Quality(rawValue: $0) == nil ? "default" : $0
    }.marked(.recommendation),
    reads("quality-any-case", .quality, \.quality, "Qualities are read in any case.") {
      $0.lowercased()
    }.marked(.open),
    after("alpha-dropped", "Alpha is removed, and hidden colours appear.") { raster in
      raster.hasAlpha ? raster.mapped(bands: raster.bands - 1) { Array($0.dropLast()) } : raster
    }.marked(.open, needs: [.alpha]),
    after("alpha-on-black", "Transparent pixels are on black.") { $0.flattened(over: 0) }
      .marked(.open, needs: [.alpha]),
    Fault("alpha-multiplied", .quality, "Colours are multiplied by alpha, and stored as if not.") {
      faulty, sound in
      faulty.crop = { source, plan in
        let raster = sound.crop(source, plan)
        guard raster.hasAlpha else { return raster }
        return raster.mapped(bands: raster.bands) { pixel in
          let alpha = Int(pixel.last ?? 255)
          return pixel.dropLast().map { UInt8(Int($0) * alpha / 255) } + pixel.suffix(1)
        }
      }
    }.marked(needs: [.alpha]),
    Fault("gray-before-turning", .quality, "Colours are removed before quarter turns.") {
      faulty, sound in
      faulty.turn = { raster, plan in
        plan.request.rotation.quarterTurns == nil
          ? sound.turn(raster, plan) : sound.turn(sound.colour(raster, plan), plan)
      }
    }.marked(.equivalent, from: "specification 4.6"),
  ]

  /// Creates a fault of one quality of a picture in colour.
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
    }.marked(needs: [.colour])
  }

  /// Creates a fault of every quality that changes the pixels before their conversion.
  private static func before(
    _ name: String, _ summary: String, _ change: @escaping @Sendable (Pixels) -> Pixels
  ) -> Fault {
    Fault(name, .quality, summary) { faulty, sound in
      faulty.colour = { raster, plan in sound.colour(change(raster), plan) }
    }.marked(needs: [.colour])
  }

  /// Creates a fault of every quality that changes the pixels after their conversion.
  private static func after(
    _ name: String, _ summary: String, _ change: @escaping @Sendable (Pixels) -> Pixels
  ) -> Fault {
    Fault(name, .quality, summary) { faulty, sound in
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
