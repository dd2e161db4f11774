import ForeignPipelines

/// Faults of regions in percent, and of regions that reach beyond the picture.
extension ServerFaults {
  static let percentages: [Fault] = [
    percent("pct-truncated", "Percentages of a region are cut to whole ones.", "specification 4.1")
    {
      ($0.rounded(.down), $1.rounded(.down), $2.rounded(.down), $3.rounded(.down))
    },
    Fault(
      "pct-of-shorter-side", .region, "Percentages of a region are of the shorter side.",
      "specification 4.1"
    ) { faulty, sound in
      let (width, height) = (Double(sound.source.width), Double(sound.source.height))
      faulty.box = onPercent(sound) { x, y, w, h in
        let (across, down) = (min(width, height) / width, min(width, height) / height)
        return (x * across, y * down, w * across, h * down)
      }
    },
    Fault(
      "pct-of-other-side", .region, "Horizontal percentages are of the height, and vice versa.",
      "specification 4.1"
    ) { faulty, sound in
      let ratio = Double(sound.source.height) / Double(sound.source.width)
      faulty.box = onPercent(sound) { ($0 * ratio, $1 / ratio, $2 * ratio, $3 / ratio) }
    },
    percent(
      "pct-right-bottom", "The third and fourth percentage are the right and lower edge.",
      "specification 4.1"
    ) {
      ($0, $1, max(0, $2 - $0), max(0, $3 - $1))
    },
    percent(
      "pct-size-of-the-rest", "Width and height in percent are of what is left.",
      "specification 4.1"
    ) {
      ($0, $1, $2 * (100 - min($0, 100)) / 100, $3 * (100 - min($1, 100)) / 100)
    },
    percent("pct-x-y-swapped", "The first two percentages change places.", "specification 4.1") {
      ($1, $0, $2, $3)
    },
    percent("pct-of-thousand", "A percentage is a thousandth.", "specification 4.1") {
      ($0 / 10, $1 / 10, $2 / 10, $3 / 10)
    },
    Fault("pct-as-pixels", .region, "Percentages of a region are pixels.", "specification 4.1") {
      faulty, sound in
      faulty.region = { text throws(RequestError) in
        let form = try sound.region(text)
        guard case .percent(let x, let y, let width, let height) = form else { return form }
        return .pixels(
          x: Int(min(x, 1e6)), y: Int(min(y, 1e6)), width: Int(min(width, 1e6)),
          height: Int(min(height, 1e6)))
      }
    },
    Fault(
      "pct-refused", .region, "Regions in percent are refused at level 2.", "compliance 3.1"
    ) { faulty, sound in
      faulty.region = { text throws(RequestError) in
        guard !text.hasPrefix("pct:") else { throw RequestError(status: 501, "no percentages") }
        return try sound.region(text)
      }
    },
    Fault(
      "pct-halves-down", .region, "Half a pixel of a region in percent is rounded down.",
      "Cantaloupe#418", .open
    ) { faulty, sound in
      faulty.box = onPercent(sound) { (max(0, $0 - 1e-9), max(0, $1 - 1e-9), $2, $3) }
    },
  ]

  static let overhangs: [Fault] = [
    Fault(
      "overhang-padded", .region, "What a region has outside the picture is black, not cut off.",
      "specification 4.1", .recommendation
    ) { faulty, sound in
      faulty.box = unclipped(sound)
      faulty.crop = { source, plan in
        let box = plan.box
        return source.gathered(width: box.width, height: box.height) { x, y in
          box.x + x < source.width && box.y + y < source.height ? (box.x + x, box.y + y) : nil
        }
      }
    },
    Fault(
      "overhang-smeared", .region, "What a region has outside the picture repeats the edge.",
      "specification 4.1", .recommendation
    ) { faulty, sound in faulty.box = unclipped(sound) },
    Fault(
      "overhang-shifted", .region, "A region that leaves the picture is moved into it.",
      "specification 4.1", .recommendation
    ) { faulty, sound in
      let box = unclipped(sound)
      faulty.box = { form throws(RequestError) in
        let box = try box(form)
        return box.moved(x: box.x, y: box.y, in: sound.source.size)
          .clipped(to: sound.source.size) ?? box
      }
    },
    Fault(
      "overhang-stretched", .region, "What is left of a region is stretched to all of it.",
      "specification 4.1", .recommendation
    ) { faulty, sound in
      faulty.box = unclipped(sound)
      faulty.crop = { source, plan in
        sound.crop(source, plan.clipped).scaled(to: plan.box.size)
      }
    },
    Fault(
      "overhang-refused", .region, "A region that leaves the picture is refused.",
      "specification 4.1", .recommendation
    ) { faulty, sound in
      let picture = sound.source.size
      faulty.box = { form throws(RequestError) in
        let asked = sound.geometry.requested(form)
        guard asked.x + asked.width <= picture.width, asked.y + asked.height <= picture.height
        else { throw RequestError("the region leaves the picture") }
        return try sound.box(form)
      }
    },
    empty("empty-region-whole", "An empty region is the whole picture.") { sound, _ in
      Box(whole: sound.source.size)
    },
    empty("empty-region-one-pixel", "An empty region gets one pixel.") { sound, box in
      Box(x: box.x, y: box.y, width: max(1, box.width), height: max(1, box.height))
        .clipped(to: sound.source.size) ?? Box(x: 0, y: 0, width: 1, height: 1)
    },
    Fault(
      "empty-region-500", .region, "An empty region is an internal error.", "hymir#277",
      .recommendation
    ) { faulty, sound in
      faulty.box = { form throws(RequestError) in
        guard !sound.geometry.requested(form).size.isEmpty else {
          throw RequestError(status: 500, "division by zero")
        }
        return try sound.box(form)
      }
    },
    Fault(
      "empty-region-hangs", .region, "An empty region is never answered.", "iipsrv#52"
    ) { faulty, sound in
      faulty.exchange = { request, answer throws(ServerFailure) in
        let region = request.path.split(separator: "/").first.map(String.init) ?? ""
        if let form = try? sound.region(region), sound.geometry.requested(form).size.isEmpty {
          throw ServerFailure("no answer in time")
        }
        return try answer(request)
      }
    },
    Fault(
      "outside-last-pixel", .region, "A region outside the picture gives the nearest pixels.",
      "specification 4.1", .recommendation
    ) { faulty, sound in
      faulty.box = { form throws(RequestError) in
        let asked = sound.geometry.requested(form)
        guard !asked.size.isEmpty, asked.clipped(to: sound.source.size) == nil else {
          return try sound.box(form)
        }
        return Box(
          x: min(asked.x, sound.source.width - 1), y: min(asked.y, sound.source.height - 1),
          width: 1, height: 1)
      }
    },
    outside("outside-500", "A region outside the picture is an internal error.", 500),
    outside("outside-404", "A region outside the picture is not found.", 404),
  ]

  private static func percent(
    _ name: String, _ summary: String, _ origin: String,
    _ change:
      @escaping @Sendable (Double, Double, Double, Double) -> (
        Double, Double, Double, Double
      )
  ) -> Fault {
    Fault(name, .region, summary, origin) { faulty, sound in
      faulty.box = onPercent(sound, change)
    }
  }

  private static func onPercent(
    _ sound: Stages,
    _ change:
      @escaping @Sendable (Double, Double, Double, Double) -> (
        Double, Double, Double, Double
      )
  ) -> @Sendable (RegionForm) throws(RequestError) -> Box {
    { form throws(RequestError) in
      guard case .percent(let x, let y, let width, let height) = form else {
        return try sound.box(form)
      }
      let read = change(x, y, width, height)
      return try sound.box(.percent(x: read.0, y: read.1, width: read.2, height: read.3))
    }
  }

  /// Returns the requested region if part of it is inside the picture, with a bounded size.
  private static func unclipped(
    _ sound: Stages
  ) -> @Sendable (RegionForm) throws(RequestError) -> Box {
    { form throws(RequestError) in
      let clipped = try sound.box(form)
      var box = sound.geometry.requested(form)
      // A request for millions of pixels must not exhaust the memory of a test.
      box.width = min(box.width, clipped.width + 1000)
      box.height = min(box.height, clipped.height + 1000)
      return box
    }
  }

  private static func empty(
    _ name: String, _ summary: String, _ replacement: @escaping @Sendable (Stages, Box) -> Box
  ) -> Fault {
    Fault(name, .region, summary, "specification 4.1", .recommendation) { faulty, sound in
      faulty.box = { form throws(RequestError) in
        let asked = sound.geometry.requested(form)
        return asked.size.isEmpty ? replacement(sound, asked) : try sound.box(form)
      }
    }
  }

  private static func outside(_ name: String, _ summary: String, _ status: Int) -> Fault {
    Fault(name, .region, summary, "specification 4.1", .recommendation) { faulty, sound in
      faulty.box = { form throws(RequestError) in
        let asked = sound.geometry.requested(form)
        guard asked.size.isEmpty || asked.clipped(to: sound.source.size) != nil else {
          throw RequestError(status: status, "outside")
        }
        return try sound.box(form)
      }
    }
  }
}

extension Plan {
  var clipped: Plan {
    var plan = self
    plan.box = box.clipped(to: picture) ?? box
    return plan
  }
}
