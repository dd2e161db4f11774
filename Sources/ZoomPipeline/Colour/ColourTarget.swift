internal import CVips

/// The colours that pixels are converted to.
public enum ColourTarget: String, Sendable, Hashable, Codable, CaseIterable {
  /// sRGB (IEC 61966-2-1).
  case srgb
  /// Display P3: wider primaries with the curve of sRGB.
  case p3

  package var title: String { self == .srgb ? "sRGB" : "Display P3" }

  /// Returns the ICC profile of these colours, which libvips holds.
  package func profile() throws(PipelineError) -> [UInt8] {
    VipsLibrary.start
    var length = 0
    guard let start = unsafe cvips_profile(rawValue, &length) else {
      throw PipelineError.vips(.fault, operation: "load the profile of \(title)", file: nil)
    }
    defer { unsafe g_free(start) }
    return unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: length))
  }
}

/// The bands, sample format and interpretation of pixels.
package typealias AnswerForm = (
  bands: Int, format: SampleFormat, interpretation: ColourInterpretation
)

extension Picture {
  /// The number of bands before alpha, and the colour space in the header of an ICC profile for
  /// them; nil for colours that are not converted.
  var profiledBands: (count: Int, space: String)? {
    switch (interpretation.rawValue, format) {
    case ("b-w", .uint8), ("grey16", .uint16): (1, "GRAY")
    case ("srgb", .uint8), ("rgb16", .uint16): (3, "RGB ")
    case ("cmyk", .uint8), ("cmyk", .uint16): (4, "CMYK")
    default: nil
    }
  }

  /// Returns the form of the picture's pixels, as stored or after conversion.
  package func form(in target: ColourTarget?) -> AnswerForm {
    guard target != nil, let colours = profiledBands else {
      return (bands, format, interpretation)
    }
    return (bands - colours.count + 3, format, format == .uint8 ? .srgb : .rgb16)
  }
}
