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
    pixels = try Pixels(width: width, height: height) { x, y, band in
      UInt8(truncatingIfNeeded: [x * 3, y * 5, x ^ y][band])
    }
    path = folder.path.appending(name)
    try Image(pixels).write(to: path, as: .png(compression: 1, interlaced: false))
  }

  func png(_ region: PixelRegion) throws -> [UInt8] {
    let file = folder.path.appending("part-\(UUID()).png")
    try Image(pixels.crop(region)).write(to: file, as: .png(compression: 1, interlaced: false))
    defer { try? FileManager.default.removeItem(atPath: file.string) }
    return try bytes(of: file)
  }
}
