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
      info, sound in
      info["height"] = .number(max(1, sound.source.height - 1))
    },
    document("info-width-as-text", "The picture's width is a text.") { info, sound in
      info["width"] = .text("\(sound.source.width)")
    },
    document("info-context-of-other-version", "@context is that of the other version.") {
      info, sound in
      let api = sound.settings.api
      info["@context"] = .text((api == .version2 ? ReferenceAPI.version3 : .version2).context)
    },
    document("info-context-missing", "@context is missing.") { info, _ in info["@context"] = nil },
    document(
      "info-context-not-last", "An extension's context stands behind the API's.", only: .version3
    ) {
      info, sound in
      info["@context"] = .texts([sound.settings.api.context, "http://example.org/context.json"])
    },
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
    document("info-type-missing", "The type is missing.", only: .version3) { info, _ in
      info["type"] = nil
    },
    document("info-type-of-version-2", "The type is ImageService2.", only: .version3) { info, _ in
      info["type"] = .text("ImageService2")
    },
    document("info-protocol-missing", "The protocol is missing.") { info, _ in
      info["protocol"] = nil
    },
    document("info-protocol-https", "The protocol is spelled with https.") { info, _ in
      info["protocol"] = .text("https://iiif.io/api/image")
    },
    document("info-profile-of-level-0", "The profile is level 0.", .recommendation) { info, sound in
      info.setLevel(0, sound.settings.api)
    },
    document("info-profile-of-level-3", "The profile is level 3, which there is not.") {
      info, sound in
      info.setLevel(3, sound.settings.api)
    },
    document("info-profile-of-other-form", "The profile has the other version's form.") {
      info, sound in
      info["profile"] =
        sound.settings.api == .version2
        ? .text("level2") : .list([.text(sound.settings.api.profile(level: 2))])
    },
    document(
      "info-upscaling-without-limit", "sizeUpscaling is listed, and no limit is.", only: .version3
    ) {
      info, _ in
      for key in ["maxWidth", "maxHeight", "maxArea"] { info[key] = nil }
    },
    document("info-height-limit-alone", "maxHeight is given without maxWidth.") { info, sound in
      let height = JSONValue.number(sound.source.height * 2)
      info.changeLimits(sound.settings.api) { limits in
        limits["maxWidth"] = nil
        limits["maxHeight"] = height
      }
    },
    document("info-limit-too-large", "maxWidth is twice of what is served.") { info, _ in
      for api in ReferenceAPI.allCases {
        info.changeLimits(api) { limits in
          if case .number(let width)? = limits["maxWidth"] {
            limits["maxWidth"] = .number(width * 2)
          }
        }
      }
    },
    document(
      "info-sizes-beyond-limits", "sizes lists the whole picture beyond the limits.",
      needs: [.limits]
    ) {
      info, sound in
      info["sizes"] = .list((info["sizes"]?.items ?? []) + [.size(sound.source.size)])
    },
    document("info-sizes-larger-than-picture", "sizes lists twice the picture.", only: .version3) {
      info, sound in
      let size = Extent(width: sound.source.width * 2, height: sound.source.height * 2)
      info["sizes"] = .list((info["sizes"]?.items ?? []) + [.size(size)])
    },
    document("info-sizes-transposed", "The sizes' width and height change places.") { info, _ in
      info["sizes"] = .list(
        (info["sizes"]?.items ?? []).map {
          .members(("width", $0["height"]), ("height", $0["width"]))
        })
    },
    document("info-size-without-height", "A size has no height.") { info, _ in
      info["sizes"] = .list(
        (info["sizes"]?.items ?? []).map { .members(("width", $0["width"])) })
    },
    document("info-tiles-beyond-limits", "Tiles are larger than the limits.", needs: [.limits]) {
      info, sound in
      let side = max(sound.source.width, sound.source.height)
      info["tiles"] = .list([
        .members(("width", .number(side)), ("scaleFactors", .list([.number(1)])))
      ])
    },
    document("info-tiles-twice", "Tiles of one size are listed twice.") { info, _ in
      let tiles = info["tiles"]?.items ?? []
      info["tiles"] = .list(tiles + tiles)
    },
    document("info-tiles-without-factors", "Tiles have no scaleFactors.") { info, _ in
      info["tiles"] = .list(
        (info["tiles"]?.items ?? []).map { .members(("width", $0["width"])) })
    },
    document("info-factors-as-texts", "The scale factors are texts.") { info, _ in
      info["tiles"] = .list(
        (info["tiles"]?.items ?? []).map { tile in
          .members(
            ("width", tile["width"]),
            ("scaleFactors", .texts(tile["scaleFactors"]?.items.map(\.serialized) ?? [])))
        })
    },
    document("info-factor-zero", "A scale factor is 0.") { info, _ in
      info["tiles"] = .list(
        (info["tiles"]?.items ?? []).map { tile in
          .members(
            ("width", tile["width"]),
            ("scaleFactors", .list([.number(0)] + (tile["scaleFactors"]?.items ?? []))))
        })
    },
    document(
      "info-qualities-missing", "Qualities beyond the default are not listed.", only: .version3
    ) {
      info, _ in info["extraQualities"] = nil
    },
    document("info-quality-not-served", "A quality is listed that is refused.", only: .version3) {
      info, _ in
      info["extraQualities"] = .list((info["extraQualities"]?.items ?? []) + [.text("sepia")])
    },
    document("info-format-not-served", "A format is listed that is refused.", only: .version3) {
      info, _ in info["extraFormats"] = .texts(["webp"])
    },
    document("info-preferred-not-served", "A format is preferred that is refused.", only: .version3)
    {
      info, _ in info["preferredFormats"] = .texts(["webp", "png"])
    },
    document(
      "info-color-of-grey", "color is listed for a grey picture.", .recommendation, only: .version3,
      needs: [.grey]
    ) {
      info, sound in
      if !sound.source.isColour { info["extraQualities"] = .texts(["color", "gray", "bitonal"]) }
    },
    document("info-without-sizes", "There are no sizes.", .open) { info, _ in info["sizes"] = nil },
    document("info-without-tiles", "There are no tiles.", .open) { info, _ in info["tiles"] = nil },
    typed("info-type-html", "info.json is sent as text/html.", "specification 5.1", .recommendation)
    { _, _ in
      "text/html"
    },
    typed("info-never-linked", "JSON-LD is not sent when it is asked for.", "compliance 4") {
      _, _ in
      Negotiation.plain
    },
    typed(
      "info-always-linked", "JSON-LD is sent unasked.", "2.1 specification 5.1", only: .version2
    ) {
      _, _ in Negotiation.linked
    },
    typed(
      "info-accept-ignored", "JSON-LD is sent to who accepts plain JSON only.", "specification 5.1",
      .recommendation, only: .version3
    ) { _, sound in sound.informationType(nil) },
    typed(
      "info-type-without-profile", "The media type of JSON-LD has no profile.", "specification 5.1",
      .recommendation, only: .version3
    ) { accept, sound in
      sound.informationType(accept).split(separator: ";").first.map(String.init) ?? ""
    },
    raw("info-not-json", "info.json has a comma behind the last member.") { $0.dropLast() + ",}" },
    raw("info-cut", "info.json ends in its middle.") { String($0.prefix($0.count / 2)) },
    raw("info-in-list", "info.json is a list of one object.") { "[\($0)]" },
  ]

  private static func document(
    _ name: String, _ summary: String, _ standing: Fault.Standing = .breach,
    only version: ReferenceAPI? = nil, needs: Set<Fault.Need> = [],
    _ change: @escaping @Sendable (inout JSONValue, Stages) -> Void
  ) -> Fault {
    Fault(
      name, .protocol, summary, "specification 5", standing, only: version, needs: needs
    ) { faulty, sound in
      faulty.information = {
        var information = sound.information()
        change(&information, sound)
        return information
      }
    }
  }

  private static func typed(
    _ name: String, _ summary: String, _ origin: String, _ standing: Fault.Standing = .breach,
    only version: ReferenceAPI? = nil, _ type: @escaping @Sendable (String?, Stages) -> String
  ) -> Fault {
    Fault(name, .protocol, summary, origin, standing, only: version) { faulty, sound in
      faulty.informationType = { type($0, sound) }
    }
  }

  /// Creates a fault of the text of info.json.
  private static func raw(
    _ name: String, _ summary: String, _ change: @escaping @Sendable (String) -> String
  ) -> Fault {
    Fault(name, .protocol, summary, "specification 5.1") { faulty, _ in
      faulty.exchange = { request, answer throws(ServerFailure) in
        var request = request
        let isHead = request.method == .head
        if request.path == "/info.json", isHead { request.method = .get }
        var answered = try answer(request)
        guard request.path == "/info.json", request.method == .get else { return answered }
        answered.body = Array(change(String(decoding: answered.body, as: UTF8.self)).utf8)
        answered.headers["content-length"] = "\(answered.body.count)"
        if isHead { answered.body = [] }
        return answered
      }
    }
  }
}

extension Stages {
  fileprivate var idKey: String { settings.api == .version2 ? "@id" : "id" }
}

extension JSONValue {
  fileprivate mutating func setLevel(_ level: Int, _ api: ReferenceAPI) {
    guard api == .version2 else {
      self["profile"] = .text("level\(level)")
      return
    }
    self["profile"] = .list(
      [.text(api.profile(level: level))] + (self["profile"]?.items.dropFirst() ?? []))
  }

  /// Changes the object that holds the limits: the profile in version 2, the document in version 3.
  fileprivate mutating func changeLimits(_ api: ReferenceAPI, _ change: (inout JSONValue) -> Void) {
    guard api == .version2 else { return change(&self) }
    guard var items = self["profile"]?.items, items.count > 1 else { return }
    change(&items[1])
    self["profile"] = .list(items)
  }
}
