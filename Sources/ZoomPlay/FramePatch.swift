internal import Foundation
internal import ZoomGeometry
internal import ZoomPipeline

/// The part of a frame that differs from the previous frame, coded for a canvas.
struct FramePatch: Sendable {
  /// The part; nil if nothing has changed.
  let part: PixelRegion?
  /// The part's pixels as red, green, blue and 255, or a JPEG of them.
  let bytes: [UInt8]

  private static let bands = 3
  /// At this quality the losses are not visible in photographs for the 1/60 s of a frame; at a
  /// higher one the number of bytes grows quickly.
  private static let quality = 90

  /// Finds and codes the changed part.
  ///
  /// - Parameters:
  /// - frame: The frame to show: 8-bit sRGB in three bands.
  /// - before: The frame shown at present; nil or another size codes the whole frame.
  /// - isLossless: Whether the pixels are sent uncompressed.
  /// - Throws: `PipelineError` if a JPEG cannot be made.
  init(_ frame: Pixels, after before: Pixels?, isLossless: Bool) throws {
    let before = before?.size == frame.size ? before : nil
    let part = before.map { Self.difference(frame, $0) } ?? PixelRegion(whole: frame.size)
    self.part = part
    guard let part else {
      bytes = []
      return
    }
    bytes =
      isLossless ? Self.opaque(frame, part) : try frame.jpegBytes(of: part, quality: Self.quality)
  }

  /// Returns the smallest rectangle that contains all differences between two frames of one size.
  private static func difference(_ one: Pixels, _ other: Pixels) -> PixelRegion? {
    let row = one.rowByteCount
    return one.bytes.withUnsafeBytes { one in
      other.bytes.withUnsafeBytes { other in
        let height = one.count / row
        func isSame(_ y: Int) -> Bool {
          guard let first = one.baseAddress, let second = other.baseAddress else { return true }
          return memcmp(first + y * row, second + y * row, row) == 0
        }
        guard let top = (0..<height).first(where: { !isSame($0) }),
          let bottom = (top..<height).last(where: { !isSame($0) })
        else { return nil }
        var (left, right) = (row, -1)
        for y in top...bottom {
          func differs(_ x: Int) -> Bool { one[y * row + x] != other[y * row + x] }
          left = (0..<left).first(where: differs) ?? left
          right = (right + 1..<row).last(where: differs) ?? right
        }
        let (first, last) = (left / bands, right / bands)
        return try? PixelRegion(x: first, y: top, width: last - first + 1, height: bottom - top + 1)
      }
    }
  }

  /// Returns a part's pixels with a fourth byte of 255, as a canvas needs them.
  private static func opaque(_ frame: Pixels, _ part: PixelRegion) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: part.area * 4) { target, initialized in
      frame.bytes.withUnsafeBufferPointer { source in
        var to = 0
        for y in part.y..<part.maxY {
          let row = y * frame.rowByteCount
          for from in stride(from: row + part.x * bands, to: row + part.maxX * bands, by: bands) {
            for band in 0..<bands { target[to + band] = source[from + band] }
            target[to + bands] = 255
            to += bands + 1
          }
        }
        initialized = to
      }
    }
  }
}
