/// A JSON value whose members keep their order, because `@context` should be the first (5.2).
enum JSONValue: Sendable {
  case text(String)
  case number(Int)
  case list([JSONValue])
  case object([(key: String, value: JSONValue)])

  static func texts(_ texts: [String]) -> JSONValue { .list(texts.map { .text($0) }) }

  static func members(_ members: (String, JSONValue?)...) -> JSONValue {
    .object(members.compactMap { key, value in value.map { (key: key, value: $0) } })
  }

  static func size(_ size: Extent) -> JSONValue {
    .members(("width", .number(size.width)), ("height", .number(size.height)))
  }

  /// A member of an object; assigning nil removes it.
  subscript(key: String) -> JSONValue? {
    get {
      guard case .object(let members) = self else { return nil }
      return members.first { $0.key == key }?.value
    }
    set {
      guard case .object(var members) = self else { return }
      let place = members.firstIndex { $0.key == key } ?? members.endIndex
      members.replaceSubrange(
        place..<min(place + 1, members.endIndex),
        with: newValue.map { [(key: key, value: $0)] } ?? [])
      self = .object(members)
    }
  }

  var items: [JSONValue] {
    if case .list(let items) = self { items } else { [] }
  }

  var serialized: String {
    switch self {
    case .text(let text): "\"\(Self.escaped(text))\""
    case .number(let number): "\(number)"
    case .list(let items): "[" + items.map(\.serialized).joined(separator: ",") + "]"
    case .object(let members):
      "{"
        + members.map { "\"\(Self.escaped($0.key))\":\($0.value.serialized)" }
        .joined(separator: ",") + "}"
    }
  }

  /// Escapes quotes and backslashes only: addresses and terms contain no control characters.
  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
  }
}

struct Information: Sendable {
  let geometry: Geometry
  let settings: ReferenceSettings
  let isColour: Bool

  var document: JSONValue { settings.api == .version2 ? version2 : version3 }

  var tile: Extent {
    let (picture, limits) = (geometry.picture, geometry.limits)
    // Small tiles, so that a small picture has several too.
    let side = max(picture.width, picture.height)
    let usual = side <= 512 ? 64 : side <= 2048 ? 128 : 256
    let tile = Extent(
      width: min(usual, limits.maxWidth ?? .max),
      height: min(usual, limits.effectiveHeight ?? .max))
    if let area = limits.maxArea, tile.area > area {
      let side = max(1, Int(Double(area).squareRoot()))
      return Extent(width: side, height: side)
    }
    return tile
  }

  /// Powers of two, until one tile covers the picture.
  var scaleFactors: [Int] {
    let (picture, tile) = (geometry.picture, tile)
    var factors = [1]
    while let last = factors.last,
      tile.width * last < picture.width || tile.height * last < picture.height
    { factors.append(last * 2) }
    return factors
  }

  /// The whole picture reduced by the scale factors, from the smallest.
  var sizes: [Extent] {
    let picture = geometry.picture
    return scaleFactors.reversed()
      .map { factor in
        let width = LengthRounding.up.quotient(picture.width, factor)
        // Rounded as in `w,`, so that both forms of the size yield the same answer.
        var size = geometry.derived(width: width, of: picture)
        size.height = max(1, min(size.height, picture.height))
        return size
      }
      .filter(geometry.isAllowed)
  }

  private var tiles: JSONValue {
    let tile = tile
    return .list([
      .members(
        ("width", .number(tile.width)),
        ("height", tile.height == tile.width ? nil : .number(tile.height)),
        ("scaleFactors", .list(scaleFactors.map { .number($0) })))
    ])
  }

  private var listedSizes: JSONValue? {
    let sizes = sizes
    return sizes.isEmpty ? nil : .list(sizes.map { .size($0) })
  }

  private var version3: JSONValue {
    let (picture, limits) = (geometry.picture, geometry.limits)
    let features =
      ["canonicalLinkHeader", "mirroring", "profileLinkHeader", "rotationArbitrary"]
      + (geometry.canUpscale ? ["sizeUpscaling"] : [])
    return .members(
      ("@context", .text(settings.api.context)), ("id", .text(settings.address)),
      ("type", .text("ImageService3")), ("protocol", .text("http://iiif.io/api/image")),
      ("profile", .text("level2")), ("width", .number(picture.width)),
      ("height", .number(picture.height)), ("maxWidth", limits.maxWidth.map { .number($0) }),
      ("maxHeight", limits.maxHeight.map { .number($0) }),
      ("maxArea", limits.maxArea.map { .number($0) }), ("sizes", listedSizes), ("tiles", tiles),
      ("preferredFormats", .texts(["png"])),
      // A grey picture should not list color (4.4).
      ("extraQualities", .texts((isColour ? ["color"] : []) + ["gray", "bitonal"])),
      ("extraFeatures", .texts(features)))
  }

  /// The version 2 document, without lists of formats and qualities because they are those of level 2 (5.3).
  private var version2: JSONValue {
    let (picture, limits) = (geometry.picture, geometry.limits)
    let features =
      [
        "canonicalLinkHeader", "mirroring", "profileLinkHeader", "regionSquare",
        "rotationArbitrary",
      ] + (geometry.canUpscale ? ["sizeAboveFull"] : [])
    let profile = JSONValue.members(
      ("supports", .texts(features)), ("maxWidth", limits.maxWidth.map { .number($0) }),
      ("maxHeight", limits.maxHeight.map { .number($0) }),
      ("maxArea", limits.maxArea.map { .number($0) }))
    return .members(
      ("@context", .text(settings.api.context)), ("@id", .text(settings.address)),
      ("@type", .text("iiif:Image")), ("protocol", .text("http://iiif.io/api/image")),
      ("width", .number(picture.width)), ("height", .number(picture.height)),
      ("sizes", listedSizes), ("tiles", tiles),
      ("profile", .list([.text(settings.api.profile(level: 2)), profile])))
  }
}
