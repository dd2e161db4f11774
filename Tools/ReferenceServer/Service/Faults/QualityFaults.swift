/// Faults of colours.
extension ServerFaults {
  static let qualities: [Fault] = [
    Fault(
      "channels-swapped", .quality, "Red and blue change places.", "specification 4.4",
      needs: [.colour]
    ) { faulty, sound in
      faulty.colour = { raster, plan in
        sound.colour(raster.reordered(2, 1, 0), plan)
      }
    },
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
      sound.tripled()
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
    coloured(
      "bitonal-dithered", .bitonal, "`bitonal` is dithered.", .open, needs: []
    ) { raster, _ in
      // A checkerboard of two thresholds.
      let grey = raster.grey()
      var dithered = grey
      for place in stride(from: 0, to: grey.samples.count, by: grey.bands) {
        let pixel = place / grey.bands
        let isOdd = (pixel % grey.width + pixel / grey.width) % 2 == 1
        dithered.samples[place] = grey.samples[place] < (isOdd ? 85 : 170) ? 0 : 255
      }
      return dithered
    },
    refused("color-refused", .color, "`color` is refused.", "specification 4.4"),
    refused("gray-refused", .gray, "`gray` is refused at level 2.", "compliance 3.4"),
    coloured("color-in-grey", .color, "`color` is in grey.") { raster, _ in raster.grey() },
    coloured("color-posterised", .color, "`color` has 64 colours.", needs: []) { _, sound in
      sound.mappingColours { $0 / 85 * 85 }
    },
    coloured("default-in-grey", .default, "The default quality is grey.", .open) { raster, _ in
      raster.grey()
    },
    Fault(
      "colours-shifted", .quality, "Every sample is three levels higher.", "specification 4.4"
    ) { faulty, sound in
      faulty.colour = { raster, plan in
        sound.colour(raster, plan).mappingColours { $0 > 252 ? 255 : $0 + 3 }
      }
    },
    Fault(
      "quality-of-first-band", .quality,
      "Of a picture in colours only the red channel is shown in three.",
      "specification 4.4", needs: [.colour]
    ) { faulty, sound in
      faulty.colour = { raster, plan in
        sound.colour(raster.reordered(0, 0, 0), plan)
      }
    },
    Fault(
      "quality-unknown-served", .quality, "A quality that is unknown is the default.",
      "specification 4.4", .recommendation
    ) { faulty, sound in
      faulty.quality = { text throws(RequestError) in (try? sound.quality(text)) ?? .default }
    },
    Fault(
      "quality-any-case", .quality, "Qualities are read in any case.", "specification 4.4", .open
    ) { faulty, sound in
      faulty.quality = { text throws(RequestError) in try sound.quality(text.lowercased()) }
    },
    Fault(
      "alpha-dropped", .quality, "Alpha is taken away, and what it hid appears.",
      "specification 4.4", .open, needs: [.alpha]
    ) { faulty, sound in
      faulty.colour = { raster, plan in sound.colour(raster, plan).withoutAlpha() }
    },
    Fault(
      "alpha-on-black", .quality, "What is transparent is on black.", "specification 4.4", .open,
      needs: [.alpha]
    ) { faulty, sound in
      faulty.colour = { raster, plan in sound.colour(raster, plan).flattened(over: 0) }
    },
    Fault(
      "alpha-multiplied", .quality, "Colours are multiplied by alpha, and stored as if not.",
      "specification 4.4", needs: [.alpha]
    ) { faulty, sound in
      faulty.crop = { source, plan in
        let raster = sound.crop(source, plan)
        return raster.hasAlpha ? raster.multiplied() : raster
      }
    },
    Fault(
      "gray-before-turning", .quality, "Colours are taken away before quarter turns.",
      "specification 4.6", .equivalent
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
    _ change: @escaping @Sendable (_ raster: Raster, _ sound: Raster) -> Raster
  ) -> Fault {
    Fault(name, .quality, summary, "specification 4.4", standing, needs: needs) { faulty, sound in
      faulty.colour = { raster, plan in
        let right = sound.colour(raster, plan)
        return plan.request.quality == quality ? change(raster, right) : right
      }
    }
  }

  private static func refused(
    _ name: String, _ quality: Quality, _ summary: String, _ origin: String
  ) -> Fault {
    Fault(name, .quality, summary, origin) { faulty, sound in
      faulty.quality = { text throws(RequestError) in
        guard text != quality.rawValue else { throw RequestError("no such quality") }
        return try sound.quality(text)
      }
    }
  }
}

extension Raster {
  /// Returns the raster with its colour bands in another order; grey is unchanged.
  fileprivate func reordered(_ first: Int, _ second: Int, _ third: Int) -> Raster {
    guard isColour else { return self }
    var reordered = self
    for start in stride(from: 0, to: samples.count, by: bands) {
      reordered.samples[start] = samples[start + first]
      reordered.samples[start + 1] = samples[start + second]
      reordered.samples[start + 2] = samples[start + third]
    }
    return reordered
  }

  fileprivate func tripled() -> Raster {
    guard !isColour else { return self }
    return mapped(bands: bands + 2) { pixel in
      let grey = pixel[pixel.startIndex]
      return [grey, grey, grey] + pixel.dropFirst()
    }
  }

  fileprivate func withoutAlpha() -> Raster {
    hasAlpha ? mapped(bands: bands - 1) { Array($0.dropLast()) } : self
  }

  fileprivate func multiplied() -> Raster {
    mapped { pixel in
      let alpha = Int(pixel.last ?? 255)
      return pixel.dropLast().map { UInt8(Int($0) * alpha / 255) } + pixel.suffix(1)
    }
  }
}
