import ForeignPipelines

/// Faults of info.json.
extension ServerFaults {
  static let documents: [Fault] = [
    document("info-sides-swapped", "The picture's width and height change places.") { info, _ in
      (info["width"], info["height"]) = (info["height"], info["width"])
    },
    document("info-width-one-more", "The picture's width is one more than it is.") { info, sound in
      info["width"] = .number(sound.source.width + 1)
    },
    document("info-height-one-less", "The picture's height is one less than it is.") {
      info, sound in info["height"] = .number(max(1, sound.source.height - 1))
    },
    document("info-width-as-text", "The picture's width is a text.") { info, sound in
      info["width"] = .text("\(sound.source.width)")
    },
    document("info-context-of-other-version", "@context names the other version.") {
      info, sound in info["@context"] = .text(sound.settings.api.other.context)
    },
    without("info-context-missing", "@context is missing.", "@context"),
    document("info-context-not-last", "An extension's context follows the API's.") { info, sound in
      info["@context"] = .texts([sound.settings.api.context, "http://example.org/context.json"])
    }.marked(only: .version3),
    document("info-id-with-slash", "The id ends in a slash.") { info, sound in
      info[sound.idKey] = .text(sound.settings.address + "/")
    },
    document("info-id-of-document", "The id is the address of info.json.") { info, sound in
      info[sound.idKey] = .text(sound.settings.address + "/info.json")
    },
    document("info-id-of-other-picture", "The id is another picture's.") { info, sound in
      info[sound.idKey] = .text(sound.settings.address + "2")
    },
    document("info-id-missing", "The id is missing.") { info, sound in info[sound.idKey] = nil },
    without("info-type-missing", "The type is missing.", "type").marked(only: .version3),
    document("info-type-of-version-2", "The type is ImageService2.") { info, _ in
      info["type"] = .text("ImageService2")
    }.marked(only: .version3),
    without("info-protocol-missing", "The protocol is missing.", "protocol"),
    document("info-protocol-https", "The protocol is spelled with https.") { info, _ in
      info["protocol"] = .text("https://iiif.io/api/image")
    },
    document("info-profile-of-level-0", "The profile is level 0.") { info, sound in
      info.setLevel(0, sound.settings.api)
    }.marked(.recommendation),
    document("info-profile-of-level-3", "The profile is level 3, which does not exist.") {
      info, sound in info.setLevel(3, sound.settings.api)
    },
    document("info-profile-of-other-form", "The profile has the other version's form.") {
      info, sound in
      info["profile"] =
        sound.settings.api == .version2
        ? .text("level2") : .list([.text(sound.settings.api.profile(level: 2))])
    },
    without(
      "info-upscaling-without-limit", "sizeUpscaling is listed, and no limit is.", "maxWidth",
      "maxHeight", "maxArea"
    ).marked(only: .version3),
    document("info-height-limit-alone", "maxHeight is given without maxWidth.") { info, sound in
      let height = JSONValue.number(sound.source.height * 2)
      info.changeLimits(sound.settings.api) { limits in
        (limits["maxWidth"], limits["maxHeight"]) = (nil, height)
      }
    },
    document("info-limit-too-large", "maxWidth is twice the limit.") { info, sound in
      info.changeLimits(sound.settings.api) { limits in
        if case .number(let width)? = limits["maxWidth"] { limits["maxWidth"] = .number(width * 2) }
      }
    },
    document("info-sizes-beyond-limits", "sizes lists the whole picture beyond the limits.") {
      info, sound in info.change("sizes") { $0 + [.size(sound.source.extent)] }
    }.marked(needs: [.limits]),
    document("info-sizes-larger-than-picture", "sizes lists twice the picture.") { info, sound in
      let size = Extent(width: sound.source.width * 2, height: sound.source.height * 2)
      info.change("sizes") { $0 + [.size(size)] }
    }.marked(only: .version3),
    document("info-sizes-transposed", "The sizes' width and height change places.") { info, _ in
      info.changeEach("sizes") { ($0["width"], $0["height"]) = ($0["height"], $0["width"]) }
    },
    document("info-size-without-height", "A size lacks its height.") { info, _ in
      info.changeEach("sizes") { $0["height"] = nil }
    },
    document("info-tiles-beyond-limits", "Tiles are larger than the limits.") { info, sound in
      let side = max(sound.source.width, sound.source.height)
      info["tiles"] = .list([
        .members(("width", .number(side)), ("scaleFactors", .list([.number(1)])))
      ])
    }.marked(needs: [.limits]),
    document("info-tiles-twice", "Tiles of one size are listed twice.") { info, _ in
      info.change("tiles") { $0 + $0 }
    },
    document("info-tiles-without-factors", "Tiles lack scaleFactors.") { info, _ in
      info.changeEach("tiles") { $0["scaleFactors"] = nil }
    },
    document("info-factors-as-texts", "The scale factors are texts.") { info, _ in
      info.changeEach("tiles") { tile in
        tile.change("scaleFactors") { $0.map { .text($0.serialized) } }
      }
    },
    document("info-factor-zero", "A scale factor is 0.") { info, _ in
      info.changeEach("tiles") { tile in tile.change("scaleFactors") { [.number(0)] + $0 } }
    },
    without(
      "info-qualities-missing", "Qualities beyond the default are not listed.", "extraQualities"
    ).marked(only: .version3),
    document("info-quality-not-served", "A quality is listed that is refused.") { info, _ in
      info.change("extraQualities") { $0 + [.text("sepia")] }
    }.marked(only: .version3),
    document("info-format-not-served", "A format is listed that is refused.") { info, _ in
      info["extraFormats"] = .texts(["webp"])
    }.marked(only: .version3),
    document("info-preferred-not-served", "A format is preferred that is refused.") { info, _ in
      info["preferredFormats"] = .texts(["webp", "png"])
    }.marked(only: .version3),
    document("info-color-of-grey", "color is listed for a grey picture.") { info, sound in
      if !sound.source.isColour { info["extraQualities"] = .texts(["color", "gray", "bitonal"]) }
    }.marked(.recommendation, only: .version3, needs: [.grey]),
    without("info-without-sizes", "sizes is missing.", "sizes").marked(.open),
    without("info-without-tiles", "tiles is missing.", "tiles").marked(.open),
    typed("info-type-html", "info.json is sent as text/html.") { _, _ in "text/html" }
      .marked(.recommendation),
    typed("info-never-linked", "JSON-LD is not sent when it is asked for.") { _, _ in
      Negotiation.plain
    }.marked(from: "compliance 4"),
    typed("info-always-linked", "JSON-LD is sent unasked.") { _, _ in Negotiation.linked }
      .marked(from: "2.1 specification 5.1", only: .version2),
    typed("info-accept-ignored", "JSON-LD is sent to clients that accept only plain JSON.") {
      _, sound in sound.informationType(nil)
    }.marked(.recommendation, only: .version3),
    typed("info-type-without-profile", "The media type of JSON-LD lacks its profile.") {
      accept, sound in
      sound.informationType(accept).split(separator: ";").first.map(String.init) ?? ""
    }.marked(.recommendation, only: .version3),
    raw("info-not-json", "info.json has a comma after its last member.") { $0.dropLast() + ",}" },
    raw("info-cut", "info.json ends in its middle.") { String($0.prefix($0.count / 2)) },
    raw("info-in-list", "info.json is a list of one object.") { "[\($0)]" },
  ]

  private static func document(
    _ name: String, _ summary: String,
    _ change: @escaping @Sendable (inout JSONValue, Stages) -> Void
  ) -> Fault {
    Fault(name, .protocol, summary) { faulty, sound in
      faulty.information = {
        var information = sound.information()
        change(&information, sound)
        return information
      }
    }.marked(from: "specification 5")
  }

  private static func without(_ name: String, _ summary: String, _ keys: String...) -> Fault {
    document(name, summary) { info, _ in
      for key in keys { info[key] = nil }
    }
  }

  private static func typed(
    _ name: String, _ summary: String, _ type: @escaping @Sendable (String?, Stages) -> String
  ) -> Fault {
    Fault(name, .protocol, summary) { faulty, sound in
      faulty.informationType = { type($0, sound) }
    }.marked(from: "specification 5.1")
  }

  /// Creates a fault of the text of info.json.
  private static func raw(
    _ name: String, _ summary: String, _ change: @escaping @Sendable (String) -> String
  ) -> Fault {
    Fault(name, .protocol, summary) { faulty, _ in
      faulty.exchange = { request, answer throws(ServerFailure) in
        let isHead = request.method == .head
        guard request.path == "/info.json", isHead || request.method == .get else {
          return try answer(request)
        }
        var answered = try answer(ServerRequest("/info.json", headers: request.headers))
        answered.body = Array(change(String(decoding: answered.body, as: UTF8.self)).utf8)
        answered.headers["content-length"] = "\(answered.body.count)"
        if isHead { answered.body = [] }
        return answered
      }
    }.marked(from: "specification 5.1")
  }
}

extension Stages {
  fileprivate var idKey: String { settings.api == .version2 ? "@id" : "id" }
}

extension JSONValue {
  /// Changes the items of a list under a key; a missing list counts as empty.
  fileprivate mutating func change(_ key: String, _ change: ([JSONValue]) -> [JSONValue]) {
    self[key] = .list(change(self[key]?.items ?? []))
  }

  fileprivate mutating func changeEach(_ key: String, _ change: (inout JSONValue) -> Void) {
    self.change(key) { items in
      items.map { item in
        var item = item
        change(&item)
        return item
      }
    }
  }

  fileprivate mutating func setLevel(_ level: Int, _ api: ReferenceAPI) {
    guard api == .version2 else {
      self["profile"] = .text("level\(level)")
      return
    }
    change("profile") { [.text(api.profile(level: level))] + $0.dropFirst() }
  }

  /// Changes the object that holds the limits: the profile in version 2, the document in version 3.
  fileprivate mutating func changeLimits(_ api: ReferenceAPI, _ change: (inout JSONValue) -> Void) {
    guard api == .version2 else { return change(&self) }
    guard var items = self["profile"]?.items, items.count > 1 else { return }
    change(&items[1])
    self["profile"] = .list(items)
  }
}
