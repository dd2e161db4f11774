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

/// How the bytes of one pixel are laid out in the rows a scene hands out.
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

/// A deterministic picture whose rows can be asked for in any order, from any thread.
///
/// A scene is a pure function of its parameters: rows made alone are equal to the same rows of the
/// whole, on every machine and in every build configuration, because only integers are used.
package protocol Scene: Sendable {
  /// Size of the whole picture; both sides are at least 1.
  var size: SceneSize { get }

  var form: PixelForm { get }

  /// Rows inside `0..<size.height`, or none, top to bottom and without padding.
  func pixels(rows: Range<Int>) -> [UInt8]
}

extension Scene {
  package var rowBytes: Int { size.width * form.bytesPerPixel }

  /// The whole picture as one array; meant for small pictures.
  package func pixels() -> [UInt8] { pixels(rows: 0..<size.height) }
}

/// A picture held in memory, so that any bytes can stand where a scene is expected.
package struct RasterScene: Scene {
  package let size: SceneSize
  package let form: PixelForm
  private let bytes: [UInt8]

  /// Returns `nil` unless both sides are positive and `bytes` holds exactly the picture.
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
