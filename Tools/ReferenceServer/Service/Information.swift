/// The contents of info.json (section 5).
struct Information: Sendable {
  let geometry: Geometry
  let settings: ReferenceSettings
  let isColour: Bool

  /// The document as Foundation's JSON values.
  var document: [String: Any] {
    let (picture, limits) = (geometry.picture, geometry.limits)
    var document: [String: Any] = [
      "@context": settings.api.context, "protocol": "http://iiif.io/api/image",
      "width": picture.width, "height": picture.height, "tiles": [tiles],
    ]
    let sizes = sizes
    if !sizes.isEmpty { document["sizes"] = sizes.map(\.members) }
    let most = [
      "maxWidth": limits.maxWidth, "maxHeight": limits.maxHeight, "maxArea": limits.maxArea,
    ].compactMapValues(\.self)
    var features = ["canonicalLinkHeader", "mirroring", "profileLinkHeader", "rotationArbitrary"]
    switch settings.api {
    case .version2:
      features += ["regionSquare"] + (geometry.canUpscale ? ["sizeAboveFull"] : [])
      document["@id"] = settings.address
      document["@type"] = "iiif:Image"
      // Formats and qualities are those of level 2, so they are not listed (5.3).
      var offers: [String: Any] = most
      offers["supports"] = features
      let profile: [Any] = [settings.api.profile(level: 2), offers]
      document["profile"] = profile
    case .version3:
      if geometry.canUpscale { features.append("sizeUpscaling") }
      document["id"] = settings.address
      document["type"] = "ImageService3"
      document["profile"] = "level2"
      document["preferredFormats"] = ["png"]
      // A grey picture should not list color (4.4).
      document["extraQualities"] = isColour ? ["color", "gray", "bitonal"] : ["gray", "bitonal"]
      document["extraFeatures"] = features
      document.merge(most) { $1 }
    }
    return document
  }

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

  private var tiles: [String: Any] {
    let tile = tile
    var members: [String: Any] = ["width": tile.width, "scaleFactors": scaleFactors]
    if tile.height != tile.width { members["height"] = tile.height }
    return members
  }
}

extension Extent {
  /// The members of a size in info.json.
  var members: [String: Int] { ["width": width, "height": height] }
}
