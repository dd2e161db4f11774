package import ZoomGeometry

/// A version of the IIIF Image API.
package enum ReferenceAPI: String, Sendable, Hashable, CaseIterable {
  case version2 = "2.1"
  case version3 = "3.0"

  var major: Int { self == .version2 ? 2 : 3 }
  var context: String { "http://iiif.io/api/image/\(major)/context.json" }

  func profile(level: Int) -> String { "http://iiif.io/api/image/\(major)/level\(level).json" }
}

/// The largest answers; nil for no limit.
package struct SizeLimits: Sendable, Hashable {
  package var maxWidth: Int?
  /// Without it `maxWidth` limits the height, too (5.2).
  package var maxHeight: Int?
  package var maxArea: Int?

  package init(maxWidth: Int? = nil, maxHeight: Int? = nil, maxArea: Int? = nil) {
    self.maxWidth = maxWidth
    self.maxHeight = maxHeight
    self.maxArea = maxArea
  }

  var effectiveHeight: Int? { maxHeight ?? maxWidth }
  var isEmpty: Bool { maxWidth == nil && maxHeight == nil && maxArea == nil }
}

/// How a calculated length becomes a whole number; the specification leaves it open (4.7).
package enum LengthRounding: String, Sendable, Hashable, CaseIterable {
  case nearest, down, up
}

/// What scales; both are correct, for the specification names no kernel.
package enum ReferenceRenderer: String, Sendable, Hashable, CaseIterable {
  /// A box filter downwards and linear interpolation upwards.
  case own
  /// libvips: Lanczos downwards and linear interpolation upwards.
  case vips
}

/// How a reference server serves a picture.
package struct ReferenceSettings: Sendable, Hashable {
  package var api: ReferenceAPI
  package var renderer: ReferenceRenderer
  /// Nil for twice the longer side.
  ///
  /// Without any limit there is no upscaling (5.7).
  package var limits: SizeLimits?
  package var rounding: LengthRounding
  /// The tiles of info.json; nil for squares of which a small picture has several.
  package var tile: PixelSize?
  /// The service's address without a slash behind it.
  package var address: String

  package init(
    api: ReferenceAPI = .version3, renderer: ReferenceRenderer = .own, limits: SizeLimits? = nil,
    rounding: LengthRounding = .nearest, tile: PixelSize? = nil,
    address: String = "http://localhost/iiif/picture"
  ) {
    self.api = api
    self.renderer = renderer
    self.limits = limits
    self.rounding = rounding
    self.tile = tile
    self.address = address
  }
}
