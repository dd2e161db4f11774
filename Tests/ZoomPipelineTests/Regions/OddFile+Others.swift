import SystemPackage
import TestSupport

@testable import ZoomPipeline

extension OddFile {
  /// Pictures of other formats that are cut off or hold text.
  static let others: [OddFile] = [
    OddFile(testDescription: "a PPM of text", suffix: "ppm", isServed: false) {
      Array("P2\n2 2\n255\n1 2 3 4\n".utf8)
    },
    OddFile(testDescription: "a PPM that is cut off", suffix: "ppm", isServed: false) {
      Array("P6\n9 9\n255\n".utf8) + [UInt8](repeating: 7, count: 120)
    },
    OddFile(testDescription: "a WebP that is cut off", suffix: "webp", isServed: false) {
      let folder = try TestFolder()
      let path = folder.path.appending("a.webp")
      try Image(Pixels.noise(80, 80)).write(to: path, as: .settings("[lossless]"))
      return Array(try TestSupport.bytes(of: path).dropLast(20))
    },
  ]
}
