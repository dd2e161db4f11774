import Foundation
import SystemPackage
import TestSupport
import ZoomGeometry

@testable import ZoomPipeline

/// A picture with odd, different sides whose pixels encode their positions.
struct TellingPicture {
  let folder: TestFolder
  let path: FilePath
  let pixels: Pixels

  init(_ width: Int = 83, _ height: Int = 61, name: String = "telling.png") throws {
    folder = try TestFolder()
    let size = try PixelSize(width: width, height: height)
    let bytes = (0..<size.area).flatMap { place in
      let (x, y) = (place % width, place / width)
      return [
        UInt8(truncatingIfNeeded: x * 3), UInt8(truncatingIfNeeded: y * 5),
        UInt8(truncatingIfNeeded: x ^ y),
      ]
    }
    pixels = Pixels(size: size, bands: 3, format: .uint8, interpretation: .srgb, bytes: bytes)
    path = folder.path.appending(name)
    try Image(pixels).write(to: path, as: .png(compression: 1, interlaced: false))
  }

  func png(_ region: PixelRegion) throws -> [UInt8] {
    let part = try pixels.part(region)
    let file = folder.path.appending("part-\(UUID()).png")
    try Image(part).write(to: file, as: .png(compression: 1, interlaced: false))
    defer { try? FileManager.default.removeItem(atPath: file.string) }
    return [UInt8](try Data(contentsOf: URL(fileURLWithPath: file.string)))
  }
}

extension Pixels {
  func part(_ region: PixelRegion) throws -> Pixels {
    let rows = (region.y..<region.maxY).flatMap { y in
      let start = (y * size.width + region.x) * bands
      return bytes[start..<start + region.width * bands]
    }
    return Pixels(
      size: region.size, bands: bands, format: format, interpretation: interpretation, bytes: rows)
  }
}
