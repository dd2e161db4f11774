package enum ReferenceAPI: String, Sendable, Hashable, CaseIterable {
  case version2 = "2.1"
  case version3 = "3.0"

  var major: Int { self == .version2 ? 2 : 3 }
  var other: ReferenceAPI { self == .version2 ? .version3 : .version2 }
  var context: String { "http://iiif.io/api/image/\(major)/context.json" }

  func profile(level: Int) -> String { "http://iiif.io/api/image/\(major)/level\(level).json" }
}

/// The limits of an answer's size; nil for none.
package struct SizeLimits: Sendable, Hashable {
  package var maxWidth: Int?
  /// Nil applies `maxWidth` to the height too (5.2).
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

/// The rounding of calculated lengths; the specification does not prescribe it (4.7).
package enum LengthRounding: String, Sendable, Hashable, CaseIterable {
  case nearest, down, up
}

/// The scaler; both are correct, because the specification prescribes no kernel.
package enum ReferenceRenderer: String, Sendable, Hashable, CaseIterable {
  /// A box filter downwards and linear interpolation upwards.
  case own
  /// libvips: Lanczos downwards and linear interpolation upwards.
  case vips
}

package struct ReferenceSettings: Sendable, Hashable {
  package var api: ReferenceAPI
  package var renderer: ReferenceRenderer
  /// The size limits; nil for a width of twice the longer side.
  ///
  /// A server without any limit does not upscale (5.7).
  package var limits: SizeLimits?
  package var rounding: LengthRounding
  /// The service's address without a slash at its end.
  package var address = "http://localhost/iiif/picture"

  package init(
    api: ReferenceAPI = .version3, renderer: ReferenceRenderer = .own, limits: SizeLimits? = nil,
    rounding: LengthRounding = .nearest
  ) {
    (self.api, self.renderer, self.limits, self.rounding) = (api, renderer, limits, rounding)
  }
}
