/// Width and height of a synthetic picture in pixels.
package struct SceneSize: Hashable, Sendable {
  package var width: Int
  package var height: Int

  package init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  package var pixelCount: Int { width * height }
}

/// The layout of a pixel's bytes in the rows of a scene.
///
/// Samples are interleaved. 16-bit samples are little-endian. CMYK samples are amounts of ink: 0 is
/// bare paper, 255 is full ink.
package enum PixelForm: String, CaseIterable, Sendable {
  case gray8, rgb8, rgba8, cmyk8, gray16, rgb16

  package var bands: Int {
    switch self {
    case .gray8, .gray16: 1
    case .rgb8, .rgb16: 3
    case .rgba8, .cmyk8: 4
    }
  }

  package var bytesPerSample: Int {
    switch self {
    case .gray8, .rgb8, .rgba8, .cmyk8: 1
    case .gray16, .rgb16: 2
    }
  }

  package var bytesPerPixel: Int { bands * bytesPerSample }
}

/// A deterministic picture whose rows can be computed in any order, on any thread.
///
/// A scene is a pure function of its parameters and uses only integers. So rows computed separately
/// equal the same rows of the whole picture, on every machine and in every build configuration.
package protocol Scene: Sendable {
  /// The size of the whole picture; both sides are at least 1.
  var size: SceneSize { get }

  var form: PixelForm { get }

  /// Returns rows in `0..<size.height` from top to bottom, without padding; the range may be empty.
  func pixels(rows: Range<Int>) -> [UInt8]
}

extension Scene {
  package var rowBytes: Int { size.width * form.bytesPerPixel }

  /// Returns the whole picture as one array; meant for small pictures.
  package func pixels() -> [UInt8] { pixels(rows: 0..<size.height) }
}

/// A scene whose pixels are given as bytes in memory.
package struct RasterScene: Scene {
  package let size: SceneSize
  package let form: PixelForm
  private let bytes: [UInt8]

  /// Returns `nil` unless both sides are positive and `bytes` has exactly the picture's length.
  package init?(size: SceneSize, form: PixelForm, bytes: [UInt8]) {
    let row = size.width.multipliedReportingOverflow(by: form.bytesPerPixel)
    let all = row.partialValue.multipliedReportingOverflow(by: size.height)
    guard size.width > 0, size.height > 0, !row.overflow, !all.overflow,
      bytes.count == all.partialValue
    else { return nil }
    self.size = size
    self.form = form
    self.bytes = bytes
  }

  package func pixels(rows: Range<Int>) -> [UInt8] {
    Array(bytes[rows.lowerBound * rowBytes..<rows.upperBound * rowBytes])
  }
}
