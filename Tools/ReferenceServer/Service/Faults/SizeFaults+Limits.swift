/// Faults of `max`, `^` and limits.
extension ServerFaults {
  static let sizeLimits: [Fault] = [
    Fault(
      "max-ignores-limits", .size, "`max` is the region's size, whatever the limits.",
      "specification 4.2", needs: [.limits]
    ) { faulty, sound in
      faulty.scaledSize = { form, box throws(RequestError) in
        form.kind == .max && !form.upscales ? box.size : try sound.scaledSize(form, box)
      }
    },
    Fault(
      "limits-of-width-only", .size, "Only the width is limited, the height is not.",
      "specification 5.2", needs: [.limits]
    ) { faulty, sound in
      let (picture, width) = (sound.source.size, sound.geometry.limits.maxWidth)
      // Four times the longest side, so that an enlarged column of pixels does not exhaust the memory.
      let height = 4 * max(picture.width, picture.height, width ?? 0)
      let only = Geometry(
        picture: picture, api: sound.settings.api,
        limits: SizeLimits(maxWidth: width, maxHeight: height),
        rounding: sound.settings.rounding)
      faulty.scaledSize = { form, box throws(RequestError) in try only.size(form, of: box) }
    },
    Fault(
      "limits-not-enforced", .size, "Sizes beyond the limits are served.", "specification 4.2",
      .recommendation
    ) { faulty, sound in
      // Large enough to show the fault, small enough to keep tests fast.
      let wide = Geometry(
        picture: sound.geometry.picture, api: sound.settings.api,
        limits: SizeLimits(maxArea: 4 << 20), rounding: sound.settings.rounding)
      faulty.scaledSize = { form, box throws(RequestError) in
        form.kind == .max ? try sound.scaledSize(form, box) : try wide.size(form, of: box)
      }
    },
    Fault(
      "limits-clamped", .size, "Sizes beyond the limits are made smaller, not refused.",
      "specification 4.2", .recommendation
    ) { faulty, sound in
      faulty.scaledSize = { form, box throws(RequestError) in
        let size = sound.geometry.calculated(form, of: box)
        let isEnlarged = size.width > box.width || size.height > box.height
        guard !size.isEmpty, !sound.geometry.isAllowed(size), form.upscales || !isEnlarged else {
          return try sound.scaledSize(form, box)
        }
        return sound.geometry.maximum(of: box.size, upscaled: true)
      }
    },
    Fault(
      "max-upscales", .size, "`max` is enlarged as `^max` is.", "specification 4.2", only: .version3
    ) { faulty, sound in
      faulty.size = { text throws(RequestError) in try sound.size(text == "max" ? "^max" : text) }
    },
    Fault(
      "caret-max-not-upscaled", .size, "`^max` is not enlarged.", "specification 4.2",
      only: .version3
    ) { faulty, sound in
      faulty.size = { text throws(RequestError) in try sound.size(text == "^max" ? "max" : text) }
    },
    Fault(
      "caret-ignored", .size, "With `^` an answer is never larger than the region.",
      "specification 4.2", only: .version3
    ) { faulty, sound in
      faulty.scaledSize = { form, box throws(RequestError) in
        let size = try sound.scaledSize(form, box)
        return form.upscales && (size.width > box.width || size.height > box.height)
          ? box.size : size
      }
    },
    Fault(
      "caret-needless", .size, "Without `^` an answer is enlarged, too.", "specification 4.2",
      .recommendation, only: .version3
    ) { faulty, sound in
      faulty.size = { text throws(RequestError) in
        var form = try sound.size(text)
        if form.kind != .max { form.upscales = true }
        return form
      }
    },
    Fault(
      "caret-missing-clamped", .size, "Larger sizes without `^` get the region's size.",
      "specification 4.2", .recommendation, only: .version3
    ) { faulty, sound in
      faulty.scaledSize = { form, box throws(RequestError) in
        let size = sound.geometry.calculated(form, of: box)
        let isEnlarged = size.width > box.width || size.height > box.height
        return isEnlarged && !form.upscales ? box.size : try sound.scaledSize(form, box)
      }
    },
    Fault(
      "caret-refused", .size, "`^` is refused, though sizeUpscaling is listed.",
      "specification 5.7", only: .version3
    ) { faulty, sound in
      faulty.size = { text throws(RequestError) in
        guard !text.hasPrefix("^") else { throw RequestError(status: 501, "no upscaling") }
        return try sound.size(text)
      }
    },
    Fault(
      "confined-upscales", .size, "`!w,h` enlarges a region that is smaller.", "specification 4.2",
      only: .version3
    ) { faulty, sound in
      faulty.size = { text throws(RequestError) in
        var form = try sound.size(text)
        if case .confined = form.kind { form.upscales = true }
        return form
      }
    },
    Fault(
      "full-size-refused", .size, "The size `full` is refused.", "2.1 compliance 3.2",
      only: .version2
    ) { faulty, sound in
      faulty.size = { text throws(RequestError) in
        guard text != "full" else { throw .syntax("size", text) }
        return try sound.size(text)
      }
    },
    Fault(
      "full-size-accepted", .size, "The size `full` of version 2 is served.", "specification 4.2",
      .open, only: .version3
    ) { faulty, sound in
      faulty.size = { text throws(RequestError) in try sound.size(text == "full" ? "max" : text) }
    },
    Fault(
      "pct-size-refused", .size, "Sizes in percent are refused at level 2.", "compliance 3.2"
    ) { faulty, sound in
      faulty.size = { text throws(RequestError) in
        guard !text.contains("pct:") else { throw RequestError(status: 501, "no percentages") }
        return try sound.size(text)
      }
    },
    Fault(
      "confined-refused", .size, "`!w,h` is refused at level 2.", "compliance 3.2"
    ) { faulty, sound in
      faulty.size = { text throws(RequestError) in
        guard !text.contains("!") else { throw RequestError(status: 501, "no confined sizes") }
        return try sound.size(text)
      }
    },
    Fault(
      "exact-distortion-refused", .size, "`w,h` is refused unless it keeps the proportions.",
      "compliance 3.2"
    ) { faulty, sound in
      faulty.scaledSize = { form, box throws(RequestError) in
        let size = try sound.scaledSize(form, box)
        let height = Double(size.width) * Double(box.height) / Double(box.width)
        if case .exact = form.kind, abs(Double(size.height) - height) > 1 {
          throw RequestError(status: 501, "no distortion")
        }
        return size
      }
    },
    Fault(
      "listed-size-off", .size, "A size that info.json lists is a row short when it is asked for.",
      "specification 5.3"
    ) { faulty, sound in
      let sizes = Information(
        geometry: sound.geometry, settings: sound.settings, isColour: sound.source.isColour
      ).sizes
      let picture = sound.source.size
      faulty.scaledSize = { form, box throws(RequestError) in
        var size = try sound.scaledSize(form, box)
        guard case .exact = form.kind, box == Box(whole: picture), sizes.contains(size),
          size != picture, size.height > 1
        else { return size }
        size.height -= 1
        return size
      }
    },
    Fault(
      "tiles-not-served", .size, "Tiles of the largest scale factor are not found.",
      "specification 5.4"
    ) { faulty, sound in
      let information = Information(
        geometry: sound.geometry, settings: sound.settings, isColour: sound.source.isColour)
      let factor = information.scaleFactors.last ?? 1
      faulty.scaledSize = { form, box throws(RequestError) in
        let size = try sound.scaledSize(form, box)
        let isTile =
          box.x % (information.tile.width * factor) == 0
          && box.y % (information.tile.height * factor) == 0
          && size.width == LengthRounding.up.quotient(box.width, factor)
          && abs(size.height - LengthRounding.up.quotient(box.height, factor)) <= 1
        guard !isTile || factor == 1 else {
          throw RequestError(status: 404, "there is no such tile")
        }
        return size
      }
    },
  ]
}
