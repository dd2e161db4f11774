/// Faults of info.json.
extension ServerFaults {
  static let documents: [Fault] = [
    document("info-sides-swapped", "The picture's width and height change places.") { info, _ in
      (info["width"], info["height"]) = (info["height"], info["width"])
    },
    document("info-width-one-more", "The width is one more than the picture's.") { info, sound in
      info["width"] = sound.source.width + 1
    },
    document("info-width-as-text", "The picture's width is a text.") { info, sound in
      info["width"] = "\(sound.source.width)"
    },
    document("info-context-of-other-version", "@context names the other version.") {
      info, sound in info["@context"] = sound.settings.api.other.context
    },
    document("info-context-not-last", "An extension's context follows the API's.") { info, sound in
      info["@context"] = [sound.settings.api.context, "http://example.org/context.json"]
    }.marked(only: .version3),
    document("info-id-with-slash", "The id ends in a slash.") { info, sound in
      info[sound.idKey] = sound.settings.address + "/"
    },
    document("info-id-of-document", "The id is the address of info.json.") { info, sound in
      info[sound.idKey] = sound.settings.address + "/info.json"
    },
    document("info-id-missing", "The id is missing.") { info, sound in info[sound.idKey] = nil },
    document("info-type-of-version-2", "The type is ImageService2.") { info, _ in
      info["type"] = "ImageService2"
    }.marked(only: .version3),
    document("info-protocol-https", "The protocol is spelled with https.") { info, _ in
      info["protocol"] = "https://iiif.io/api/image"
    },
    document("info-profile-of-level-0", "The profile is level 0.") { info, sound in
      if sound.settings.api == .version2 {
        info.change("profile") { [sound.settings.api.profile(level: 0)] + $0.dropFirst() }
      } else {
        info["profile"] = "level0"
      }
    }.marked(.recommendation),
    document("info-profile-of-other-form", "The profile has the other version's form.") {
      info, sound in
      if sound.settings.api == .version2 {
        info["profile"] = "level2"
      } else {
        info["profile"] = [sound.settings.api.profile(level: 2)]
      }
    },
    without(
      "info-upscaling-without-limit", "sizeUpscaling is listed, and no limit is.", "maxWidth",
      "maxHeight", "maxArea"
    ).marked(only: .version3),
    document("info-height-limit-alone", "maxHeight is given without maxWidth.") { info, sound in
      info.changeLimits(sound.settings.api) { limits in
        limits["maxWidth"] = nil
        limits["maxHeight"] = sound.source.height * 2
      }
    },
    document("info-limit-too-large", "maxWidth is twice the limit.") { info, sound in
      info.changeLimits(sound.settings.api) { limits in
        if let width = limits["maxWidth"] as? Int { limits["maxWidth"] = width * 2 }
      }
    },
    document("info-sizes-beyond-limits", "sizes lists the whole picture beyond the limits.") {
      info, sound in info.change("sizes") { $0 + [sound.source.extent.members] }
    }.marked(needs: [.limits]),
    document("info-sizes-larger-than-picture", "sizes lists twice the picture.") { info, sound in
      let size = Extent(width: sound.source.width * 2, height: sound.source.height * 2)
      info.change("sizes") { $0 + [size.members] }
    }.marked(only: .version3),
    document("info-sizes-transposed", "The sizes' width and height change places.") { info, _ in
      info.changeEach("sizes") { ($0["width"], $0["height"]) = ($0["height"], $0["width"]) }
    },
    document("info-size-without-height", "A size lacks its height.") { info, _ in
      info.changeEach("sizes") { $0["height"] = nil }
    },
    document("info-tiles-beyond-limits", "Tiles are larger than the limits.") { info, sound in
      let side = max(sound.source.width, sound.source.height)
      let tile: [String: Any] = ["width": side, "scaleFactors": [1]]
      info["tiles"] = [tile]
    }.marked(needs: [.limits]),
    document("info-tiles-twice", "Tiles of one size are listed twice.") { info, _ in
      info.change("tiles") { $0 + $0 }
    },
    document("info-factors-as-texts", "The scale factors are texts.") { info, _ in
      info.changeEach("tiles") { tile in
        tile.change("scaleFactors") { factors in factors.map { "\($0)" } }
      }
    },
    without(
      "info-qualities-missing", "Qualities beyond the default are not listed.", "extraQualities"
    ).marked(only: .version3),
    document("info-quality-not-served", "A quality is listed that is refused.") { info, _ in
      info.change("extraQualities") { $0 + ["sepia"] }
    }.marked(only: .version3),
    document("info-format-not-served", "A format is listed that is refused.") { info, _ in
      info["extraFormats"] = ["webp"]
    }.marked(only: .version3),
    document("info-preferred-not-served", "A format is preferred that is refused.") { info, _ in
      info["preferredFormats"] = ["webp", "png"]
    }.marked(only: .version3),
    document("info-color-of-grey", "color is listed for a grey picture.") { info, sound in
      if !sound.source.isColour { info["extraQualities"] = ["color", "gray", "bitonal"] }
    }.marked(.recommendation, only: .version3, needs: [.grey]),
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
  ]

  private static func document(
    _ name: String, _ summary: String,
    _ change: @escaping @Sendable (inout [String: Any], Stages) -> Void
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
    Fault(name, .protocol, summary) { faulty, sound in
      faulty.serialized = { document in
        Array(change(String(decoding: sound.serialized(document), as: UTF8.self)).utf8)
      }
    }.marked(from: "specification 5.1")
  }
}

extension Stages {
  fileprivate var idKey: String { settings.api == .version2 ? "@id" : "id" }
}

extension [String: Any] {
  /// Changes the elements of a list under a key; a missing list counts as empty.
  fileprivate mutating func change(_ key: String, _ change: ([Any]) -> [Any]) {
    self[key] = change(self[key] as? [Any] ?? [])
  }

  /// Changes each object of a list under a key.
  fileprivate mutating func changeEach(_ key: String, _ change: (inout [String: Any]) -> Void) {
    self.change(key) { elements in
      elements.map { element in
        var members = element as? [String: Any] ?? [:]
        change(&members)
        return members
      }
    }
  }

  /// Changes the object that holds the limits: the profile in version 2, the document in version 3.
  fileprivate mutating func changeLimits(
    _ api: ReferenceAPI, _ change: (inout [String: Any]) -> Void
  ) {
    guard api == .version2 else { return change(&self) }
    guard var profile = self["profile"] as? [Any], profile.count > 1,
      var offers = profile[1] as? [String: Any]
    else { return }
    change(&offers)
    profile[1] = offers
    self["profile"] = profile
  }
}
